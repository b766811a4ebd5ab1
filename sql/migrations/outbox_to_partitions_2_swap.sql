-- From a plain outbox to a partitioned one, second part: public.outbox_next becomes public.outbox, and what was the outbox
-- stays as public.outbox_unpartitioned, closed to writers, until upkeep drops it by the rule of every sealed partition.
-- PostgreSQL 14 to 18. Applied again it does nothing. See docs/how-to/move-to-a-partitioned-outbox.md.
--
-- The swap needs the outbox to itself for a moment. It waits for that no longer than lock_timeout_ms of outbox_upkeep, so
-- writers queue no longer; then it lets them through and tries again. A statement that waits finds the new outbox.
--
-- Settings: none.
-- Run as:   as the first part, outside of a transaction.

DO $swap$
DECLARE
    attempts constant int := 100;
    problem text := 'none';
    statement text;
BEGIN
    IF to_regclass('public.outbox_next') IS NULL AND to_regclass('public.outbox_unpartitioned') IS NOT NULL THEN
        RETURN;
    END IF;
    IF to_regclass('public.outbox_next') IS NULL OR NOT EXISTS (
            SELECT FROM public.outbox_partition p
            JOIN pg_inherits i ON i.inhrelid = to_regclass(format('public.%I', p.partition_name))
                AND i.inhparent = to_regclass('public.outbox_next')
            WHERE now() + interval '1 day' BETWEEN p.range_from AND p.range_to)
            OR EXISTS (SELECT FROM pg_publication_rel r WHERE r.prrelid = 'public.outbox'::regclass
                AND NOT EXISTS (SELECT FROM pg_publication_rel n
                    WHERE n.prpubid = r.prpubid AND n.prrelid = to_regclass('public.outbox_next'))) THEN
        RAISE EXCEPTION 'public.outbox_next is not ready'
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = 'It must exist, have partitions for a day ahead, and be in every publication of the outbox.',
                  HINT = 'Apply outbox_to_partitions_1_prepare.sql.';
    END IF;
    FOR attempt IN 1..attempts LOOP
        BEGIN
            PERFORM public.outbox_upkeep_begins();
            LOCK TABLE public.outbox IN ACCESS EXCLUSIVE MODE;
            ALTER TABLE public.outbox RENAME TO outbox_unpartitioned;
            ALTER TABLE public.outbox_next RENAME TO outbox;
            problem := NULL;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            problem := SQLERRM;
        END;
        -- The lock went with the attempt.
        PERFORM pg_sleep(least(0.05 * attempt, 1));
    END LOOP;
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'public.outbox was in use at each of % attempts: %', attempts, problem
            USING ERRCODE = 'lock_not_available',
                  HINT = 'Nothing has changed. See which transactions stay open: SELECT pid, state, xact_start '
                      'FROM pg_stat_activity WHERE xact_start IS NOT NULL ORDER BY xact_start. Then apply this again.';
    END IF;

    IF EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'public.outbox_unpartitioned'::regclass
            AND conname = 'outbox_pkey') THEN
        ALTER TABLE public.outbox_unpartitioned RENAME CONSTRAINT outbox_pkey TO outbox_unpartitioned_pkey;
        ALTER TABLE public.outbox RENAME CONSTRAINT outbox_next_pkey TO outbox_pkey;
    END IF;
    ALTER TABLE public.outbox_unpartitioned ADD CONSTRAINT outbox_sealed
        CHECK (public.outbox_refuse('outbox_sealed', created_at::text)) NOT VALID;
    FOR statement IN
        SELECT DISTINCT format('REVOKE ALL ON public.outbox_unpartitioned FROM %s',
            CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
        FROM pg_class CROSS JOIN LATERAL aclexplode(relacl)
        WHERE oid = 'public.outbox_unpartitioned'::regclass AND grantee <> relowner
    LOOP
        EXECUTE statement;
    END LOOP;
    INSERT INTO public.outbox_partition (partition_name, range_from, range_to, sealed_at, sealed_lsn)
    VALUES ('outbox_unpartitioned', '-infinity', clock_timestamp(), clock_timestamp(), pg_current_wal_insert_lsn());
END
$swap$;
