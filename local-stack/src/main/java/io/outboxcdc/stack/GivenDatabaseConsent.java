package io.outboxcdc.stack;

/**
 * What may be done to a database that was there before the stack. An embedded database is the stack's own and needs none
 * of this.
 *
 * @param applySql the scripts of {@code sql/} may be applied; without, they must have been applied before
 * @param takeSlot the events that wait in a slot that is there already may be delivered to the stack's Kafka, which goes
 *     when the stack goes: no other connector will see them
 */
public record GivenDatabaseConsent(boolean applySql, boolean takeSlot) {

    /** Nothing is made and nothing is taken. */
    public static final GivenDatabaseConsent NONE = new GivenDatabaseConsent(false, false);
}
