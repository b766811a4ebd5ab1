-- From a plain outbox to a partitioned one, first part: makes public.outbox_next beside the outbox, partitioned, with the
-- same columns, checks and rights, in the same publications. PostgreSQL 14 to 18. May be applied again before the swap,
-- also to make more partitions. Nobody waits for it. See docs/how-to/move-to-a-partitioned-outbox.md.
--
-- Settings: outbox.partition_by, day (default) or hour.
-- Run as:   a superuser, or the owner of the database as a member of outbox_owner.

DO $prepare$
DECLARE
    wanted text := lower(coalesce(nullif(current_setting('outbox.partition_by', true), ''), 'day'));
    has_column_lists constant boolean := current_setting('server_version_num')::int >= 150000;
    statement text;
    problems text;
BEGIN
    IF wanted NOT IN ('day', 'hour') THEN
        RAISE EXCEPTION 'setting outbox.partition_by is "%"', wanted
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It may be day or hour.';
    END IF;
    IF (SELECT relkind FROM pg_class WHERE oid = 'public.outbox'::regclass) = 'p' THEN
        RAISE EXCEPTION 'public.outbox is partitioned already'
            USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'There is nothing to move.';
    END IF;
    SELECT string_agg(format('trigger %s', tgname), '; ') INTO problems
    FROM pg_trigger WHERE tgrelid = 'public.outbox'::regclass AND NOT tgisinternal;
    IF problems IS NOT NULL AND to_regclass('public.outbox_next') IS NULL THEN
        RAISE WARNING 'not taken over by public.outbox_next: %', problems
            USING HINT = 'Create them on public.outbox_next before the swap.';
    END IF;

    IF to_regclass('public.outbox_next') IS NULL THEN
        CREATE TABLE public.outbox_next (LIKE public.outbox INCLUDING ALL EXCLUDING INDEXES)
            PARTITION BY RANGE (created_at);
        -- A primary key of a partitioned table has the columns that it is partitioned by.
        ALTER TABLE public.outbox_next ADD CONSTRAINT outbox_next_pkey PRIMARY KEY (id, created_at);
        ALTER TABLE public.outbox_next OWNER TO outbox_owner;
        UPDATE public.outbox_upkeep SET partition_by = wanted;
    END IF;
    WHILE EXISTS (SELECT FROM public.outbox_make_partitions('public.outbox_next')) LOOP
    END LOOP;

    FOR statement IN
        SELECT format('GRANT %s ON public.outbox_next TO %s%s', privilege_type,
            CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
            CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END)
        FROM pg_class CROSS JOIN LATERAL aclexplode(relacl)
        WHERE oid = 'public.outbox'::regclass AND grantee <> relowner
    LOOP
        EXECUTE statement;
    END LOOP;

    -- Before the swap: so no row ever meets a publication that changes.
    FOR statement IN EXECUTE format($list$
        SELECT format('ALTER PUBLICATION %%I ADD TABLE public.outbox_next%%s%%s', p.pubname, %s, %s)
        FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid
        WHERE r.prrelid = 'public.outbox'::regclass
          AND NOT EXISTS (SELECT FROM pg_publication_rel n
            WHERE n.prpubid = p.oid AND n.prrelid = 'public.outbox_next'::regclass)
        $list$,
        CASE WHEN has_column_lists THEN $columns$(SELECT ' (' || string_agg(quote_ident(attname), ', ' ORDER BY attnum)
            || ')' FROM pg_attribute WHERE attrelid = r.prrelid AND attnum = ANY (r.prattrs))$columns$ ELSE 'NULL' END,
        CASE WHEN has_column_lists THEN $filter$' WHERE ' || pg_get_expr(r.prqual, r.prrelid)$filter$ ELSE 'NULL' END)
    LOOP
        EXECUTE statement;
    END LOOP;
END
$prepare$;
