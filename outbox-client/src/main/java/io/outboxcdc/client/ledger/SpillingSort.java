package io.outboxcdc.client.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.UUID;

/**
 * Sorts more than memory holds: sorted runs in one file, merged while they are read. The memory that it takes is that of
 * one run and of the merge's buffers, whatever the data are like; hash partitions would be as large as the busiest
 * aggregate.
 *
 * <p>The file has no name from the moment it is open (on POSIX systems), so that it ends with the process, even by
 * SIGKILL. Not thread-safe; throws {@link UncheckedIOException} when the folder cannot take it.
 */
final class SpillingSort<T> implements AutoCloseable {

    private static final int MERGE_BYTES = 8 << 20;
    private static final int MOST_BUFFER_BYTES = 64 << 10;
    private static final int LEAST_BUFFER_BYTES = 4 << 10;

    private record Run(long begin, long end) {}

    private final RecordForm<T> form;
    private final Comparator<T> order;
    private final Path folder;
    private final int inMemory;
    private final List<Run> runs = new ArrayList<>();
    private final FileChannel file;
    private List<T> current = new ArrayList<>();

    /**
     * An empty sort.
     *
     * @param inMemory items of one run
     */
    SpillingSort(RecordForm<T> form, Comparator<T> order, Path folder, int inMemory) {
        this.form = form;
        this.order = order;
        this.folder = folder;
        this.inMemory = inMemory;
        try {
            file = FileChannel.open(
                    folder.resolve("outbox-ledger-" + UUID.randomUUID()),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    void add(T item) {
        current.add(item);
        if (current.size() == inMemory) {
            spill();
        }
    }

    /** All items so far in order; may be asked for again, but not while an earlier answer is still being read. */
    Iterator<T> sorted() {
        if (runs.isEmpty()) {
            current.sort(order);
            return current.iterator();
        }
        spill();
        int buffer = Math.max(LEAST_BUFFER_BYTES, Math.min(MOST_BUFFER_BYTES, MERGE_BYTES / runs.size()));
        PriorityQueue<Cursor> heads = new PriorityQueue<>(runs.size(), (a, b) -> order.compare(a.head, b.head));
        runs.forEach(run -> heads.add(new Cursor(run, buffer)));
        return new Merge(heads);
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private void spill() {
        if (current.isEmpty()) {
            return;
        }
        current.sort(order);
        try {
            long begin = file.size();
            ByteBuffer buffer = ByteBuffer.allocate(MOST_BUFFER_BYTES / form.bytes() * form.bytes());
            for (T item : current) {
                form.write(item, buffer);
                if (!buffer.hasRemaining()) {
                    append(buffer);
                }
            }
            append(buffer);
            runs.add(new Run(begin, file.size()));
        } catch (IOException e) {
            throw failure(e);
        }
        current = new ArrayList<>();
    }

    private void append(ByteBuffer buffer) throws IOException {
        buffer.flip();
        long at = file.size();
        while (buffer.hasRemaining()) {
            at += file.write(buffer, at);
        }
        buffer.clear();
    }

    private UncheckedIOException failure(IOException e) {
        return new UncheckedIOException(
                "The folder " + folder + " cannot take what is to be sorted: " + e.getMessage(), e);
    }

    private final class Merge implements Iterator<T> {
        private final PriorityQueue<Cursor> heads;

        Merge(PriorityQueue<Cursor> heads) {
            this.heads = heads;
        }

        @Override
        public boolean hasNext() {
            return !heads.isEmpty();
        }

        @Override
        public T next() {
            Cursor first = heads.poll();
            if (first == null) {
                throw new NoSuchElementException();
            }
            T item = first.head;
            if (first.advance()) {
                heads.add(first);
            }
            return item;
        }
    }

    /** The place in one run that the merge has reached. */
    private final class Cursor {
        private final ByteBuffer buffer;
        private final long end;
        private long next;
        private T head;

        Cursor(Run run, int bytes) {
            buffer = ByteBuffer.allocate(bytes / form.bytes() * form.bytes()).limit(0);
            next = run.begin;
            end = run.end;
            fill();
            head = form.read(buffer);
        }

        boolean advance() {
            if (!buffer.hasRemaining() && next == end) {
                return false;
            }
            fill();
            head = form.read(buffer);
            return true;
        }

        private void fill() {
            if (buffer.hasRemaining()) {
                return;
            }
            buffer.clear().limit((int) Math.min(buffer.capacity(), end - next));
            try {
                while (buffer.hasRemaining()) {
                    int read = file.read(buffer, next);
                    if (read < 0) {
                        throw new IOException("the file is shorter than what was written");
                    }
                    next += read;
                }
            } catch (IOException e) {
                throw failure(e);
            }
            buffer.flip();
        }
    }
}
