package io.outboxcdc.monitor.read;

/**
 * The statements, for PostgreSQL 14 to 18. A role with {@code pg_monitor} may run all of them; none takes a lock that a
 * writer could wait for.
 */
final class ServerSql {

    static final int LEAST_VERSION = 14;
    private static final int DECODER_FILES_SINCE = 15;
    private static final int COLUMN_LISTS_SINCE = 15;
    private static final int CONFLICTING_SINCE = 16;
    private static final int FAILOVER_SINCE = 17;

    /** The ends of the WAL; on a standby what has been replayed. */
    private static final String HEADS = """
            SELECT pg_is_in_recovery() AS in_recovery,
                CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END AS head,
                CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END AS flushed
            """;

    static final String HEAD = "SELECT h.head::text FROM (" + HEADS + ") h";

    static final String SERVER = """
            SELECT h.in_recovery, h.head::text AS head, h.flushed::text AS flushed,
                (SELECT system_identifier::text FROM pg_control_system()) AS system_identifier,
                current_setting('wal_level') AS wal_level,
                (SELECT setting::bigint * 1024 * 1024 FROM pg_settings WHERE name = 'max_slot_wal_keep_size')
                    AS max_slot_wal_keep_bytes,
                (SELECT setting::bigint FROM pg_settings WHERE name = 'wal_sender_timeout') AS wal_sender_timeout_ms,
                (SELECT setting::bigint FROM pg_settings WHERE name = 'idle_replication_slot_timeout')
                    AS idle_slot_timeout_s,
                (SELECT setting::bigint FROM pg_settings WHERE name = 'wal_segment_size') AS wal_segment_bytes,
                coalesce(current_setting('synchronized_standby_slots', true), '') AS standby_slots,
                current_setting('max_replication_slots')::int AS max_slots,
                (SELECT count(*) FROM pg_replication_slots) AS used_slots,
                current_setting('max_wal_senders')::int AS max_wal_senders,
                (SELECT count(*) FROM pg_stat_replication) AS used_wal_senders
            FROM (""" + HEADS + ") h";

    static final String WAL = """
            SELECT (SELECT coalesce(sum(size), 0) FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$') AS bytes,
                (SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready') AS ready,
                (SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
                    FROM pg_stat_archiver) AS archiver_failing
            """;

    static final String WRITERS = """
            SELECT false AS prepared, pid::text AS id, age(backend_xid) AS xid_age,
                extract(epoch FROM clock_timestamp() - xact_start) AS seconds,
                nullif(application_name, '') AS application
            FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
            UNION ALL
            SELECT true, gid, age(transaction), extract(epoch FROM clock_timestamp() - prepared), NULL
            FROM pg_prepared_xacts
            ORDER BY xid_age DESC LIMIT 5
            """;

    /** By the statistics' estimate of live rows; the size of a table that somebody has locked is waited for briefly. */
    static final String OUTBOX = """
            WITH tables AS (
                SELECT c.oid, c.relname, c.relkind, pg_get_expr(c.relpartbound, c.oid) AS bounds
                FROM pg_partition_tree(to_regclass(?)) t JOIN pg_class c ON c.oid = t.relid
                UNION
                SELECT c.oid, c.relname, c.relkind, NULL FROM pg_class c WHERE c.oid = to_regclass(?))
            SELECT t.relname AS name, t.bounds, coalesce(s.n_live_tup, 0) AS rows,
                CASE WHEN t.relkind = 'p' THEN 0 ELSE coalesce(pg_total_relation_size(t.oid), 0) END AS bytes
            FROM tables t LEFT JOIN pg_stat_all_tables s ON s.relid = t.oid
            ORDER BY t.bounds NULLS FIRST, t.relname
            """;

    /**
     * How long rows find a partition: until the first moment from now on that none covers. Known for a table that is
     * partitioned by range of one timestamptz column; no row for others, and with a DEFAULT partition.
     */
    static final String PARTITIONS_AHEAD = """
            WITH root AS MATERIALIZED (
                SELECT p.partrelid FROM pg_partitioned_table p
                JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
                WHERE p.partrelid = to_regclass(?) AND p.partstrat = 'r' AND p.partnatts = 1 AND p.partdefid = 0
                    AND a.atttypid = 'timestamptz'::regtype),
            bounds AS MATERIALIZED (
                SELECT pg_get_expr(c.relpartbound, c.oid) AS bound
                FROM root JOIN pg_inherits i ON i.inhparent = root.partrelid AND NOT i.inhdetachpending
                JOIN pg_class c ON c.oid = i.inhrelid),
            parts AS MATERIALIZED (
                SELECT coalesce(substring(bound FROM $re$FROM \\('([^']+)'$re$)::timestamptz, '-infinity') AS lower,
                    coalesce(substring(bound FROM $re$TO \\('([^']+)'$re$)::timestamptz, 'infinity') AS upper
                FROM bounds),
            covered AS (
                SELECT min(p.upper) AS until FROM parts p
                WHERE p.upper > now() AND NOT EXISTS (SELECT FROM parts q WHERE q.lower <= p.upper AND q.upper > p.upper))
            SELECT CASE
                WHEN NOT EXISTS (SELECT FROM parts WHERE lower <= now() AND upper > now()) THEN 0
                WHEN until = 'infinity' THEN 'Infinity'::float8
                ELSE extract(epoch FROM until - now()) END AS ahead
            FROM root CROSS JOIN covered
            """;

