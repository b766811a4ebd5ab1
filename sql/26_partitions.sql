-- 26  Upkeep of a partitioned outbox. PostgreSQL 14 to 18. May be applied again at any time.
--
-- The life of a partition, one row of outbox_partition from its making to after its end:
--
--   made     ahead of time: CREATE TABLE LIKE, then ATTACH, which no writer waits for. No DEFAULT partition: it would
--            be searched under an exclusive lock at each ATTACH, and it forbids a concurrent detach
--   closed   when the retention is over: no row can be written into it from here on, in any transaction
--   sealed   detached; the WAL insert position that is read then is noted: all its events lie before it
--   dropped  when every slot in outbox_slot exists, is not lost, and has confirmed past the position
--
-- Why closed: while a partition is being detached concurrently, a transaction at REPEATABLE READ may still write into it,
-- and such a row is not decoded as one of the outbox.
--
-- These functions do one step each, in one short transaction. They run with the owner's rights and may be called by
-- members of outbox_owner only. Whoever can, detaches with CONCURRENTLY between outbox_close_partition and
-- outbox_detach_partition, as outboxctl does; 27_maintain.sql has the procedure for those who cannot.
--
-- Settings: none; see outbox_upkeep.

CREATE TABLE IF NOT EXISTS public.outbox_partition (
    partition_name name        PRIMARY KEY,
    range_from     timestamptz NOT NULL,
    range_to       timestamptz NOT NULL,
    made_at        timestamptz NOT NULL DEFAULT now(),
    sealed_at      timestamptz,
    sealed_lsn     pg_lsn,
    archived_at    timestamptz,
    dropped_at     timestamptz,
    dropped_after  text,
    kept_because   text,
    kept_since     timestamptz
);

COMMENT ON TABLE public.outbox_partition IS
    'What became of each partition of the outbox. Rows stay when the partition is gone.';
COMMENT ON COLUMN public.outbox_partition.sealed_lsn IS
    'All its events lie before this position. It is dropped only when all slots have confirmed it.';
COMMENT ON COLUMN public.outbox_partition.archived_at IS
    'Set it when a sealed partition is in your archive and may be dropped; asked for only with keep_sealed.';
COMMENT ON COLUMN public.outbox_partition.dropped_after IS 'What the slots had confirmed, or who dropped it.';
COMMENT ON COLUMN public.outbox_partition.kept_because IS
    'Why it was not sealed or not dropped when it was due and last looked at.';

