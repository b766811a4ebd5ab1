package io.outboxcdc.monitor.core;

/**
 * A slot's state.
 *
 * @param cause what was found, in words for a person
 * @param next what to do; empty when nothing need be done
 */
public record StateFinding(SlotState state, String cause, String next) {}
