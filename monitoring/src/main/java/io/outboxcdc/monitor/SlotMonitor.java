package io.outboxcdc.monitor;

import io.outboxcdc.monitor.act.Actions;
import io.outboxcdc.monitor.alert.Alert;
import io.outboxcdc.monitor.alert.AlertEngine;
import io.outboxcdc.monitor.alert.AlertmanagerReceiver;
import io.outboxcdc.monitor.alert.Delivery;
import io.outboxcdc.monitor.alert.LogReceiver;
import io.outboxcdc.monitor.alert.WebhookReceiver;
import io.outboxcdc.monitor.config.Configuration;
import io.outboxcdc.monitor.metric.KafkaWatch;
import io.outboxcdc.monitor.metric.Measurement;
import io.outboxcdc.monitor.metric.Measurements;
import io.outboxcdc.monitor.sample.Sampler;
import io.outboxcdc.monitor.sample.Snapshot;
import io.outboxcdc.monitor.sample.Sources;
import io.outboxcdc.monitor.serve.Histories;
import io.outboxcdc.monitor.serve.View;
import io.outboxcdc.monitor.serve.WebServer;
import io.outboxcdc.monitor.upkeep.UpkeepSchedule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A monitor that runs: samples, judges, serves, alerts and acts until it is closed. One thread does all of it but serving,
 * which shows what the last sample found.
 */
public final class SlotMonitor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SlotMonitor.class);
    private static final Duration SAVE_EVERY = Duration.ofSeconds(30);

    private final Configuration configuration;
    private final Clock clock;
    private final Sources sources;
    private final Sampler sampler;
    private final AlertEngine engine;
    private final List<Delivery> deliveries = new ArrayList<>();
    private final Actions actions;
    private final StateFile stateFile;
    private final KafkaWatch watch = new KafkaWatch();
    private final AlertDetails details;
    private final UpkeepSchedule upkeep;
    private volatile View view = View.NONE;
    private final WebServer server;
    private final ScheduledExecutorService loop;
    private Instant savedAt = Instant.EPOCH;
    private long samples;

    private SlotMonitor(Configuration configuration) throws IOException {
        this.configuration = configuration;
        this.clock = Clock.systemUTC();
        this.sources = new Sources(configuration.databases(), configuration.clusters());
        this.sampler = new Sampler(
                clock, sources, configuration.databases(), configuration.thresholds(), configuration.sampleInterval());
        Configuration.Alerts alerts = configuration.alerts();
        this.engine =
                new AlertEngine(new AlertEngine.Settings(alerts.resolveAfter(), alerts.holds(), alerts.disabled()));
        this.details = new AlertDetails(configuration.secrets());
        deliveries.add(new Delivery(new LogReceiver()));
        alerts.webhook().ifPresent(url -> deliveries.add(new Delivery(new WebhookReceiver(url, alerts.runbook()))));
        alerts.alertmanager()
                .ifPresent(url -> deliveries.add(new Delivery(new AlertmanagerReceiver(url, alerts.runbook()))));
        this.actions = new Actions(configuration.actions(), sources);
        this.upkeep = new UpkeepSchedule(configuration.upkeeps());
        this.stateFile = new StateFile(configuration.stateFile());
        this.server = WebServer.start(configuration.httpAddress(), configuration.httpPort(), () -> view);
        this.loop = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "slot-monitor");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts a monitor.
     *
     * @throws IOException when its port cannot be used
     */
    public static SlotMonitor start(Configuration configuration) throws IOException {
        SlotMonitor monitor = new SlotMonitor(configuration);
        monitor.restore();
        monitor.upkeep.start();
        var unused = monitor.loop.scheduleAtFixedRate(
                monitor::tick, 0, configuration.sampleInterval().toMillis(), TimeUnit.MILLISECONDS);
        return monitor;
    }

    /** Where the page is. */
    public URI url() {
        return server.url();
    }

    /** Ends it, and keeps what must survive. */
    @Override
    public void close() {
        server.close();
        upkeep.close();
        loop.shutdown();
        try {
            if (!loop.awaitTermination(10, TimeUnit.SECONDS)) {
                loop.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            loop.shutdownNow();
        }
        if (samples > 0) {
            save(clock.instant());
        }
        sources.close();
    }

    private void restore() {
        stateFile.read().ifPresent(state -> {
            sampler.restore(state.samples());
            engine.restore(state.alerts());
            actions.restore(state.restarts());
            deliveries.forEach(delivery -> delivery.restore(state.told().getOrDefault(delivery.name(), Set.of())));
        });
    }

    private void tick() {
        try {
            sample();
        } catch (RuntimeException e) {
            // A scheduled task that throws is never run again, and a silent monitor is the worst of all.
            LOG.error("A sample failed.", e);
        }
    }

    private void sample() {
        Snapshot snapshot = sampler.sample();
        samples++;
        watch.take(snapshot);
        actions.after(snapshot);
        Instant now = snapshot.time();
        List<Measurement> measurements = Measurements.of(
                snapshot, new Measurements.Extras(samples, actions.counts(now), watch, upkeep.counts()));
        List<Alert> alerts =
                engine.evaluate(now, measurements, labels -> details.of(snapshot, upkeep.counts(), labels));
        view = view.after(snapshot, measurements, alerts, Histories.of(sampler.histories()));
        boolean told = false;
        for (Delivery delivery : deliveries) {
            told |= delivery.deliver(now, alerts);
        }
        if (told || Duration.between(savedAt, now).compareTo(SAVE_EVERY) >= 0) {
            save(now);
        }
    }

    private void save(Instant now) {
        Map<String, Set<String>> told = new HashMap<>();
        deliveries.forEach(delivery -> told.put(delivery.name(), delivery.save()));
        try {
            stateFile.write(new StateFile.State(sampler.save(), engine.save(), told, actions.save()));
            savedAt = now;
        } catch (IOException e) {
            LOG.warn("The state file {} cannot be written: {}", configuration.stateFile(), e.getMessage());
        }
    }
}
