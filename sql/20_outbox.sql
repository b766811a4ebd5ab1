-- 20  The outbox and the registry of slots. PostgreSQL 14 to 18. May be applied again at any time.
--
-- An event is one row of public.outbox, inserted in the transaction that makes it true. Its check refuses at write time
-- what the router could only send to the dead-letter topic, by the rules of 15_event_rules.sql.
--
-- The outbox is a plain table, or one that is partitioned by time. 25 and 26 have what either needs over the years.
--
-- Nobody but the owner can write yet. 50_grants.sql opens the table to outbox_writer once the slot exists.
--
-- Settings (SET before this script, or see README.md):
--   outbox.payload_type        jsonb (default), json, text or bytea
--   outbox.allow_null_payload  off (default) or on; on goes with the router's route.tombstone.on.empty.payload=true
--   outbox.max_record_bytes    1000000 (default): the router's max.record.bytes
--   outbox.topic_prefix        outbox.event. (default): what comes before aggregate_type in a topic's name
--   outbox.partition_by        none (default), day or hour; for a new outbox only
--
-- An outbox that exists already must have these seven columns; more columns are welcome. Its rows are not checked.

DO $outbox$
DECLARE
    payload_type text := coalesce(nullif(current_setting('outbox.payload_type', true), ''), 'jsonb');
    partition_by text := lower(nullif(current_setting('outbox.partition_by', true), ''));
    is_partitioned boolean;
BEGIN
    IF partition_by NOT IN ('none', 'day', 'hour') THEN
        RAISE EXCEPTION 'setting outbox.partition_by is "%"', current_setting('outbox.partition_by')
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It may be none, day or hour.';
    END IF;
    IF payload_type NOT IN ('jsonb', 'json', 'text', 'bytea') THEN
        RAISE EXCEPTION 'setting outbox.payload_type is "%"', payload_type
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It may be jsonb, json, text or bytea.';
    END IF;
    SELECT relkind = 'p' INTO is_partitioned FROM pg_class WHERE oid = to_regclass('public.outbox');
    IF FOUND THEN
        IF is_partitioned IS DISTINCT FROM (partition_by <> 'none') AND partition_by IS NOT NULL THEN
            RAISE EXCEPTION 'setting outbox.partition_by is "%" and public.outbox is there already, %', partition_by,
                    CASE WHEN is_partitioned THEN 'partitioned' ELSE 'not partitioned' END
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      HINT = 'Leave the setting out, or see docs/how-to/move-to-a-partitioned-outbox.md.';
        END IF;
        RETURN;
    END IF;
    -- A primary key of a partitioned table has the columns that it is partitioned by.
    EXECUTE format('CREATE TABLE public.outbox (
        id             uuid        NOT NULL,
        aggregate_type text        NOT NULL,
        aggregate_id   text        NOT NULL,
        event_type     text,
        payload        %s,
        headers        jsonb,
        created_at     timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT outbox_pkey PRIMARY KEY %s', payload_type,
        CASE WHEN coalesce(partition_by, 'none') = 'none' THEN '(id))'
            ELSE '(id, created_at)) PARTITION BY RANGE (created_at)' END);
    IF coalesce(partition_by, 'none') = 'none' THEN
        -- Old rows are deleted by it.
        CREATE INDEX outbox_created_at ON public.outbox (created_at);
    END IF;
END
$outbox$;

-- All that is wrong with an outbox that was there before, in one error.
DO $shape$
DECLARE
    payload_type text := nullif(current_setting('outbox.payload_type', true), '');
    problems text;
BEGIN
    SELECT string_agg(problem, '; ' ORDER BY place) INTO problems FROM (
        SELECT 0 AS place, CASE
                WHEN c.relkind NOT IN ('r', 'p') THEN 'it is not a table'
                WHEN c.relpersistence <> 'p' THEN 'it is UNLOGGED or temporary, so its rows never reach the WAL: '
                    || 'ALTER TABLE public.outbox SET LOGGED'
                WHEN NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)
                    THEN 'it has no primary key: ALTER TABLE public.outbox ADD PRIMARY KEY (id)'
            END AS problem
        FROM pg_class c WHERE c.oid = 'public.outbox'::regclass
        UNION ALL
        SELECT w.place, CASE
                WHEN a.attname IS NULL THEN format('column %s %s is missing', w.name, w.types[1])
                ELSE format('column %s is %s, not %s', w.name, format_type(a.atttypid, a.atttypmod),
                    array_to_string(w.types, ' or '))
            END
        FROM (VALUES
            (1, 'id', ARRAY['uuid']),
            (2, 'aggregate_type', ARRAY['text']),
            (3, 'aggregate_id', ARRAY['text']),
            (4, 'event_type', ARRAY['text']),
            (5, 'payload', CASE WHEN payload_type IS NULL THEN ARRAY['jsonb', 'json', 'text', 'bytea'] ELSE ARRAY[payload_type] END),
            (6, 'headers', ARRAY['jsonb']),
            (7, 'created_at', ARRAY['timestamp with time zone'])) AS w (place, name, types)
        LEFT JOIN pg_attribute a
            ON a.attrelid = 'public.outbox'::regclass AND a.attname = w.name AND NOT a.attisdropped
        WHERE a.attname IS NULL OR format_type(a.atttypid, a.atttypmod) <> ALL (w.types)) AS found
    WHERE problem IS NOT NULL;
    IF problems IS NOT NULL THEN
        RAISE EXCEPTION 'table public.outbox exists and is not the outbox of this pipeline'
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = problems,
                  HINT = 'Alter the table as said, or rename it and apply this script again.';
    END IF;
