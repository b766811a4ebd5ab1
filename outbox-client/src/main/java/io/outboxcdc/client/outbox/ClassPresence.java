package io.outboxcdc.client.outbox;

/** Whether an optional dependency is there. */
final class ClassPresence {

    private ClassPresence() {}

    static boolean of(String className) {
        try {
            Class.forName(className, false, ClassPresence.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
