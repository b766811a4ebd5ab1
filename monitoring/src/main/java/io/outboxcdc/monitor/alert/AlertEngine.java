package io.outboxcdc.monitor.alert;

import io.outboxcdc.monitor.metric.Measurement;
import io.outboxcdc.monitor.metric.Metric;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which alerts there are. A condition has to hold for its rule's time before the alert begins, and has to be gone for a
 * while before it ends: a value that sways around a bound is one alert. Not thread-safe.
 */
public final class AlertEngine {

    private final Settings settings;
    private final Map<String, Track> tracks = new LinkedHashMap<>();

    /**
     * How alerts are raised.
     *
     * @param holds how long a condition has to hold, where that differs from the rule, by the rule's name
     * @param disabled names of rules that are left out
     */
    public record Settings(Duration resolveAfter, Map<String, Duration> holds, Set<String> disabled) {}

    /**
     * A condition that holds or held, for the state file.
     *
     * @param holding since when it has held
     * @param gone since when it has not held any more
     * @param firing whether the alert has begun
     */
    public record Track(
            AlertRule rule,
            Map<String, String> labels,
            String detail,
            Instant holding,
            Optional<Instant> gone,
            boolean firing) {

        private Alert alert(Optional<Instant> resolved) {
            return new Alert(rule, labels, detail, holding, resolved);
        }
    }

    /** Raises alerts as the settings say. */
    public AlertEngine(Settings settings) {
        this.settings = settings;
    }

    /** What has to survive a restart. */
    public List<Track> save() {
        return List.copyOf(tracks.values());
    }

    /** Goes on where a former run ended. */
    public void restore(List<Track> saved) {
        saved.stream()
                .filter(track -> !settings.disabled().contains(track.rule().alertName()))
                .forEach(track -> tracks.put(Alert.key(track.rule(), track.labels()), track));
    }

    /**
     * The alerts after a sample: those that go on, and once those that have just ended.
     *
     * @param detail what was found about labels
     */
    public List<Alert> evaluate(
            Instant now, List<Measurement> measurements, Function<Map<String, String>, String> detail) {
        Map<Metric, List<Measurement>> measured =
                measurements.stream().collect(Collectors.groupingBy(Measurement::metric));
        List<Alert> alerts = new ArrayList<>();
        Map<String, Track> after = new HashMap<>();
        for (AlertRule rule : AlertRule.values()) {
            if (settings.disabled().contains(rule.alertName())) {
                continue;
            }
            for (Subject subject : Subject.of(rule, measured)) {
                String key = Alert.key(rule, subject.labels());
                Optional<Track> before = Optional.ofNullable(tracks.get(key));
                boolean holds = subject.meets(rule.condition(), measured);
                Optional<Track> track = holds
                        ? Optional.of(holding(now, rule, subject, before, detail.apply(subject.labels())))
                        : before.filter(Track::firing)
                                .map(old -> new Track(
                                        old.rule(),
                                        old.labels(),
                                        old.detail(),
                                        old.holding(),
                                        old.gone().or(() -> Optional.of(now)),
                                        true));
                track.ifPresent(found -> settle(now, key, found, after, alerts));
            }
        }
        tracks.clear();
        tracks.putAll(after);
        return alerts;
    }

    private Track holding(Instant now, AlertRule rule, Subject subject, Optional<Track> before, String detail) {
        Instant since = before.map(Track::holding).orElse(now);
        Duration hold = settings.holds().getOrDefault(rule.alertName(), rule.hold());
        boolean firing = before.map(Track::firing).orElse(false)
                || Duration.between(since, now).compareTo(hold) >= 0;
        return new Track(rule, subject.labels(), detail, since, Optional.empty(), firing);
    }

    private void settle(Instant now, String key, Track track, Map<String, Track> after, List<Alert> alerts) {
        boolean over = track.gone()
                .map(gone -> Duration.between(gone, now).compareTo(settings.resolveAfter()) >= 0)
                .orElse(false);
        if (over) {
            alerts.add(track.alert(Optional.of(now)));
            return;
        }
        after.put(key, track);
        if (track.firing()) {
            alerts.add(track.alert(Optional.empty()));
        }
    }
}
