package io.outboxcdc.router;

/** Where the router counts what it does. Implementations are thread-safe and quick: each record comes by. */
interface Counts {

    void published();

    void deadLetter(DeadLetterReason reason);

    void dropped(DropRule rule);

    /** Headers of one row that were left out, since their names are empty, reserved or taken. */
    void headerCollisions(int headers);

    /** A trace that breaks the rules of W3C Trace Context and does not travel on. */
    void invalidTrace();

    /** A time column that Kafka would refuse, replaced by the time of the change. */
    void replacedTime();
}