-- Up to 24 partitions that are missing. Locks: SHARE UPDATE EXCLUSIVE on the outbox, which writers do not wait for.
CREATE OR REPLACE FUNCTION public.outbox_make_partitions(root_name text DEFAULT 'public.outbox')
RETURNS TABLE (made name, range_from timestamptz, range_to timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $make$
DECLARE
    root constant regclass := root_name::regclass;
    settings public.outbox_upkeep;
    step interval;
    starts timestamp;
BEGIN
    PERFORM public.outbox_upkeep_begins();
    SELECT * INTO STRICT settings FROM public.outbox_upkeep;
    IF settings.partition_by IS NULL OR NOT EXISTS (SELECT FROM pg_class WHERE oid = root AND relkind = 'p') THEN
        RETURN;
    END IF;
    step := ('1 ' || settings.partition_by)::interval;
    -- The one before, too: created_at is the start of a transaction.
    FOR starts IN
        SELECT s FROM generate_series(date_trunc(settings.partition_by, now() AT TIME ZONE 'UTC') - step,
            (now() + settings.make_ahead) AT TIME ZONE 'UTC', step) AS s
        WHERE NOT EXISTS (SELECT FROM public.outbox_partition p
            WHERE p.range_from <= s AT TIME ZONE 'UTC' AND p.range_to >= (s + step) AT TIME ZONE 'UTC'
              AND p.range_from <> '-infinity')
        ORDER BY s LIMIT 24
    LOOP
        made := to_char(starts, CASE settings.partition_by WHEN 'day' THEN '"outbox_"YYYYMMDD'
            ELSE '"outbox_"YYYYMMDD_HH24' END);
        range_from := starts AT TIME ZONE 'UTC';
        range_to := (starts + step) AT TIME ZONE 'UTC';
        -- An identity column takes its numbers from the root.
        EXECUTE format('CREATE TABLE public.%I (LIKE %s INCLUDING ALL EXCLUDING IDENTITY)', made, root);
        EXECUTE format('ALTER TABLE %s ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', root, made,
            range_from, range_to);
        INSERT INTO public.outbox_partition (partition_name, range_from, range_to)
        VALUES (made, outbox_make_partitions.range_from, outbox_make_partitions.range_to);
        RETURN NEXT;
    END LOOP;
END
$make$;

-- Closes the oldest partition whose retention is over. NULL: none is due, or it is in use, or a missing or lost slot
-- forbids it, since what the slot has not delivered is sent again from the outbox.
-- The statement detaches it without a lock that writers wait for; it must run outside of a transaction. NULL: there is
-- none, outbox_detach_partition does the rest.
-- Locks: ACCESS EXCLUSIVE on this partition alone; who writes events of now does not meet it.
CREATE OR REPLACE FUNCTION public.outbox_close_partition(OUT closed name, OUT statement text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $close$
DECLARE
    oldest record;
    problem text;
BEGIN
    PERFORM public.outbox_upkeep_begins();
    IF NOT EXISTS (SELECT FROM pg_class WHERE oid = 'public.outbox'::regclass AND relkind = 'p') THEN
        RETURN;
    END IF;
    LOOP
        SELECT p.partition_name, to_regclass(format('public.%I', p.partition_name)) AS oid, i.inhdetachpending AS pending,
            p.kept_because INTO oldest
        FROM public.outbox_partition p
        LEFT JOIN pg_inherits i ON i.inhparent = 'public.outbox'::regclass
            AND i.inhrelid = to_regclass(format('public.%I', p.partition_name))
        WHERE p.sealed_lsn IS NULL AND p.dropped_at IS NULL
          AND p.range_to <= now() - (SELECT retention FROM public.outbox_upkeep)
        ORDER BY p.range_to LIMIT 1;
        IF NOT FOUND THEN
            RETURN;
        END IF;
        EXIT WHEN oldest.oid IS NOT NULL;
        UPDATE public.outbox_partition p SET dropped_at = now(), dropped_after = 'it was gone: dropped by hand'
        WHERE p.partition_name = oldest.partition_name;
    END LOOP;
    problem := public.outbox_slots_behind(NULL);
    IF problem IS NOT NULL THEN
        PERFORM public.outbox_note_kept(oldest.partition_name, 'not sealed: ' || problem);
        RETURN;
    END IF;
    FOR attempt IN 1..10 LOOP
        EXIT WHEN EXISTS (SELECT FROM pg_constraint WHERE conrelid = oldest.oid AND conname = 'outbox_sealed');
        BEGIN
            EXECUTE format('ALTER TABLE %s ADD CONSTRAINT outbox_sealed '
                'CHECK (public.outbox_refuse(''outbox_sealed'', created_at::text)) NOT VALID', oldest.oid::regclass);
            problem := NULL;
        EXCEPTION WHEN lock_not_available THEN
            problem := SQLERRM;
            PERFORM pg_sleep(0.1 * attempt);
        END;
    END LOOP;
    IF problem IS NOT NULL THEN
        PERFORM public.outbox_note_kept(oldest.partition_name, 'not closed, it is in use: ' || problem);
        RETURN;
    END IF;
    closed := oldest.partition_name;
    statement := CASE
        WHEN oldest.pending
            THEN format('ALTER TABLE public.outbox DETACH PARTITION public.%I FINALIZE', closed)
        WHEN NOT oldest.pending AND NOT EXISTS (
                SELECT FROM pg_partitioned_table WHERE partrelid = 'public.outbox'::regclass AND partdefid <> 0)
            THEN format('ALTER TABLE public.outbox DETACH PARTITION public.%I CONCURRENTLY', closed)
    END;
END
$close$;

-- Detaches a closed partition if it still has to be, and seals it.
-- Locks, if it still has to be: ACCESS EXCLUSIVE on the outbox. It is waited for no longer than lock_timeout_ms, then the
-- error is lock_not_available; once it is there, writers wait until this transaction ends.
CREATE OR REPLACE FUNCTION public.outbox_detach_partition(closed name) RETURNS pg_lsn
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $detach$
DECLARE
    pending boolean;
    position pg_lsn;
BEGIN
    PERFORM public.outbox_upkeep_begins();
    IF NOT EXISTS (SELECT FROM pg_constraint
            WHERE conrelid = to_regclass(format('public.%I', closed)) AND conname = 'outbox_sealed') THEN
        RAISE EXCEPTION 'partition public.% is not closed', closed
            USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Call outbox_close_partition first.';
    END IF;
    SELECT inhdetachpending INTO pending FROM pg_inherits
    WHERE inhparent = 'public.outbox'::regclass AND inhrelid = to_regclass(format('public.%I', closed));
    IF FOUND THEN
        EXECUTE format('ALTER TABLE public.outbox DETACH PARTITION public.%I %s', closed,
            CASE WHEN pending THEN 'FINALIZE' END);
    END IF;
    position := pg_current_wal_insert_lsn();
    UPDATE public.outbox_partition SET sealed_at = now(), sealed_lsn = position, kept_because = NULL, kept_since = NULL
    WHERE partition_name = closed AND sealed_lsn IS NULL;
    RETURN position;
END
$detach$;

-- Locks: ACCESS EXCLUSIVE on the sealed partition, which is no part of the outbox any more.
CREATE OR REPLACE FUNCTION public.outbox_drop_partitions()
RETURNS TABLE (sealed name, dropped boolean, reason text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $drop$
DECLARE
    due record;
BEGIN
    PERFORM public.outbox_upkeep_begins();
    FOR due IN
        SELECT p.*, u.keep_sealed, p.range_to > now() - u.retention AS is_young,
            to_regclass(format('public.%I', p.partition_name)) AS oid
        FROM public.outbox_partition p CROSS JOIN public.outbox_upkeep u
        WHERE p.sealed_lsn IS NOT NULL AND p.dropped_at IS NULL
        ORDER BY p.range_to
    LOOP
        sealed := due.partition_name;
        dropped := false;
        reason := CASE
            WHEN due.oid IS NULL THEN NULL
            WHEN EXISTS (SELECT FROM pg_inherits WHERE inhrelid = due.oid) THEN 'it is attached again'
            WHEN due.is_young THEN 'the retention is not over'
            WHEN due.keep_sealed AND due.archived_at IS NULL THEN 'it waits for archived_at'
            ELSE public.outbox_slots_behind(due.sealed_lsn)
        END;
        IF reason IS NULL THEN
            BEGIN
                EXECUTE format('DROP TABLE IF EXISTS public.%I', sealed);
                dropped := true;
            EXCEPTION WHEN lock_not_available OR dependent_objects_still_exist THEN
                reason := SQLERRM;
            END;
        END IF;
        IF dropped THEN
            reason := CASE WHEN due.oid IS NULL THEN 'it was gone: dropped by hand'
                ELSE (SELECT string_agg(format('slot %s had confirmed %s', slot_name, confirmed_flush_lsn), '; ')
                    FROM public.outbox_slot JOIN pg_replication_slots USING (slot_name)) END;
            UPDATE public.outbox_partition SET dropped_at = now(), dropped_after = reason, kept_because = NULL,
                kept_since = NULL WHERE partition_name = sealed;
        ELSE
            PERFORM public.outbox_note_kept(sealed, 'not dropped: ' || reason);
        END IF;
        RETURN NEXT;
    END LOOP;
END
$drop$;

CREATE OR REPLACE FUNCTION public.outbox_note_kept(partition_name name, reason text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $kept$
    UPDATE public.outbox_partition p SET kept_because = $2, kept_since = coalesce(p.kept_since, now())
    WHERE p.partition_name = $1 AND p.kept_because IS DISTINCT FROM $2
$kept$;

DO $ownership$
DECLARE
    found record;
BEGIN
    IF (SELECT relowner FROM pg_class WHERE oid = 'public.outbox_partition'::regclass) <> 'outbox_owner'::regrole THEN
        ALTER TABLE public.outbox_partition OWNER TO outbox_owner;
    END IF;
    FOR found IN
        SELECT oid::regprocedure AS signature, proowner AS owner FROM pg_proc
        WHERE oid IN ('public.outbox_make_partitions(text)'::regprocedure,
            'public.outbox_close_partition()'::regprocedure, 'public.outbox_detach_partition(name)'::regprocedure,
            'public.outbox_drop_partitions()'::regprocedure, 'public.outbox_note_kept(name, text)'::regprocedure)
    LOOP
        IF found.owner <> 'outbox_owner'::regrole THEN
            EXECUTE format('ALTER FUNCTION %s OWNER TO outbox_owner', found.signature);
        END IF;
    END LOOP;
END
$ownership$;

REVOKE ALL ON FUNCTION public.outbox_make_partitions(text), public.outbox_close_partition(),
    public.outbox_detach_partition(name), public.outbox_drop_partitions(), public.outbox_note_kept(name, text)
    FROM PUBLIC;
GRANT SELECT ON public.outbox_partition TO outbox_monitor;

-- The first ones, so that the outbox can be written to.
DO $first$
BEGIN
    WHILE EXISTS (SELECT FROM public.outbox_make_partitions()) LOOP
    END LOOP;
END
$first$;
