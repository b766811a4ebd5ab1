package io.outboxcdc.upstream;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What came of one of Debezium's test classes.
 *
 * @param passed  names of test methods
 * @param failed  names of test methods, each with the reason; containers too
 * @param skipped names of test methods
 */
record PublishedTests(Set<String> passed, Map<String, String> failed, Set<String> skipped) {

    private static final Map<String, String> SWAPS = Map.of(
            "io/debezium/transforms/outbox/EventRouter", "io/outboxcdc/router/OutboxRouter",
            "io/debezium/data/VerifyRecord", "io/outboxcdc/upstream/VerifyRecord",
            "io/debezium/embedded/util/MetricsHelper", "io/outboxcdc/upstream/PatientMetrics");

    /** With our router in the place of Debezium's. */
    static PublishedTests runAgainstOurRouter(String testClass) throws ClassNotFoundException {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        SwappingClassLoader swapping = new SwappingClassLoader(SWAPS);
        Thread.currentThread().setContextClassLoader(swapping);
        try {
            PublishedTests results = new PublishedTests(new TreeSet<>(), new TreeMap<>(), new TreeSet<>());
            launcher()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(DiscoverySelectors.selectClass(swapping.loadClass(testClass)))
                                    .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
                                    .build(),
                            results.listener());
            return results;
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static Launcher launcher() {
        return LauncherFactory.create(LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .build());
    }

    private TestExecutionListener listener() {
        return new TestExecutionListener() {

            @Override
            public void executionSkipped(TestIdentifier test, String reason) {
                skipped.add(name(test));
            }

            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                    failed.put(name(test), String.valueOf(result.getThrowable().orElse(null)));
                } else if (test.isTest()) {
                    passed.add(name(test));
                }
            }
        };
    }

    private static String name(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .orElseGet(test::getDisplayName);
    }
}
