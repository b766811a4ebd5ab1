-- 15  What an event must be like. PostgreSQL 14 to 18. May be applied again at any time.
--
-- The rules refuse at write time what the router could only send to the dead-letter topic, so that the application that
-- made the mistake sees it, in words that say what to do. 20_outbox.sql makes them the check of the outbox.
--
-- Settings: none; the limits are arguments.

-- What a refused row is told. No value of payload or headers gets into the message, nor into the server's log.
CREATE OR REPLACE FUNCTION public.outbox_refuse(rule text, actual text) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $refuse$
DECLARE
    said record;
BEGIN
    SELECT * INTO said FROM (VALUES
        ('outbox_aggregate_type_legal', 'aggregate_type', 'aggregate_type cannot be part of a topic name',
            format('It is "%s".', left(actual, 249)),
            'Use only a-z A-Z 0-9 . _ and -, and not "." or ".." alone: it becomes a part of the topic''s name.'),
        ('outbox_aggregate_type_length', 'aggregate_type', 'aggregate_type is too long for a topic name',
            format('It has %s characters.', actual),
            'The topic may have 249 characters, the prefix outbox.topic_prefix included. See sql/README.md.'),
        ('outbox_aggregate_id_not_blank', 'aggregate_id', 'aggregate_id is blank', 'It is empty or white space only.',
            'Write the id of the aggregate: it becomes the key, and events of one key keep their order.'),
        ('outbox_headers_object', 'headers', 'headers is not a JSON object', format('It is of type %s.', actual),
            'Write an object such as {"tenant": "a"}, or NULL for no headers.'),
        ('outbox_payload_not_null', 'payload', 'payload is NULL', 'Only tombstones have no payload.',
            'Write it in the INSERT itself, since an UPDATE is not published. For tombstones see '
            'outbox.allow_null_payload in sql/README.md.'),
        ('outbox_record_size', 'payload', 'the event is too large for a record',
            format('Key, payload and headers take %s bytes.', actual),
            'Keep the content elsewhere and send a reference to it. The limit is outbox.max_record_bytes, see '
            'sql/README.md, and max.record.bytes of the router.'),
        ('outbox_sealed', 'created_at', 'created_at is older than the outbox keeps events', format('It is %s.', actual),
            'Leave created_at out, so that it is now(); in a transaction that began this long ago, begin another.'))
        AS r (name, at_column, problem, detail, hint)
    WHERE name = rule;
    RAISE EXCEPTION 'event refused by "%": %', rule, coalesce(said.problem, 'it breaks this rule')
        USING ERRCODE = 'check_violation', SCHEMA = 'public', TABLE = 'outbox', CONSTRAINT = rule,
              COLUMN = coalesce(said.at_column, ''), DETAIL = coalesce(said.detail, ''), HINT = coalesce(said.hint, '');
END
$refuse$;

-- One function for all rules: a check of its own for each would have to be set up anew by every INSERT statement, which
-- costs more than to evaluate it. No SET search_path for the same reason.
CREATE OR REPLACE FUNCTION public.outbox_event_is_legal(aggregate_type text, aggregate_id text, event_type text,
    payload anyelement, headers jsonb, max_type_length int, max_record_bytes int, null_payload boolean) RETURNS boolean
LANGUAGE plpgsql STABLE AS $legal$
DECLARE
    bytes bigint;
BEGIN
    -- A legal Kafka topic name. The collation keeps the ranges a-z and A-Z to ASCII.
    IF aggregate_type COLLATE "C" !~ '^[a-zA-Z0-9._-]+$' OR aggregate_type IN ('.', '..') THEN
        RETURN public.outbox_refuse('outbox_aggregate_type_legal', aggregate_type);
    END IF;
    IF char_length(aggregate_type) > max_type_length THEN
        RETURN public.outbox_refuse('outbox_aggregate_type_length', char_length(aggregate_type)::text);
    END IF;
    -- The white space of java.lang.String.isBlank, which is what the router asks.
    IF aggregate_id COLLATE "C"
            !~ '[^\t-\r\u001c- \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]' THEN
        RETURN public.outbox_refuse('outbox_aggregate_id_not_blank', NULL);
    END IF;
    IF jsonb_typeof(headers) NOT IN ('object', 'null') THEN
        RETURN public.outbox_refuse('outbox_headers_object', jsonb_typeof(headers));
    END IF;
    IF payload IS NULL AND NOT null_payload THEN
        RETURN public.outbox_refuse('outbox_payload_not_null', NULL);
    END IF;
    -- Most events are so small that they need not be written as text to know that. Only numbers of ten thousand digits
    -- and more are longer as text by more than the factor that is left. What another table has compressed says nothing.
    bytes := octet_length(aggregate_id) + coalesce(octet_length(event_type), 0);
    IF bytes + coalesce(pg_column_size(payload), 0) + coalesce(pg_column_size(headers), 0) > max_record_bytes / 500
            OR pg_column_compression(payload) IS NOT NULL OR pg_column_compression(headers) IS NOT NULL THEN
        -- As the router counts, and never less: a header takes 10 bytes beside name and value, which the JSON around
        -- short ones does not have; the headers id and eventType take 67 beside their variable text.
        bytes := bytes + 67 + coalesce(2 * octet_length(headers::text), 0);
        IF pg_typeof(payload) = 'bytea'::regtype THEN
            bytes := bytes + coalesce(octet_length(payload), 0);
        ELSE
            bytes := bytes + coalesce(octet_length(payload::text), 0);
        END IF;
        IF bytes > max_record_bytes THEN
            RETURN public.outbox_refuse('outbox_record_size', bytes::text);
        END IF;
    END IF;
    RETURN true;
END
$legal$;

-- Whoever inserts evaluates the check.
GRANT EXECUTE ON FUNCTION public.outbox_refuse(text, text),
    public.outbox_event_is_legal(text, text, text, anyelement, jsonb, int, int, boolean) TO PUBLIC;

-- CREATE on the schema: an owner needs it to be given a function or a table, and later to make partitions.
DO $ownership$
DECLARE
    found record;
BEGIN
    IF NOT (has_schema_privilege('outbox_owner', 'public', 'USAGE')
            AND has_schema_privilege('outbox_owner', 'public', 'CREATE')) THEN
        GRANT USAGE, CREATE ON SCHEMA public TO outbox_owner;
    END IF;
    FOR found IN
        SELECT oid::regprocedure AS name FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND proname IN ('outbox_refuse', 'outbox_event_is_legal')
          AND proowner <> 'outbox_owner'::regrole
    LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO outbox_owner', found.name);
    END LOOP;
END
$ownership$;
