package io.outboxcdc.monitor.core;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.postgresql.replication.LogSequenceNumber;

import static org.assertj.core.api.Assertions.assertThat;

class LsnTest {

    /** The driver's own reading as the oracle. */
    @Property
    void itsTextIsPostgresqls(@ForAll @LongRange(min = 0) long position) {
        Lsn lsn = new Lsn(position);

        assertThat(lsn.toString()).isEqualTo(LogSequenceNumber.valueOf(position).asString());
        assertThat(Lsn.parse(lsn.toString())).isEqualTo(lsn);
    }

    @Example
    void sizesAndDurationsReadWell() {
        assertThat(Words.bytes(0)).isEqualTo("0 bytes");
        assertThat(Words.bytes(1536 * 1024)).isEqualTo("1.5 MB");
        assertThat(Words.duration(119)).isEqualTo("119 s");
        assertThat(Words.duration(3725)).isEqualTo("62 min 5 s");
        assertThat(Words.duration(86_400)).isEqualTo("24 h");
        assertThat(Words.duration(200_000)).isEqualTo("2 days 7 h");
    }
}
