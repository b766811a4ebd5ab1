package io.outboxcdc.monitor.core;

import io.outboxcdc.monitor.core.ExpectedSlot.ConnectorRef;
import io.outboxcdc.monitor.core.ServerFacts.OpenWriter;
import io.outboxcdc.monitor.core.ServerFacts.Settings;
import io.outboxcdc.monitor.core.ServerFacts.StandbySlot;
import io.outboxcdc.monitor.core.ServerFacts.Wal;
import io.outboxcdc.monitor.core.SlotFacts.Walsender;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A healthy sample, in which a test makes one thing wrong. */
final class SampleBuilder {

    static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    static final long MB = 1024 * 1024;
    static final ExpectedSlot EXPECTED = new ExpectedSlot(
            "shop", "outbox", "outbox", "public.outbox", Optional.of(new ConnectorRef("main", "outbox")), false);

    private long head = 1000 * MB;
    private boolean slotThere = true;
    private boolean active = true;
    private String walStatus = "reserved";
    private Optional<String> invalidation = Optional.empty();
    private boolean failover;
    private long confirmedBehind;
    private long restartBehind;
    private OptionalLong safeWalSize = OptionalLong.empty();
    private double replyAge = 1;
    private long unsent;
    private long timeoutMillis = 60_000;
    private final List<StandbySlot> standbys = new ArrayList<>();
    private final List<OpenWriter> writers = new ArrayList<>();
    private Optional<Long> publicationOid = Optional.of(7L);
    private boolean partitioned;
    private boolean viaRoot = true;
    private boolean covered = true;
    private String connectorState = "RUNNING";
    private String taskState = "RUNNING";
    private Optional<TaskFailure> failure = Optional.empty();
    private boolean connectorThere = true;
    private Optional<String> connectDown = Optional.empty();
    private Map<String, String> config = Map.of("heartbeat.action.query", "SELECT 1");
    private OptionalLong offsetAgainstHead = OptionalLong.of(0);
    private Optional<String> serverChange = Optional.empty();
    private Duration standstill = Duration.ZERO;
    private int standbyWaits;
    private int writeWaits;
    private Optional<Lsn> madeAnew = Optional.empty();
    private TimeLag lag = new TimeLag(0, false);
    private OptionalLong diskFree = OptionalLong.empty();
    private long walBytes = 64 * MB;

    static SampleBuilder healthy() {
        return new SampleBuilder();
    }

    SampleBuilder slotMissing() {
        slotThere = false;
        return this;
    }

    SampleBuilder inactive() {
        active = false;
        return this;
    }

    SampleBuilder walStatus(String status) {
        walStatus = status;
        return this;
    }

    SampleBuilder invalidated(String reason) {
        invalidation = Optional.of(reason);
        return this;
    }

    SampleBuilder failover() {
        failover = true;
        return this;
    }

    SampleBuilder unconfirmed(long bytes) {
        confirmedBehind = bytes;
        restartBehind = Math.max(restartBehind, bytes);
        offsetAgainstHead = OptionalLong.of(-bytes);
        return this;
    }

    SampleBuilder retained(long bytes) {
        restartBehind = bytes;
        return this;
    }

    SampleBuilder safeWalSize(long bytes) {
        safeWalSize = OptionalLong.of(bytes);
        return this;
    }

    SampleBuilder replyAge(double seconds) {
        replyAge = seconds;
        return this;
    }

    SampleBuilder walSenderTimeout(long millis) {
        timeoutMillis = millis;
        return this;
    }

    SampleBuilder unsent(long bytes) {
        unsent = bytes;
        return this;
    }

    SampleBuilder standby(String name, boolean present, boolean reads) {
        standbys.add(new StandbySlot(name, present, reads));
        return this;
    }

    SampleBuilder writer(double seconds) {
        writers.add(new OpenWriter(false, "4711", seconds, Optional.of("billing")));
        return this;
    }

    SampleBuilder publicationMissing() {
        publicationOid = Optional.empty();
        return this;
    }

    SampleBuilder publicationWithoutTable() {
        covered = false;
        return this;
    }

    SampleBuilder partitionedWithoutRoot() {
        partitioned = true;
        viaRoot = false;
        return this;
    }

    SampleBuilder viaRootOff() {
        viaRoot = false;
        return this;
    }

    SampleBuilder publicationMadeAnew(long position) {
        madeAnew = Optional.of(new Lsn(position));
        return this;
    }

