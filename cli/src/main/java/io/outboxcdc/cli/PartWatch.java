package io.outboxcdc.cli;

import io.outboxcdc.stack.StackException;
import io.outboxcdc.stack.StackProcess;

import java.io.PrintWriter;
import java.util.Map;

/**
 * Starts the parts of a pipeline again that have ended, as a service manager would, so that whoever kills some sees the
 * pipeline recover. Used by one thread.
 */
final class PartWatch {

    private final Map<String, StackProcess> parts;
    private final PrintWriter out;
    private final PrintWriter err;

    /** @param parts by the name under which a part's process id is printed; each before those that need it */
    PartWatch(Map<String, StackProcess> parts, PrintWriter out, PrintWriter err) {
        this.parts = parts;
        this.out = out;
        this.err = err;
    }

    /**
     * Starts what has ended. A part that does not come up while one that it needs has ended as well has its next chance with
     * the next look.
     *
     * @throws StackException if a part does not come up though those before it run
     */
    void look() {
        parts.forEach(this::startAgainIfEnded);
    }

    private void startAgainIfEnded(String name, StackProcess part) {
        if (part.isAlive()) {
            return;
        }
        err.println(part.name() + ", process " + part.pid() + ", has ended and is started again.");
        err.flush();
        try {
            part.start();
        } catch (StackException e) {
            if (allBeforeRun(part)) {
                throw e;
            }
            // It may still wait for what it needs; the next one has a process that is printed.
            part.kill();
            err.println(part.name() + " did not come up, since a part that it needs has ended too.");
            err.flush();
            return;
        }
        out.println(name + "=" + part.pid());
        out.flush();
    }

    private boolean allBeforeRun(StackProcess part) {
        return parts.values().stream().takeWhile(before -> before != part).allMatch(StackProcess::isAlive);
    }
}
