package io.outboxcdc.client.inbox;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often and when a message is tried that its handler has thrown at. Meanwhile the later messages of its key wait behind
 * it, and other keys flow.
 *
 * @param firstDelay before the second attempt; doubled before each further one, and up to a quarter more at random
 * @param maxDelay the longest delay
 * @param maxAttempts after how many attempts it is over; empty: never
 * @param deadLetterTopic where a message goes when it is over, and its key goes on without it; empty: it is parked, and its
 *     key waits for a person
 */
public record RetryPolicy(
        Duration firstDelay, Duration maxDelay, OptionalInt maxAttempts, Optional<String> deadLetterTopic) {

    private static final RetryPolicy FOREVER =
            new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(5), OptionalInt.empty(), Optional.empty());

    private static final int MOST_DOUBLINGS = 30;

    public RetryPolicy {
        if (firstDelay.toMillis() <= 0 || maxDelay.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException("The delays are " + firstDelay + " and " + maxDelay
                    + ". The first must be a millisecond or more, the longest not shorter than it.");
        }
        if (maxAttempts.isPresent() && maxAttempts.getAsInt() < 1) {
            throw new IllegalArgumentException(
                    "There are " + maxAttempts.getAsInt() + " attempts; there must be one at least.");
        }
        if (deadLetterTopic.isPresent() && maxAttempts.isEmpty()) {
            throw new IllegalArgumentException("A dead-letter topic is given, and attempts never end. Say how many.");
        }
    }

    /** One attempt after another, from a second to five minutes apart, without end: the order of a key is never given up. */
    public static RetryPolicy forever() {
        return FOREVER;
    }

    /** A copy with these delays. */
    public RetryPolicy withDelays(Duration first, Duration longest) {
        return new RetryPolicy(first, longest, maxAttempts, deadLetterTopic);
    }

    /** A copy that parks a message after so many attempts; its key waits until a person decides. */
    public RetryPolicy parkAfter(int attempts) {
        return new RetryPolicy(firstDelay, maxDelay, OptionalInt.of(attempts), Optional.empty());
    }

    /** A copy that sends a message to a dead-letter topic after so many attempts; its key goes on, out of order. */
    public RetryPolicy deadLetterAfter(int attempts, String topic) {
        return new RetryPolicy(firstDelay, maxDelay, OptionalInt.of(attempts), Optional.of(topic));
    }

    private boolean isOver(int attempts) {
        return maxAttempts.isPresent() && attempts >= maxAttempts.getAsInt();
    }

    /** Whether a message goes to the dead-letter topic in place of another attempt. */
    boolean gives(int attempts) {
        return isOver(attempts) && deadLetterTopic.isPresent();
    }

    /** Whether a message waits for a person from now on. */
    boolean parks(int attempts) {
        return isOver(attempts) && deadLetterTopic.isEmpty();
    }

    /** At random, so that what failed together does not come back together. A dead letter has nothing to wait for. */
    long delayMillis(int attempts) {
        if (attempts == 0 || (maxAttempts.isPresent() && attempts == maxAttempts.getAsInt())) {
            return 0;
        }
        int doublings = Math.min(attempts - 1, MOST_DOUBLINGS);
        long delay = Math.min(maxDelay.toMillis(), firstDelay.toMillis() << doublings);
        return delay + ThreadLocalRandom.current().nextLong(delay / 4 + 1);
    }
}
