package io.outboxcdc.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The PostgreSQL programs, and the account that they run as. */
record PostgresPrograms(PostgresBinaries binaries, PostgresAccount account) {

    /** Finds an account that works, and unpacks the programs to where it can reach them. */
    static PostgresPrograms find(Path cache, Path ownCopy) {
        PostgresAccount account = PostgresAccount.find();
        // The cache may lie beneath a folder that only root can enter, such as its home.
        return new PostgresPrograms(
                PostgresBinaries.unpacked(account.isStranger() ? ownCopy : cache, ownCopy), account);
    }

    List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(binaries.program(program));
        command.addAll(List.of(arguments));
        return account.running(command);
    }
}
