package io.outboxcdc.client.ledger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What would break: a verdict on rows that went astray on the disk. */
class SpillingSortTest {

    @Test
    void itemsOfManyRunsComeBackInOrderAndComeBackAgain(@TempDir Path folder) {
        List<Sighting> items = sightings(20_000);
        try (SpillingSort<Sighting> sort = sort(folder, 7)) {
            items.forEach(sort::add);

            List<Sighting> once = new ArrayList<>();
            sort.sorted().forEachRemaining(once::add);
            List<Sighting> again = new ArrayList<>();
            sort.sorted().forEachRemaining(again::add);

            assertThat(once).isSortedAccordingTo(Sighting.ORDER).containsExactlyInAnyOrderElementsOf(items);
            assertThat(again).isEqualTo(once);
        }
    }

    @Test
    void whatWasSpilledHasNoNameSoThatItEndsWithTheProcess(@TempDir Path folder) throws IOException {
        try (SpillingSort<Sighting> sort = sort(folder, 7);
                Stream<Path> files = Files.list(folder)) {
            sightings(50).forEach(sort::add);

            assertThat(files).isEmpty();
        }
    }

    @Test
    void aFolderThatIsNotThereIsNamed(@TempDir Path folder) {
        Path missing = folder.resolve("missing");

        assertThatThrownBy(() -> sort(missing, 7))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(missing.toString());
    }

    private static SpillingSort<Sighting> sort(Path folder, int inMemory) {
        return new SpillingSort<>(RecordForms.SIGHTING, Sighting.ORDER, folder, inMemory);
    }

    private static List<Sighting> sightings(int count) {
        Random random = new Random(1);
        return Stream.generate(() -> new Sighting(
                        new UUID(random.nextInt(100), random.nextLong()),
                        new Position(random.nextInt(3), random.nextInt(1_000)),
                        random.nextBoolean(),
                        random.nextBoolean()))
                .limit(count)
                .toList();
    }
}
