package io.outboxcdc.client.inbox;

/**
 * What a consumer has done since it was made.
 *
 * @param handled messages whose effect was committed
 * @param repeats messages that were left out, since their effect was there
 * @param stored messages that were put into {@code inbox_message}, to wait
 * @param failures attempts that ended with an exception of the handler
 * @param deadLetters messages that were given up and sent to the dead-letter topic
 * @param databaseTroubles times when the database did not answer and work was begun anew
 * @param withoutId messages without a usable header {@code id}, known by their place in the topic
 */
public record InboxCounts(
        long handled,
        long repeats,
        long stored,
        long failures,
        long deadLetters,
        long databaseTroubles,
        long withoutId) {}
