package io.outboxcdc.monitor.core;

/**
 * Why a task failed.
 *
 * @param cause the root cause in words that may be shown
 * @param mendable whether starting the task again can help
 */
public record TaskFailure(String cause, boolean mendable) {}
