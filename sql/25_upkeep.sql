-- 25  Upkeep: its settings, when a slot still needs an event, and the retention of a plain outbox.
-- PostgreSQL 14 to 18. May be applied again at any time.
--
-- One rule for both kinds of outbox: an event is removed only when the retention is over *and* every slot in
-- outbox_slot exists, is not lost, and has confirmed past the event. A deleted row would still be decoded, from the WAL;
-- but should the slot be lost, the outbox is the only place from which events can be sent again.
--
--   outbox_upkeep          one row of settings; change them by UPDATE, at any time
--   outbox_retention_mark  state: up to which transaction all slots have confirmed
--   outbox_slots_behind    what keeps the slots from having confirmed a position, in words; NULL when nothing does
--   outbox_delete_old      deletes one batch of old rows from a plain outbox
--
-- They run with the owner's rights and may be called by members of outbox_owner only.
--
-- Settings: outbox.partition_by, as in 20_outbox.sql.

CREATE TABLE IF NOT EXISTS public.outbox_upkeep (
    only_row        boolean  PRIMARY KEY DEFAULT true CHECK (only_row),
    partition_by    text     CHECK (partition_by IN ('day', 'hour')),
    make_ahead      interval NOT NULL DEFAULT '7 days' CHECK (make_ahead >= interval '1 hour'),
    retention       interval NOT NULL DEFAULT '7 days' CHECK (retention >= interval '1 hour'),
    keep_sealed     boolean  NOT NULL DEFAULT false,
    lock_timeout_ms int      NOT NULL DEFAULT 50 CHECK (lock_timeout_ms BETWEEN 1 AND 100),
    batch_rows      int      NOT NULL DEFAULT 5000 CHECK (batch_rows BETWEEN 1 AND 100000)
);

CREATE TABLE IF NOT EXISTS public.outbox_retention_mark (
    only_row         boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    confirmed_before bigint,
    pending_before   bigint,
    pending_lsn      pg_lsn
);

INSERT INTO public.outbox_upkeep (partition_by)
SELECT lower(nullif(nullif(current_setting('outbox.partition_by', true), ''), 'none'))
WHERE NOT EXISTS (SELECT FROM public.outbox_upkeep);

INSERT INTO public.outbox_retention_mark (only_row)
SELECT true WHERE NOT EXISTS (SELECT FROM public.outbox_retention_mark);

COMMENT ON TABLE public.outbox_upkeep IS 'Settings of the upkeep of the outbox: one row.';
COMMENT ON COLUMN public.outbox_upkeep.partition_by IS 'day or hour; NULL: partitions are not ours to make.';
COMMENT ON COLUMN public.outbox_upkeep.make_ahead IS
    'How far ahead partitions are made. Without upkeep for this long, no event can be written.';
COMMENT ON COLUMN public.outbox_upkeep.retention IS
    'How long events stay in the outbox. Longer than the longest time in which a lost slot is noticed and repaired.';
COMMENT ON COLUMN public.outbox_upkeep.keep_sealed IS
    'true: a sealed partition is kept until its archived_at in outbox_partition is set.';
COMMENT ON COLUMN public.outbox_upkeep.lock_timeout_ms IS
    'How long a lock that writers would queue behind is waited for, in milliseconds.';
COMMENT ON COLUMN public.outbox_upkeep.batch_rows IS 'How many rows of a plain outbox one transaction deletes.';
COMMENT ON TABLE public.outbox_retention_mark IS
    'All slots have confirmed every transaction with an id below confirmed_before; once they have confirmed '
    'pending_lsn, also those below pending_before.';

-- One upkeep at a time, from wherever it is run. The session that has the lock may take it again.
CREATE OR REPLACE FUNCTION public.outbox_upkeep_begins() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $begins$
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('outbox upkeep', 0)) THEN
        RAISE EXCEPTION 'another upkeep of the outbox is running'
            USING ERRCODE = 'lock_not_available', HINT = 'Nothing is wrong: let it end.';
    END IF;
    PERFORM set_config('lock_timeout', (SELECT lock_timeout_ms || 'ms' FROM public.outbox_upkeep), true);
END
$begins$;

