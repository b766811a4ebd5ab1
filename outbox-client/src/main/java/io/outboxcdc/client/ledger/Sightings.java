package io.outboxcdc.client.ledger;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All sightings of one event. However many they are, it keeps one position for each lane. */
final class Sightings {

    static final Sightings NONE = new Sightings();

    private long events;
    private long deadLetters;
    private boolean onlyLater = true;
    private @Nullable Position firstDeadLetter;
    private @Nullable Position firstEvent;

    /** Lanes besides that of the first sighting; nearly always none. */
    private Map<Integer, Position> otherLanes = Map.of();

    void add(Position position, boolean deadLetter, boolean later) {
        onlyLater &= later;
        if (deadLetter) {
            deadLetters++;
            firstDeadLetter = earlier(firstDeadLetter, position);
            return;
        }
        events++;
        if (firstEvent == null || firstEvent.lane() == position.lane()) {
            firstEvent = earlier(firstEvent, position);
            return;
        }
        if (otherLanes.isEmpty()) {
            otherLanes = new TreeMap<>();
        }
        otherLanes.merge(position.lane(), position, Sightings::earlier);
    }

    long events() {
        return events;
    }

    long deadLetters() {
        return deadLetters;
    }

    long total() {
        return events + deadLetters;
    }

    boolean onlyLater() {
        return onlyLater;
    }

    /** Where a person may look: in an event topic, else in the dead-letter topic; null when never seen. */
    @Nullable
    Position first() {
        return firstEvent != null ? firstEvent : firstDeadLetter;
    }

    /** The first sighting in each lane of the event topics. */
    List<Position> firstInEachLane() {
        if (firstEvent == null) {
            return List.of();
        }
        List<Position> positions = new ArrayList<>(otherLanes.values());
        positions.add(firstEvent);
        return positions;
    }

    private static Position earlier(@Nullable Position one, Position other) {
        return one == null || other.compareTo(one) < 0 ? other : one;
    }
}