    SampleBuilder connector(String state, String task) {
        connectorState = state;
        taskState = task;
        return this;
    }

    SampleBuilder taskFailure(String cause) {
        taskState = "FAILED";
        failure = Optional.of(new TaskFailure(cause, true));
        return this;
    }

    SampleBuilder noConnector() {
        connectorThere = false;
        return this;
    }

    SampleBuilder connectDown(String reason) {
        connectDown = Optional.of(reason);
        return this;
    }

    SampleBuilder config(Map<String, String> settings) {
        config = settings;
        return this;
    }

    SampleBuilder offsetAgainstHead(long bytes) {
        offsetAgainstHead = OptionalLong.of(bytes);
        return this;
    }

    SampleBuilder noOffset() {
        offsetAgainstHead = OptionalLong.empty();
        return this;
    }

    SampleBuilder serverChange(String what) {
        serverChange = Optional.of(what);
        return this;
    }

    SampleBuilder standstill(Duration duration) {
        standstill = duration;
        return this;
    }

    SampleBuilder standbyWaits(int samples) {
        standbyWaits = samples;
        return this;
    }

    SampleBuilder writeWaits(int samples) {
        writeWaits = samples;
        return this;
    }

    SampleBuilder lag(double seconds) {
        lag = new TimeLag(seconds, false);
        return this;
    }

    SampleBuilder disk(long free, long wal) {
        diskFree = OptionalLong.of(free);
        walBytes = wal;
        return this;
    }

    SlotFacts slot() {
        return new SlotFacts(
                "outbox",
                "shop",
                active,
                walStatus,
                Optional.of(new Lsn(head - restartBehind)),
                Optional.of(new Lsn(head - confirmedBehind)),
                safeWalSize,
                10,
                invalidation,
                false,
                failover,
                active
                        ? Optional.of(new Walsender("10.0.0.1", OptionalDouble.of(replyAge), unsent, Optional.empty()))
                        : Optional.empty(),
                Optional.empty());
    }

    ServerFacts server() {
        return new ServerFacts(
                17,
                "7000",
                false,
                new Lsn(head),
                new Lsn(head),
                new Settings("logical", OptionalLong.empty(), timeoutMillis, 0, 16 * MB, 10, 1, 10, 1),
                new Wal(walBytes, 0, false, diskFree, OptionalLong.empty()),
                slotThere ? Map.of("outbox", slot()) : Map.of(),
                List.of(new ServerFacts.Holder("outbox", "logical", active, slot().retainedBytes(new Lsn(head)))),
                writers,
                standbys,
                List.of(),
                Map.of(
                        "outbox",
                        new PublicationFacts(
                                "outbox",
                                "public.outbox",
                                publicationOid,
                                true,
                                partitioned,
                                true,
                                covered,
                                true,
                                viaRoot,
                                List.of())),
                Map.of());
    }

    private Reading<Optional<ConnectorFacts>> connectorReading() {
        if (connectDown.isPresent()) {
            return Reading.unknown(connectDown.get());
        }
        if (!connectorThere) {
            return Reading.known(Optional.empty());
        }
        Optional<StoredOffset> offset = offsetAgainstHead.isEmpty()
                ? Optional.empty()
                : Optional.of(new StoredOffset(
                        Optional.of(new Lsn(head + offsetAgainstHead.getAsLong())),
                        Optional.empty(),
                        Optional.empty()));
        return Reading.known(Optional.of(new ConnectorFacts(
                "outbox",
                connectorState,
                List.of(new ConnectorFacts.Task(0, taskState, failure)),
                config,
                Reading.known(offset))));
    }

    Observation build() {
        SlotMemory memory = new SlotMemory(
                true,
                Optional.of(NOW),
                Optional.empty(),
                Optional.empty(),
                NOW.minus(standstill),
                publicationOid,
                madeAnew,
                standbyWaits,
                writeWaits);
        return observation(Reading.known(server()), memory);
    }

    Observation unreadable(String reason) {
        return observation(Reading.unknown(reason), SlotMemory.begin(NOW));
    }

    private Observation observation(Reading<ServerFacts> server, SlotMemory memory) {
        return new Observation(
                NOW,
                EXPECTED,
                server,
                Optional.of(connectorReading()),
                Optional.of(new Lsn(head)),
                Optional.empty(),
                serverChange,
                lag,
                memory);
    }
}