CREATE OR REPLACE FUNCTION public.outbox_slots_behind(wanted pg_lsn) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $behind$
    SELECT coalesce(
        string_agg(format('slot %s %s', slot_name, problem), '; ' ORDER BY slot_name)
            FILTER (WHERE problem IS NOT NULL),
        CASE WHEN count(*) = 0 THEN 'no slot is registered in public.outbox_slot' END)
    FROM (
        SELECT r.slot_name, CASE
                WHEN s.slot_name IS NULL THEN 'does not exist'
                WHEN s.slot_type <> 'logical' OR s.database <> current_database()
                    THEN 'is no logical slot of this database'
                WHEN s.wal_status = 'lost' THEN 'is lost'
                WHEN wanted > coalesce(s.confirmed_flush_lsn, '0/0') THEN
                    format('has confirmed %s, not yet %s', coalesce(s.confirmed_flush_lsn, '0/0'), wanted)
            END AS problem
        FROM public.outbox_slot r
        LEFT JOIN pg_replication_slots s ON s.slot_name = r.slot_name) AS registered
$behind$;

-- A row does not say where in the WAL its transaction committed. So now and then a mark is set: every transaction below
-- the oldest one that is running has ended, and its commit lies before the WAL insert position that is read after it.
-- When all slots have confirmed that position, rows of transactions below the mark are safe to go.
--
-- Locks: ROW EXCLUSIVE on the table, as any DELETE; rows that somebody else has locked are left for the next batch.
CREATE OR REPLACE FUNCTION public.outbox_delete_old(OUT deleted bigint, OUT kept_because text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $delete$
DECLARE
    settings public.outbox_upkeep;
    mark public.outbox_retention_mark;
    my_xid bigint;
BEGIN
    deleted := 0;
    PERFORM public.outbox_upkeep_begins();
    IF EXISTS (SELECT FROM pg_class WHERE oid = 'public.outbox'::regclass AND relkind = 'p') THEN
        RETURN;
    END IF;
    kept_because := public.outbox_slots_behind(NULL);
    IF kept_because IS NOT NULL THEN
        RETURN;
    END IF;
    SELECT * INTO STRICT settings FROM public.outbox_upkeep;
    SELECT * INTO STRICT mark FROM public.outbox_retention_mark FOR UPDATE;
    my_xid := pg_current_xact_id()::text::bigint;

    -- From another server, whose ids and positions mean nothing here.
    IF greatest(mark.confirmed_before, mark.pending_before) > my_xid
            OR mark.pending_lsn > pg_current_wal_insert_lsn() THEN
        mark := ROW(true, NULL, NULL, NULL);
    END IF;
    IF mark.pending_lsn IS NOT NULL AND public.outbox_slots_behind(mark.pending_lsn) IS NULL THEN
        mark.confirmed_before := mark.pending_before;
        mark.pending_lsn := NULL;
    END IF;
    IF mark.pending_lsn IS NULL THEN
        mark.pending_before := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
        mark.pending_lsn := pg_current_wal_insert_lsn();
    END IF;
    UPDATE public.outbox_retention_mark SET confirmed_before = mark.confirmed_before,
        pending_before = mark.pending_before, pending_lsn = mark.pending_lsn;

    -- An id that seems to lie ahead belongs to a row that is older than two thousand million transactions.
    DELETE FROM public.outbox WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM public.outbox
        WHERE created_at < now() - settings.retention
          AND (age(xmin) < 0 OR my_xid - age(xmin) < mark.confirmed_before)
        ORDER BY created_at
        LIMIT settings.batch_rows
        FOR UPDATE SKIP LOCKED));
    GET DIAGNOSTICS deleted = ROW_COUNT;
    IF deleted = 0 AND EXISTS (SELECT FROM public.outbox WHERE created_at < now() - settings.retention) THEN
        kept_because := coalesce(public.outbox_slots_behind(mark.pending_lsn),
            'the rows that are old enough were written after the last look at the slots');
    END IF;
END
$delete$;

DO $ownership$
DECLARE
    found record;
BEGIN
    FOR found IN
        SELECT format('TABLE %s', oid::regclass) AS object, relowner AS owner FROM pg_class
        WHERE oid IN ('public.outbox_upkeep'::regclass, 'public.outbox_retention_mark'::regclass)
        UNION ALL
        SELECT format('FUNCTION %s', oid::regprocedure), proowner FROM pg_proc
        WHERE oid IN ('public.outbox_upkeep_begins()'::regprocedure, 'public.outbox_slots_behind(pg_lsn)'::regprocedure,
            'public.outbox_delete_old()'::regprocedure)
    LOOP
        IF found.owner <> 'outbox_owner'::regrole THEN
            EXECUTE format('ALTER %s OWNER TO outbox_owner', found.object);
        END IF;
    END LOOP;
END
$ownership$;

REVOKE ALL ON FUNCTION public.outbox_upkeep_begins(), public.outbox_slots_behind(pg_lsn), public.outbox_delete_old()
    FROM PUBLIC;
GRANT SELECT ON public.outbox_upkeep TO outbox_monitor;
