-- 65  The outbox for the polling relay, which needs no replication slot. PostgreSQL 14 to 18. May be applied again at any
-- time. Does nothing unless the setting outbox.polling is on.
--
--   outbox.seq           order of the inserts; that of the commits too within an aggregate whose row the writer locks
--   outbox.published_at  when the relay published the event; NULL: it is still to be published
--   outbox.attempts      how often publishing it failed
--   outbox_shard         the shards and who has the lease on each; batch is the last one whose rows are marked
--   outbox_relay         the instances that run, so that each takes its share of the shards
--   outbox_relay, role   LOGIN: reads the outbox, marks and deletes its rows; no right to insert
--
-- Writers are let in here, too: what was written before a relay runs waits in the table.
--
-- Who publishes is told by the default of published_at. It has none where the relay publishes. Where a slot is registered
-- when the column is added, the default is now(): the connector publishes, and the relay finds nothing, until
-- docs/how-to/hand-over-between-polling-and-cdc.md is followed.
--
-- Adding the columns rewrites the table, and writers wait meanwhile: let it be small. A partitioned outbox is refused.
--
-- Settings (SET before this script, or see README.md):
--   outbox.polling         off (default) or on; off leaves what is there as it is
--   outbox.polling_shards  4 (default): how many relays can share the work, 1 to 64; for new columns only
--   outbox.polling_notify  on (default) or off: whether each INSERT wakes the relays up; it makes commits of writers wait
--                          for each other

DO $polling$
DECLARE
    polling text := lower(coalesce(nullif(current_setting('outbox.polling', true), ''), 'off'));
    shards_setting text := nullif(current_setting('outbox.polling_shards', true), '');
    wake text := lower(nullif(current_setting('outbox.polling_notify', true), ''));
    outbox constant regclass := to_regclass('public.outbox');
    shards int;
    problem text;
    missing text;
BEGIN
    IF polling NOT IN ('on', 'off') THEN
        RAISE EXCEPTION 'setting outbox.polling is "%"', polling
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It may be on or off.';
    END IF;
    IF wake NOT IN ('on', 'off') THEN
        RAISE EXCEPTION 'setting outbox.polling_notify is "%"', wake
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It may be on or off.';
    END IF;
    IF shards_setting !~ '^([1-9]|[1-5][0-9]|6[0-4])$' THEN
        RAISE EXCEPTION 'setting outbox.polling_shards is "%"', shards_setting
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It may be a number from 1 to 64.';
    END IF;
    IF polling = 'off' THEN
        RETURN;
    END IF;
    IF outbox IS NULL THEN
        RAISE EXCEPTION 'table public.outbox does not exist in database %', current_database()
            USING ERRCODE = 'undefined_table', HINT = 'Apply 20_outbox.sql first.';
    END IF;
    IF EXISTS (SELECT FROM pg_class WHERE oid = outbox AND relkind = 'p') THEN
        RAISE EXCEPTION 'table public.outbox is partitioned'
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = 'Before PostgreSQL 17 a partitioned table cannot have the column seq.',
                  HINT = 'The relay needs a plain outbox, and removes what it has published by itself.';
    END IF;

    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'outbox_relay') THEN
        CREATE ROLE outbox_relay LOGIN;
    END IF;

    -- In one statement, so that the table is rewritten once.
    SELECT string_agg('ADD COLUMN ' || definition, ', ' ORDER BY place) INTO missing
    FROM (VALUES
        (1, 'seq', 'seq bigint GENERATED ALWAYS AS IDENTITY'),
        (2, 'published_at', 'published_at timestamptz'
            || CASE WHEN EXISTS (SELECT FROM public.outbox_slot) THEN ' DEFAULT now()' ELSE '' END),
        (3, 'attempts', 'attempts int NOT NULL DEFAULT 0')) AS wanted (place, name, definition)
    WHERE NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = outbox AND a.attname = wanted.name
        AND NOT a.attisdropped);
    IF missing IS NOT NULL THEN
        EXECUTE 'ALTER TABLE public.outbox ' || missing;
    END IF;
    SELECT string_agg(format('column %s is %s', name, actual), '; ') INTO problem FROM (
        SELECT w.name, w.type, format_type(a.atttypid, a.atttypmod)
            || CASE WHEN w.name = 'seq' AND a.attidentity <> 'a' THEN ', not GENERATED ALWAYS AS IDENTITY' ELSE '' END
            AS actual
        FROM (VALUES ('seq', 'bigint'), ('published_at', 'timestamp with time zone'), ('attempts', 'integer'))
            AS w (name, type)
        JOIN pg_attribute a ON a.attrelid = outbox AND a.attname = w.name AND NOT a.attisdropped) AS columns
    WHERE actual <> type;
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'table public.outbox has columns of these names that are not the relay''s'
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = problem,
                  HINT = 'Rename them, then apply this script again.';
    END IF;

    CREATE TABLE IF NOT EXISTS public.outbox_shard (
        shard        int         PRIMARY KEY,
        owner        text,
        epoch        bigint      NOT NULL DEFAULT 0,
        leased_until timestamptz,
        batch        bigint      NOT NULL DEFAULT 0
    );
    CREATE TABLE IF NOT EXISTS public.outbox_relay (
        instance    text        PRIMARY KEY,
        alive_until timestamptz NOT NULL
    );
    SELECT count(*) INTO shards FROM public.outbox_shard;
    IF shards = 0 THEN
        shards := coalesce(shards_setting, '4')::int;
        INSERT INTO public.outbox_shard (shard) SELECT generate_series(0, shards - 1);
    ELSIF shards <> shards_setting::int THEN
        RAISE EXCEPTION 'setting outbox.polling_shards is "%" and the outbox has % shards', shards_setting, shards
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'Leave the setting out. To change it, stop all relays in an orderly way, '
                      'DELETE FROM public.outbox_shard; DROP INDEX public.outbox_unpublished; then apply this again.';
    END IF;