END
$shape$;

DO $constraints$
DECLARE
    max_setting text := coalesce(nullif(current_setting('outbox.max_record_bytes', true), ''), '1000000');
    prefix text := coalesce(nullif(current_setting('outbox.topic_prefix', true), ''), 'outbox.event.');
    allow_null_setting text := coalesce(nullif(current_setting('outbox.allow_null_payload', true), ''), 'off');
    nullable record;
    arguments text;
    existing text;
BEGIN
    IF lower(allow_null_setting) NOT IN ('on', 'off') THEN
        RAISE EXCEPTION 'setting outbox.allow_null_payload is "%"', allow_null_setting
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It may be on or off.';
    END IF;
    IF max_setting !~ '^[1-9][0-9]{3,8}$' THEN
        RAISE EXCEPTION 'setting outbox.max_record_bytes is "%"', max_setting
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It may be a number from 1000 to 999999999.';
    END IF;
    IF prefix COLLATE "C" !~ '^[a-zA-Z0-9._-]{1,200}$' THEN
        RAISE EXCEPTION 'setting outbox.topic_prefix is "%"', prefix
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It may be 1 to 200 of a-z A-Z 0-9 . _ and -.';
    END IF;

    -- Each ALTER only where it is needed: it would wait for every open transaction that has written, and all writers
    -- would wait behind it.
    FOR nullable IN
        SELECT attname AS name FROM pg_attribute
        WHERE attrelid = 'public.outbox'::regclass AND NOT attnotnull
          AND attname IN ('aggregate_type', 'aggregate_id', 'created_at')
    LOOP
        EXECUTE format('ALTER TABLE public.outbox ALTER COLUMN %I SET NOT NULL', nullable.name);
    END LOOP;

    SELECT pg_get_constraintdef(oid) INTO existing FROM pg_constraint
    WHERE conrelid = 'public.outbox'::regclass AND conname = 'outbox_event_legal';
    arguments := format('headers, %s, %s, %s)', 249 - length(prefix), max_setting,
        CASE lower(allow_null_setting) WHEN 'on' THEN 'true' ELSE 'false' END);
    IF existing IS NULL OR position(arguments IN existing) = 0 THEN
        EXECUTE format('ALTER TABLE public.outbox %s ADD CONSTRAINT outbox_event_legal CHECK ('
            'public.outbox_event_is_legal(aggregate_type, aggregate_id, event_type, payload, %s) %s',
            CASE WHEN existing IS NOT NULL THEN 'DROP CONSTRAINT outbox_event_legal,' END, arguments,
            CASE WHEN EXISTS (SELECT FROM public.outbox) THEN 'NOT VALID' END);
    END IF;
END
$constraints$;

-- Slots that must not miss an event. A partition is dropped only when each of them has confirmed past it.
CREATE TABLE IF NOT EXISTS public.outbox_slot (
    slot_name        name        PRIMARY KEY,
    publication_name name        NOT NULL,
    registered_lsn   pg_lsn      NOT NULL,
    registered_at    timestamptz NOT NULL DEFAULT now()
);

-- What operators did to slots by outboxctl slot. A row is written before the deed.
CREATE TABLE IF NOT EXISTS public.outbox_slot_log (
    logged_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    logged_by   name        NOT NULL DEFAULT session_user,
    action      text        NOT NULL,
    slot_name   name        NOT NULL,
    from_lsn    pg_lsn,
    to_lsn      pg_lsn,
    lost        text        NOT NULL
);

DO $ownership$
DECLARE
    found record;
BEGIN
    FOR found IN
        SELECT c.relname AS name, c.relowner::regrole::text AS owner
        FROM pg_class c
        WHERE c.oid IN ('public.outbox'::regclass, 'public.outbox_slot'::regclass,
            'public.outbox_slot_log'::regclass)
          AND c.relowner <> 'outbox_owner'::regrole
    LOOP
        IF found.owner <> quote_ident(current_user) THEN
            RAISE EXCEPTION 'table public.% belongs to %, not to outbox_owner', found.name, found.owner
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      HINT = format('ALTER TABLE public.%I OWNER TO outbox_owner. If %s writes events: '
                          'GRANT outbox_writer TO %s. Then apply this script again.',
                          found.name, found.owner, found.owner);
        END IF;
        EXECUTE format('ALTER TABLE public.%I OWNER TO outbox_owner', found.name);
    END LOOP;
END
$ownership$;

-- 40_slot.sql reads the registry and may be run as outbox_cdc.
GRANT SELECT ON public.outbox_slot TO outbox_cdc, outbox_monitor;
GRANT SELECT ON public.outbox_slot_log TO outbox_monitor;
GRANT INSERT ON public.outbox_slot_log TO outbox_cdc;

COMMENT ON TABLE public.outbox IS
    'Events to be published to Kafka: one row each, inserted in the transaction that makes the event true.';
COMMENT ON TABLE public.outbox_slot IS
    'Replication slots that read the outbox. No partition is dropped before each of them has confirmed past it.';
COMMENT ON TABLE public.outbox_slot_log IS 'What was done to slots by outboxctl slot: advanced, dropped, made anew.';
