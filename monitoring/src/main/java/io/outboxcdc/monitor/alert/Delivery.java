package io.outboxcdc.monitor.alert;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes alerts to one receiver: each once when it begins and once when it ends, in one message for each group. What is not
 * taken is sent again with growing pauses; what was taken is remembered over a restart. Not thread-safe.
 */
public final class Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
    private static final Duration REPEAT = Duration.ofMinutes(1);

    private final Receiver receiver;
    private final Set<String> told = new HashSet<>();
    private final Map<String, Alert> ended = new LinkedHashMap<>();
    private Duration pause = Duration.ZERO;
    private Instant notBefore = Instant.EPOCH;
    private Instant repeatedAt = Instant.EPOCH;

    /** Delivers to this receiver. */
    public Delivery(Receiver receiver) {
        this.receiver = receiver;
    }

    /** The receiver's name. */
    public String name() {
        return receiver.name();
    }

    /** The keys of alerts that the receiver knows of, for the state file. */
    public Set<String> save() {
        return Set.copyOf(told);
    }

    /** Goes on where a former run ended. */
    public void restore(Set<String> saved) {
        told.addAll(saved);
    }

    /**
     * Delivers what is new.
     *
     * @return whether anything was delivered, which is then to be remembered
     */
    public boolean deliver(Instant now, List<Alert> alerts) {
        for (Alert alert : alerts) {
            if (alert.resolved().isPresent()) {
                if (told.contains(alert.key())) {
                    ended.put(alert.key(), alert);
                }
            } else {
                ended.remove(alert.key());
            }
        }
        if (now.isBefore(notBefore)) {
            return false;
        }
        boolean repeat =
                receiver.wantsRepeats() && Duration.between(repeatedAt, now).compareTo(REPEAT) >= 0;
        boolean delivered = false;
        for (Map.Entry<String, List<Alert>> group : due(alerts, repeat).entrySet()) {
            if (!send(now, group.getKey(), group.getValue())) {
                return delivered;
            }
            delivered = true;
        }
        if (repeat) {
            repeatedAt = now;
        }
        return delivered;
    }

    private Map<String, List<Alert>> due(List<Alert> alerts, boolean repeat) {
        Map<String, List<Alert>> groups = new HashMap<>();
        for (Alert alert : alerts) {
            if (alert.resolved().isEmpty() && (repeat || !told.contains(alert.key()))) {
                groups.computeIfAbsent(alert.group(), unknown -> new ArrayList<>())
                        .add(alert);
            }
        }
        for (Alert alert : ended.values()) {
            groups.computeIfAbsent(alert.group(), unknown -> new ArrayList<>()).add(alert);
        }
        groups.values()
                .forEach(list -> list.sort(
                        Comparator.comparing((Alert alert) -> alert.resolved().isPresent())
                                .thenComparing(alert -> alert.rule().severity())
                                .thenComparing(Alert::rule)));
        return groups;
    }

    private boolean send(Instant now, String group, List<Alert> alerts) {
        try {
            receiver.send(group, alerts);
        } catch (IOException e) {
            pause = pause.isZero() ? FIRST_PAUSE : min(pause.multipliedBy(2), LONGEST_PAUSE);
            notBefore = now.plus(pause);
            LOG.warn(
                    "{} alerts could not be given to the {}: {}. Next try in {} s.",
                    alerts.size(),
                    receiver.name(),
                    e.getMessage(),
                    pause.toSeconds());
            return false;
        }
        pause = Duration.ZERO;
        for (Alert alert : alerts) {
            if (alert.resolved().isPresent()) {
                told.remove(alert.key());
                ended.remove(alert.key());
            } else {
                told.add(alert.key());
            }
        }
        return true;
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