    static final String MAY_READ_UPKEEP =
            "SELECT coalesce(has_table_privilege(to_regclass('public.outbox_upkeep'), 'SELECT'), false)";

    /** Only where the upkeep of {@code sql/} was applied. */
    static final String MAKE_AHEAD = "SELECT extract(epoch FROM make_ahead) FROM public.outbox_upkeep";

    /** In a transaction: its commit writes the message to disk, from where the slot reads it at once. */
    static final String HEARTBEAT = "SELECT pg_logical_emit_message(true, 'heartbeat', '')";

    /** On a standby: the slots that it could go on with. PostgreSQL 17 and newer. */
    static final String READY_COPIES = """
            SELECT slot_name FROM pg_replication_slots
            WHERE pg_is_in_recovery() AND synced AND NOT temporary AND invalidation_reason IS NULL
            """;

    private ServerSql() {}

    /** All slots; the monitor looks for the expected ones, and for whatever else holds WAL. */
    static String slots(int version) {
        return """
                SELECT s.slot_name, s.slot_type, coalesce(s.database, '') AS database,
                    s.active, coalesce(s.wal_status, '') AS wal_status, s.restart_lsn::text AS restart,
                    s.confirmed_flush_lsn::text AS confirmed, s.safe_wal_size,
                    coalesce(age(s.catalog_xmin), 0) AS catalog_xmin_age, s.active_pid,
                    coalesce(host(r.client_addr), 'this machine') AS client,
                    extract(epoch FROM clock_timestamp() - r.reply_time) AS reply_age,
                    CASE WHEN pg_is_in_recovery() THEN 0
                        ELSE coalesce(greatest(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), r.sent_lsn), 0), 0) END
                        AS unsent,
                    a.wait_event, d.spill_bytes,
                    %s AS spilled_on_disk, %s AS conflicting, %s AS invalidation_reason, %s AS failover
                FROM pg_replication_slots s
                LEFT JOIN pg_stat_replication r ON r.pid = s.active_pid
                LEFT JOIN pg_stat_activity a ON a.pid = s.active_pid
                LEFT JOIN pg_stat_replication_slots d ON d.slot_name = s.slot_name
                """.formatted(
                        version >= DECODER_FILES_SINCE
                                ? "CASE WHEN s.slot_type = 'logical' THEN (SELECT coalesce(sum(size), 0)"
                                        + " FROM pg_ls_replslotdir(s.slot_name) WHERE name LIKE 'xid-%') END"
                                : "NULL::bigint",
                        version >= CONFLICTING_SINCE ? "coalesce(s.conflicting, false)" : "false",
                        version >= FAILOVER_SINCE ? "s.invalidation_reason" : "NULL::text",
                        version >= FAILOVER_SINCE ? "s.failover" : "false");
    }

    /** One publication and the table that it should publish. */
    static String publication(int version) {
        boolean lists = version >= COLUMN_LISTS_SINCE;
        return """
                SELECT c.oid IS NOT NULL AS table_exists, coalesce(c.relkind = 'p', false) AS partitioned,
                    coalesce(c.relpersistence = 'p', true) AS logged, p.oid AS publication,
                    coalesce(p.pubinsert, false) AS inserts, coalesce(p.pubviaroot, false) AS via_root,
                    coalesce(p.puballtables OR r.oid IS NOT NULL %s, false) AS covered,
                    %s AS unpublished
                FROM (SELECT to_regclass(?) AS oid) w
                LEFT JOIN pg_class c ON c.oid = w.oid
                LEFT JOIN pg_publication p ON p.pubname = ?
                LEFT JOIN pg_publication_rel r ON r.prpubid = p.oid AND r.prrelid = c.oid
                """.formatted(
                        lists
                                ? "OR EXISTS (SELECT FROM pg_publication_namespace n"
                                        + " WHERE n.pnpubid = p.oid AND n.pnnspid = c.relnamespace)"
                                : "",
                        lists
                                ? "(SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a"
                                        + " WHERE a.attrelid = c.oid AND r.prattrs IS NOT NULL AND a.attnum <> ALL (r.prattrs)"
                                        + " AND a.attname IN ('id', 'aggregate_type', 'aggregatetype', 'aggregate_id',"
                                        + " 'aggregateid', 'payload', 'event_type', 'type', 'headers'))"
                                : "NULL::text[]");
    }
}
