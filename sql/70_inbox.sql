-- 70  The inbox: what a consumer has seen. PostgreSQL 14 to 18. May be applied again at any time.
--
-- Belongs into the database that the consumer writes its effects into, since claim and effect share a transaction. That
-- may be another database than the outbox's: this script needs none of the others.
--
--   inbox          one row for each message that a consumer has taken responsibility for
--   inbox_message  messages that wait: those behind one that failed, or all in the store-then-process variant
--
-- A message is known by consumer *and* message id: two consumers that share an inbox each handle it once.
--
--   inbox_owner     NOLOGIN  owns the tables; retention runs with its rights
--   inbox_consumer  NOLOGIN  claims and works; GRANT inbox_consumer TO the login roles of the consumers.
--                            It may not delete from inbox: what forgets a claim lets a repeat through.
--
-- Settings: none.
-- Run as:   a role with CREATEROLE, or the owner of the database when the two roles exist and it is a member of
--           inbox_owner.

DO $roles$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['inbox_owner', 'inbox_consumer'] LOOP
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = wanted AND rolsuper) THEN
            RAISE EXCEPTION 'role % is a superuser', wanted
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      DETAIL = 'Each role of the pipeline has the least rights that it needs.',
                      HINT = format('ALTER ROLE %I NOSUPERUSER, then apply this script again.', wanted);
        END IF;
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            EXECUTE format('CREATE ROLE %I', wanted);
        END IF;
    END LOOP;
    IF NOT pg_has_role(current_user, 'inbox_owner', 'USAGE') THEN
        GRANT inbox_owner TO CURRENT_USER;
    END IF;
END
$roles$;

-- A table of that name that is not ours is never touched, nor written into. All that is wrong with it in one error.
DO $shape$
DECLARE
    key_columns text;
    problems text;
BEGIN
    IF to_regclass('public.inbox') IS NULL THEN
        RETURN;
    END IF;
    SELECT string_agg(a.attname, ', ' ORDER BY k.place) INTO key_columns
    FROM pg_index i
    CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (attnum, place)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
    WHERE i.indrelid = 'public.inbox'::regclass AND i.indisprimary;
    SELECT string_agg(problem, '; ' ORDER BY place) INTO problems FROM (
        SELECT 0 AS place, format('its primary key is (%s), not (consumer, message_id)', coalesce(key_columns, 'none'))
            AS problem
        WHERE key_columns IS DISTINCT FROM 'consumer, message_id'
        UNION ALL
        SELECT w.place, format('column %s %s is missing', w.name, w.type)
        FROM (VALUES (1, 'consumer', 'text'), (2, 'message_id', 'text'), (3, 'claimed_at', 'timestamp with time zone'))
            AS w (place, name, type)
        WHERE NOT EXISTS (SELECT FROM pg_attribute a
            WHERE a.attrelid = 'public.inbox'::regclass AND a.attname = w.name AND NOT a.attisdropped
              AND format_type(a.atttypid, a.atttypmod) = w.type)) AS found;
    IF problems IS NOT NULL THEN
        RAISE EXCEPTION 'table public.inbox exists and is not the inbox of this pipeline'
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = problems,
                  HINT = 'ALTER TABLE public.inbox RENAME TO inbox_old, apply this script again, then keep the rows as '
                      'docs/how-to/migrate-an-inbox.md says.';
    END IF;
END
$shape$;

-- Ids are text, since other producers than our outbox have ids of other forms. "C": compared as bytes, which is quick and
-- the same on every server.
CREATE TABLE IF NOT EXISTS public.inbox (
    consumer   text COLLATE "C" NOT NULL,
    message_id text COLLATE "C" NOT NULL,
    claimed_at timestamptz      NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, message_id),
    CONSTRAINT inbox_consumer_not_blank CHECK (consumer ~ '\S'),
    CONSTRAINT inbox_message_id_not_blank CHECK (message_id ~ '\S')
);

