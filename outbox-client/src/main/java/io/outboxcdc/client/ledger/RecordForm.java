package io.outboxcdc.client.ledger;

import java.nio.ByteBuffer;

/** How records of one kind are written, all in the same number of bytes. */
interface RecordForm<T> {

    int bytes();

    void write(T item, ByteBuffer to);

    T read(ByteBuffer from);
}
