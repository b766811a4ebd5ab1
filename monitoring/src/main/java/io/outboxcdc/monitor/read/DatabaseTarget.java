package io.outboxcdc.monitor.read;

import io.outboxcdc.monitor.core.ExpectedSlot;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A database to read.
 *
 * @param name as the configuration calls it
 * @param password never shown; empty when there is none
 * @param slots what is expected in it
 * @param walPath a folder on the WAL's volume, when that is on this machine
 * @param walVolumeBytes the size of the WAL's volume, when it is known and nothing else lies on it
 * @param systemIdentifier the server that it has to be; empty for the one that was seen first
 * @param standbyUrls the standbys that have to keep copies of slots; entered with the same login
 */
public record DatabaseTarget(
        String name,
        String jdbcUrl,
        String user,
        String password,
        List<ExpectedSlot> slots,
        Optional<Path> walPath,
        OptionalLong walVolumeBytes,
        Optional<String> systemIdentifier,
        List<String> standbyUrls) {

    @Override
    public String toString() {
        return "database " + name + " as " + user;
    }
}
