package io.outboxcdc.it;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/** What would break: a module that can no longer be used without the ones above it. */
class ModuleArrowsTest {

    private static final Path HOME = Path.of("..");
    private static final JavaClasses OURS = new ClassFileImporter()
            .importPaths(Stream.of(
                            "smt-outbox-router",
                            "outbox-client",
                            "local-stack",
                            "monitoring",
                            "polling-relay",
                            "benchmarks",
                            "cli")
                    .map(module -> HOME.resolve(module).resolve("target/classes"))
                    .toList());

    @Test
    void everyModuleIsLookedAt() {
        for (String module : List.of("router", "client", "stack", "monitor", "relay", "bench", "cli")) {
            assertThat(OURS.stream().filter(type -> type.getPackageName().startsWith("io.outboxcdc." + module)))
                    .as(module)
                    .isNotEmpty();
        }
    }

    @Test
    void theRouterNeedsOnlyDebeziumConnectAndWhatTheWorkerBrings() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.outboxcdc.router..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "io.outboxcdc.router..",
                        "java..",
                        "io.debezium..",
                        "org.apache.kafka..",
                        "com.fasterxml.jackson..",
                        "org.slf4j..",
                        "org.jspecify.annotations.."))
                .because("its jar is dropped into the connector's folder alone");

        rule.check(OURS);
    }

    @Test
    void theLedgerNeedsOnlyTheJdk() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.outboxcdc.client.ledger..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("io.outboxcdc.client.ledger..", "java..", "org.jspecify.annotations.."))
                .because("it judges every pipeline, whatever reads and writes it");

        rule.check(OURS);
    }

    @Test
    void theWriterNeedsTheJdkAndUsesWhatTheApplicationHas() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.outboxcdc.client.outbox..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "io.outboxcdc.client.outbox..",
                                "java..",
                                "com.fasterxml.uuid..",
                                "org.jspecify.annotations..")
                        .or(resideInAnyPackage("com.fasterxml.jackson..", "io.opentelemetry..")))
                .because("it goes into every application that writes");

        rule.check(OURS);
    }

    @Test
    void optionalDependenciesOfTheWriterAreTouchedByOneClassEach() {
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage("io.outboxcdc.client.outbox..")
                .and()
                .doNotHaveSimpleName("JacksonJson")
                .and()
                .doNotHaveSimpleName("OpenTelemetryTraceContext")
                .should()
                .dependOnClassesThat(resideInAnyPackage("com.fasterxml.jackson..", "io.opentelemetry.."))
                .because("any other class must load when they are not there");

        rule.check(OURS);
    }

    @Test
    void theUpkeepNeedsOnlyTheJdk() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.outboxcdc.client.upkeep..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("io.outboxcdc.client.upkeep..", "java..", "org.jspecify.annotations.."))
                .because("an application and the command line run it");

        rule.check(OURS);
    }

    @Test
    void theInboxNeedsTheJdkAndItsConsumerTheKafkaClients() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.outboxcdc.client.inbox..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "io.outboxcdc.client.inbox..",
                        "java..",
                        "javax.sql..",
                        "org.apache.kafka..",
                        "org.jspecify.annotations.."))
                .because("it goes into every application that consumes");

        rule.check(OURS);
    }

    @Test
    void theInboxItselfLoadsWithoutTheKafkaClients() {
        ArchRule rule = noClasses()
                .that()
                .haveNameMatching(
                        "io\\.outboxcdc\\.client\\.inbox\\.(Inbox|InboxRetention|WaitingMessages|Transaction|HandlersConnection)")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.kafka.."))
                .because("who has a consumer loop of another make uses the inbox alone");

        rule.check(OURS);
    }

    @Test
    void nothingBelowKnowsTheCommandLine() {
        ArchRule rule = noClasses()
                .that()
                .resideOutsideOfPackage("io.outboxcdc.cli..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.outboxcdc.cli..", "picocli.."));

        rule.check(OURS);
    }

    @Test
    void onlyTheCommandLineKnowsTheBenchmarks() {
        ArchRule rule = noClasses()
                .that()
                .resideOutsideOfPackages("io.outboxcdc.cli..", "io.outboxcdc.bench..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.outboxcdc.bench..", "org.openjdk.jmh.."));

        rule.check(OURS);
    }

    @Test
    void theMonitorRunsByItself() {
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage("io.outboxcdc.monitor..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.outboxcdc.router..", "io.outboxcdc.stack..", "io.debezium.."))
                .because("it watches any pipeline, wherever that came from");

        rule.check(OURS);
    }

    @Test
    void ofTheClientTheMonitorKnowsOnlyTheUpkeep() {
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage("io.outboxcdc.monitor..")
                .and()
                .doNotHaveSimpleName("UpkeepSchedule")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.outboxcdc.client.."))
                .because("upkeep is the one thing that the monitor does to an outbox");

        rule.check(OURS);
    }

    @Test
    void theMonitorsJudgementNeedsOnlyTheJdk() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.outboxcdc.monitor.core..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("io.outboxcdc.monitor.core..", "java..", "org.jspecify.annotations.."));

        rule.check(OURS);
    }

    @Test
    void theRelayKnowsTheRouterAndNoOtherModule() {
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage("io.outboxcdc.relay..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "io.outboxcdc.client..",
                        "io.outboxcdc.stack..",
                        "io.outboxcdc.monitor..",
                        "io.outboxcdc.bench..",
                        "io.outboxcdc.cli.."))
                .because("it runs by itself, and publishes what the router makes");

        rule.check(OURS);
    }

    @Test
    void nobodyKnowsTheRelay() {
        ArchRule rule = noClasses()
                .that()
                .resideOutsideOfPackage("io.outboxcdc.relay..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.outboxcdc.relay.."))
                .because("it is one of two ways, and the other does without");

        rule.check(OURS);
    }

    @Test
    void whatTheRelayDecidesNeedsOnlyTheJdk() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.outboxcdc.relay.core..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("io.outboxcdc.relay.core..", "java..", "org.jspecify.annotations.."));

        rule.check(OURS);
    }

    @Test
    void theStackKnowsNeitherTheRouterNorDebeziumNorTheClient() {
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage("io.outboxcdc.stack..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.outboxcdc.router..", "io.outboxcdc.client..", "io.debezium.."))
                .because("the worker loads them from its plugin path, as it does for users");

        rule.check(OURS);
    }
}