END
$polling$;

-- What reads, wakes and may.
DO $access$
DECLARE
    wake text := lower(nullif(current_setting('outbox.polling_notify', true), ''));
    has_trigger boolean;
    existing text;
    found record;
BEGIN
    IF lower(coalesce(nullif(current_setting('outbox.polling', true), ''), 'off')) = 'off' THEN
        RETURN;
    END IF;

    -- The shard of an event. A NULL aggregate_id, which the checks refuse, is read too, to become a dead letter.
    CREATE OR REPLACE FUNCTION public.outbox_shard_of(aggregate_id text, shards int) RETURNS int
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $shard$
        SELECT ((hashtextextended(coalesce(aggregate_id, ''), 0) & 9223372036854775807) % shards)::int
    $shard$;

    -- The channel is named like the table. One notification for a transaction, however many events it has.
    CREATE OR REPLACE FUNCTION public.outbox_wake_relays() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $wake$
    BEGIN
        PERFORM pg_notify('outbox', '');
        RETURN NULL;
    END
    $wake$;

    IF to_regclass('public.outbox_unpublished') IS NULL THEN
        EXECUTE format('CREATE INDEX outbox_unpublished ON public.outbox (public.outbox_shard_of(aggregate_id, %s), seq) '
            'WHERE published_at IS NULL', (SELECT count(*) FROM public.outbox_shard));
        -- Each event is inserted, marked and deleted.
        ALTER TABLE public.outbox SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
    END IF;

    -- PostgreSQL asks the checks at each UPDATE. A row that was there before them must be marked all the same, and what was
    -- legal once need not be looked at again. The role cannot insert.
    SELECT pg_get_constraintdef(oid) INTO existing FROM pg_constraint
    WHERE conrelid = 'public.outbox'::regclass AND conname = 'outbox_event_legal';
    IF position('outbox_relay' IN existing) = 0 THEN
        EXECUTE format('ALTER TABLE public.outbox DROP CONSTRAINT outbox_event_legal, ADD CONSTRAINT outbox_event_legal '
            'CHECK (current_user = ''outbox_relay'' OR %s) %s',
            regexp_replace(existing, '^CHECK (.*?)( NOT VALID)?$', '\1'),
            CASE WHEN EXISTS (SELECT FROM public.outbox) THEN 'NOT VALID' END);
    END IF;

    has_trigger := EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'public.outbox'::regclass
        AND tgname = 'outbox_wake_relays');
    IF wake = 'off' AND has_trigger THEN
        DROP TRIGGER outbox_wake_relays ON public.outbox;
    ELSIF coalesce(wake, 'on') = 'on' AND NOT has_trigger THEN
        CREATE TRIGGER outbox_wake_relays AFTER INSERT ON public.outbox
            FOR EACH STATEMENT EXECUTE FUNCTION public.outbox_wake_relays();
    END IF;

    FOR found IN
        SELECT format('TABLE %s', oid::regclass) AS object FROM pg_class
        WHERE oid IN ('public.outbox_shard'::regclass, 'public.outbox_relay'::regclass)
          AND relowner <> 'outbox_owner'::regrole
        UNION ALL
        SELECT format('FUNCTION %s', oid::regprocedure) FROM pg_proc
        WHERE oid IN ('public.outbox_shard_of(text, int)'::regprocedure, 'public.outbox_wake_relays()'::regprocedure)
          AND proowner <> 'outbox_owner'::regrole
    LOOP
        EXECUTE format('ALTER %s OWNER TO outbox_owner', found.object);
    END LOOP;
    IF NOT has_database_privilege('outbox_relay', current_database(), 'CONNECT') THEN
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO outbox_relay', current_database());
    END IF;
    IF NOT has_schema_privilege('outbox_relay', 'public', 'USAGE') THEN
        GRANT USAGE ON SCHEMA public TO outbox_relay;
    END IF;
    IF NOT has_schema_privilege('outbox_writer', 'public', 'USAGE') THEN
        GRANT USAGE ON SCHEMA public TO outbox_writer;
    END IF;
    GRANT INSERT ON public.outbox TO outbox_writer;
    GRANT SELECT, DELETE, UPDATE (published_at, attempts) ON public.outbox TO outbox_relay;
    GRANT SELECT, UPDATE ON public.outbox_shard TO outbox_relay;
    GRANT SELECT, INSERT, UPDATE, DELETE ON public.outbox_relay TO outbox_relay;
    GRANT SELECT ON public.outbox_shard, public.outbox_relay TO outbox_monitor;
    GRANT SELECT (id, aggregate_type, aggregate_id, created_at, xmin, xmax, cmin, seq, published_at, attempts)
        ON public.outbox TO outbox_monitor;
    COMMENT ON TABLE public.outbox_shard IS 'Leases of the polling relay, and the last batch of each shard that is marked.';
    COMMENT ON TABLE public.outbox_relay IS 'Instances of the polling relay that run.';
    COMMENT ON COLUMN public.outbox.published_at IS
        'When the relay published the event; NULL: not yet. With a default, new events are not the relay''s.';
END
$access$;
