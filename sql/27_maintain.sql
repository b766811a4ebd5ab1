-- 27  All of the upkeep in one call, for pg_cron and the like. PostgreSQL 14 to 18. May be applied again at any time.
--
--   CALL public.outbox_maintain()
--
-- makes the partitions that will be needed, deletes old rows of a plain outbox, seals at most one partition and drops
-- those that no slot needs any more. Each step is a transaction of its own, so it must be called outside of one.
--
-- A partition is detached under a lock that writers wait for: for lock_timeout_ms at most, then the procedure lets them
-- through and tries again, ten times with growing pauses. Where that never finds a gap, run outboxctl maintain, which
-- detaches without such a lock.
--
-- Run as: a member of outbox_owner. Settings: none; see outbox_upkeep.

CREATE OR REPLACE PROCEDURE public.outbox_maintain()
LANGUAGE plpgsql AS $maintain$
DECLARE
    attempts constant int := 10;
    batches constant int := 200;
    step text := 'make';
    attempt int := 1;
    batch int := 0;
    again boolean;
    candidate name;
BEGIN
    BEGIN
        PERFORM public.outbox_upkeep_begins();
    EXCEPTION WHEN lock_not_available THEN
        RAISE NOTICE '%', SQLERRM;
        RETURN;
    END;
    WHILE step IS NOT NULL LOOP
        BEGIN
            again := false;
            CASE step
                WHEN 'make' THEN
                    again := EXISTS (SELECT FROM public.outbox_make_partitions());
                WHEN 'delete' THEN
                    batch := batch + 1;
                    again := batch < batches AND (SELECT deleted FROM public.outbox_delete_old())
                        = (SELECT batch_rows FROM public.outbox_upkeep);
                WHEN 'close' THEN
                    candidate := (SELECT closed FROM public.outbox_close_partition());
                WHEN 'detach' THEN
                    IF candidate IS NOT NULL THEN
                        PERFORM public.outbox_detach_partition(candidate);
                    END IF;
                WHEN 'drop' THEN
                    PERFORM public.outbox_drop_partitions();
            END CASE;
            attempt := 1;
        EXCEPTION WHEN lock_not_available THEN
            IF step = 'detach' AND attempt = attempts THEN
                PERFORM public.outbox_note_kept(candidate, 'not sealed: ' || SQLERRM);
            END IF;
            again := attempt < attempts;
            attempt := attempt % attempts + 1;
        END;
        -- Gives up the locks before the pause.
        COMMIT;
        IF attempt > 1 THEN
            PERFORM pg_sleep(0.1 * attempt);
        END IF;
        IF NOT again THEN
            step := CASE step WHEN 'make' THEN 'delete' WHEN 'delete' THEN 'close' WHEN 'close' THEN 'detach'
                WHEN 'detach' THEN 'drop' END;
        END IF;
    END LOOP;
END
$maintain$;

DO $ownership$
BEGIN
    IF EXISTS (SELECT FROM pg_proc WHERE oid = 'public.outbox_maintain()'::regprocedure
            AND proowner <> 'outbox_owner'::regrole) THEN
        ALTER PROCEDURE public.outbox_maintain() OWNER TO outbox_owner;
    END IF;
END
$ownership$;

REVOKE ALL ON PROCEDURE public.outbox_maintain() FROM PUBLIC;
