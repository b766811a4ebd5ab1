package io.outboxcdc.stack;

import com.sun.security.auth.module.UnixSystem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** As whom PostgreSQL's programs run, since they refuse to run as root. */
enum PostgresAccount {

    /** As the user of this JVM. */
    SAME(""),

    /** As a nobody inside a new user namespace; on the files it is root still. */
    NAMESPACE("unshare -U"),

    /** As the user nobody, where namespaces are forbidden, as in most containers. */
    NOBODY("setpriv --reuid=65534 --regid=65534 --clear-groups");

    private static final int NOBODY_ID = 65_534;

    private final String prefix;

    PostgresAccount(String prefix) {
        this.prefix = prefix;
    }

    /** The one that works here. */
    static PostgresAccount find() {
        if (new UnixSystem().getUid() != 0) {
            return SAME;
        }
        if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux")) {
            throw new StackException("PostgreSQL refuses to run as root. Start as an ordinary user.");
        }
        if (NAMESPACE.works()) {
            return NAMESPACE;
        }
        if (NOBODY.works()) {
            return NOBODY;
        }
        throw new StackException("PostgreSQL refuses to run as root, and neither 'unshare -U' nor 'setpriv' works here."
                + " Start as an ordinary user, or give a PostgreSQL that runs.");
    }

    private boolean works() {
        try {
            return new ProcessBuilder(running(List.of("sh", "-c", "[ \"$(id -u)\" -ne 0 ]")))
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .onExit()
                            .join()
                            .exitValue()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** The command that runs {@code command} as this account. */
    List<String> running(List<String> command) {
        List<String> whole = new ArrayList<>();
        if (!prefix.isEmpty()) {
            whole.addAll(List.of(prefix.split(" ", -1)));
        }
        whole.addAll(command);
        return whole;
    }

    /** Whether folders that only root can enter are closed to it. */
    boolean isStranger() {
        return this == NOBODY;
    }

    /** Makes a new folder that only the account may enter; the folder around it becomes passable for it. */
    void createOwnFolder(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        if (isStranger()) {
            Files.setAttribute(folder, "unix:uid", NOBODY_ID);
            Files.setPosixFilePermissions(folder.getParent(), PosixFilePermissions.fromString("rwx--x--x"));
        }
    }
}
