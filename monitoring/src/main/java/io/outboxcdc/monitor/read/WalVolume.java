package io.outboxcdc.monitor.read;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.OptionalLong;

/**
 * The volume that the WAL lies on, which SQL does not tell. Of a folder on this machine, or of the size that the
 * configuration gives; else not known, and then nothing is invented.
 */
record WalVolume(OptionalLong free, OptionalLong total) {

    private static final WalVolume UNKNOWN = new WalVolume(OptionalLong.empty(), OptionalLong.empty());

    static WalVolume of(DatabaseTarget target, long walBytes) {
        if (target.walPath().isPresent()) {
            try {
                FileStore store = Files.getFileStore(target.walPath().get());
                return new WalVolume(OptionalLong.of(store.getUsableSpace()), OptionalLong.of(store.getTotalSpace()));
            } catch (IOException e) {
                return UNKNOWN;
            }
        }
        if (target.walVolumeBytes().isPresent()) {
            long total = target.walVolumeBytes().getAsLong();
            return new WalVolume(OptionalLong.of(Math.max(0, total - walBytes)), OptionalLong.of(total));
        }
        return UNKNOWN;
    }
}