-- lane: what keeps its order, made of topic and key. The rows of a lane are worked on by rising seq.
CREATE TABLE IF NOT EXISTS public.inbox_message (
    seq              bigint           GENERATED ALWAYS AS IDENTITY,
    consumer         text COLLATE "C" NOT NULL,
    message_id       text COLLATE "C" NOT NULL,
    lane             uuid             NOT NULL,
    topic            text             NOT NULL,
    record_partition int              NOT NULL,
    record_offset    bigint           NOT NULL,
    record_time      timestamptz      NOT NULL,
    record_key       bytea,
    record_value     bytea,
    header_names     text[]           NOT NULL,
    header_values    bytea[]          NOT NULL,
    stored_at        timestamptz      NOT NULL DEFAULT now(),
    state            text             NOT NULL DEFAULT 'waiting',
    attempts         int              NOT NULL DEFAULT 0,
    next_attempt_at  timestamptz      NOT NULL DEFAULT now(),
    last_error       text,
    PRIMARY KEY (seq),
    CONSTRAINT inbox_message_id_once UNIQUE (consumer, message_id),
    CONSTRAINT inbox_message_state CHECK (state IN ('waiting', 'parked'))
);

-- Each only where it is missing: CREATE INDEX IF NOT EXISTS waits for every open transaction that has written, and all
-- consumers would wait behind it.
DO $indexes$
BEGIN
    -- For retention, which deletes the oldest in batches. Partitions by time could not have the inbox's primary key.
    IF NOT EXISTS (SELECT FROM pg_indexes WHERE schemaname = 'public' AND tablename = 'inbox'
            AND indexname = 'inbox_claimed_at') THEN
        CREATE INDEX inbox_claimed_at ON public.inbox (consumer, claimed_at);
    END IF;
    IF NOT EXISTS (SELECT FROM pg_indexes WHERE schemaname = 'public' AND tablename = 'inbox_message'
            AND indexname = 'inbox_message_lane') THEN
        CREATE INDEX inbox_message_lane ON public.inbox_message (consumer, lane, seq);
    END IF;
    IF NOT EXISTS (SELECT FROM pg_indexes WHERE schemaname = 'public' AND tablename = 'inbox_message'
            AND indexname = 'inbox_message_due') THEN
        CREATE INDEX inbox_message_due ON public.inbox_message (consumer, seq) WHERE state = 'waiting';
    END IF;
END
$indexes$;

DO $ownership$
DECLARE
    found record;
BEGIN
    IF NOT (has_schema_privilege('inbox_owner', 'public', 'USAGE')
            AND has_schema_privilege('inbox_owner', 'public', 'CREATE')) THEN
        GRANT USAGE, CREATE ON SCHEMA public TO inbox_owner;
    END IF;
    FOR found IN
        SELECT relname AS name, relowner::regrole::text AS owner FROM pg_class
        WHERE oid IN ('public.inbox'::regclass, 'public.inbox_message'::regclass)
          AND relowner <> 'inbox_owner'::regrole
    LOOP
        IF found.owner <> quote_ident(current_user) THEN
            RAISE EXCEPTION 'table public.% belongs to %, not to inbox_owner', found.name, found.owner
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      HINT = format('ALTER TABLE public.%I OWNER TO inbox_owner. If %s consumes messages: '
                          'GRANT inbox_consumer TO %s. Then apply this script again.',
                          found.name, found.owner, found.owner);
        END IF;
        EXECUTE format('ALTER TABLE public.%I OWNER TO inbox_owner', found.name);
    END LOOP;
    -- Mostly PUBLIC has both already; only a hardened database needs the grants.
    IF NOT has_database_privilege('inbox_consumer', current_database(), 'CONNECT') THEN
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO inbox_consumer', current_database());
    END IF;
    IF NOT has_schema_privilege('inbox_consumer', 'public', 'USAGE') THEN
        GRANT USAGE ON SCHEMA public TO inbox_consumer;
    END IF;
END
$ownership$;

GRANT SELECT, INSERT ON public.inbox TO inbox_consumer;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.inbox_message TO inbox_consumer;

COMMENT ON TABLE public.inbox IS
    'Messages that a consumer has taken responsibility for: claimed in the transaction of their effect.';
COMMENT ON TABLE public.inbox_message IS
    'Messages that wait for their turn: behind one that failed, or for the processor of the store-then-process variant.';
