package io.outboxcdc.cli.demo;

import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.LocalTime;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

class LiveTableTest {

    @Test
    void eventsAndDeadLettersStandUnderOneHead() {
        StringWriter text = new StringWriter();
        LiveTable table = new LiveTable(new PrintWriter(text));
        UUID id = UUID.fromString("00000000-0000-0000-0000-000000000001");

        table.print(
                LocalTime.of(9, 5, 1, 7_000_000),
                new ArrivedEvent(
                        "outbox.event.order",
                        2,
                        Optional.of(id),
                        Optional.of("O1"),
                        Optional.of("OrderPlaced"),
                        Optional.empty(),
                        0),
                OptionalLong.of(12));
        table.print(
                LocalTime.of(9, 5, 2),
                new ArrivedEvent(
                        "outbox.dead-letter",
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("KEY_MISSING"),
                        0),
                OptionalLong.empty());

        assertThat(text.toString()).isEqualToNormalizingNewlines("""
                        time          topic                  part  key         type                    id                                       ms
                        09:05:01.007  outbox.event.order        2  O1          OrderPlaced             00000000-0000-0000-0000-000000000001     12
                        09:05:02.000  outbox.dead-letter        0  -           KEY_MISSING             -                                         -
                        """);
    }
}
