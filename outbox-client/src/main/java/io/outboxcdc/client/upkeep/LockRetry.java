package io.outboxcdc.client.upkeep;

import java.sql.SQLException;

/** Tries again what gave up waiting for a lock, so that nobody has to wait long behind it. */
final class LockRetry {

    /** PostgreSQL's {@code lock_not_available}: {@code lock_timeout} has passed, or another upkeep runs. */
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private static final int ATTEMPTS = 10;
    private static final long PAUSE_MILLIS = 100;

    /** One transaction, which leaves no lock behind when it fails. */
    interface Attempt<T> {
        T run() throws SQLException;
    }

    private LockRetry() {}

    /** With growing pauses, which let the writers through that queued behind the lock. */
    static <T> T untilItHasTheLock(Attempt<T> attempt) throws SQLException, InterruptedException {
        for (int made = 1; ; made++) {
            try {
                return attempt.run();
            } catch (SQLException e) {
                if (!isLockFailure(e) || made == ATTEMPTS) {
                    throw e;
                }
            }
            Thread.sleep(PAUSE_MILLIS * made);
        }
    }

    static boolean isLockFailure(SQLException failure) {
        return LOCK_NOT_AVAILABLE.equals(failure.getSQLState());
    }
}
