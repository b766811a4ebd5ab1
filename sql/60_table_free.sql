-- 60  Events without a table: a function that emits them as logical messages. PostgreSQL 14 to 18. May be applied again at
-- any time. Does nothing unless the setting outbox.table_free is on.
--
-- Whoever may call pg_logical_emit_message may then publish, so EXECUTE on it is taken from PUBLIC and given to
-- outbox_writer, outbox_cdc (for the heartbeat) and outbox_monitor. Applications call public.outbox_emit: it asks the
-- rules of 15_event_rules.sql, emits within the transaction, and refuses what would be too large. An event that was
-- emitted is in the WAL only: once the slot has passed it, nothing is left to send it again from.
--
-- Settings (SET before this script, or see README.md):
--   outbox.table_free         off (default) or on; off leaves what is there as it is
--   outbox.message_prefix     outbox (default); the connector's message.prefix.include.list and the router's
--                             message.prefix name the same
--   outbox.topic_prefix       outbox.event. (default), as for 20_outbox.sql
--   outbox.max_message_bytes  450000 (default); in JSON text twice as long, the size that a dead letter may reach, the
--                             message has to stay below the router's max.record.bytes
--
-- Run as: a superuser, the owner of pg_logical_emit_message.

DO $table_free$
DECLARE
    table_free text := lower(coalesce(nullif(current_setting('outbox.table_free', true), ''), 'off'));
    prefix text := coalesce(nullif(current_setting('outbox.message_prefix', true), ''), 'outbox');
    max_bytes text := coalesce(nullif(current_setting('outbox.max_message_bytes', true), ''), '450000');
    topic_prefix text := coalesce(nullif(current_setting('outbox.topic_prefix', true), ''), 'outbox.event.');
    emitter regprocedure;
BEGIN
    IF table_free NOT IN ('on', 'off') THEN
        RAISE EXCEPTION 'setting outbox.table_free is "%"', table_free
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It may be on or off.';
    END IF;
    IF max_bytes !~ '^[1-9][0-9]{0,8}$' THEN
        RAISE EXCEPTION 'setting outbox.max_message_bytes is "%"', max_bytes
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It is a whole number of bytes, such as 450000.';
    END IF;
    IF table_free = 'off' THEN
        RETURN;
    END IF;

    -- For text and for bytea; 17 and newer have one more parameter.
    FOR emitter IN
        SELECT oid::regprocedure FROM pg_proc
        WHERE proname = 'pg_logical_emit_message' AND pronamespace = 'pg_catalog'::regnamespace
    LOOP
        IF NOT EXISTS (SELECT FROM pg_proc p WHERE p.oid = emitter AND pg_has_role(p.proowner, 'USAGE')) THEN
            RAISE EXCEPTION 'role % may not take EXECUTE on % from PUBLIC', current_user, emitter
                USING ERRCODE = 'insufficient_privilege',
                      DETAIL = 'Every role of the database could publish events.',
                      HINT = 'Let a superuser apply this script, or keep to the table.';
        END IF;
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', emitter);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO outbox_writer, outbox_cdc, outbox_monitor', emitter);
    END LOOP;

    EXECUTE format($create$
        CREATE OR REPLACE FUNCTION public.outbox_emit(
            aggregate_type text,
            aggregate_id   text,
            event_type     text,
            payload        jsonb,
            headers        jsonb DEFAULT NULL,
            id             uuid  DEFAULT gen_random_uuid())
        RETURNS uuid LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
        DECLARE
            missing text := CASE
                WHEN id IS NULL THEN 'id'
                WHEN aggregate_type IS NULL THEN 'aggregate_type'
                WHEN aggregate_id IS NULL THEN 'aggregate_id'
                WHEN payload IS NULL THEN 'payload'
            END;
            content bytea;
        BEGIN
            IF missing IS NOT NULL THEN
                RAISE EXCEPTION 'no event is emitted: %% is NULL', missing USING ERRCODE = 'check_violation';
            END IF;
            -- Of any size: a message has a limit of its own.
            PERFORM public.outbox_event_is_legal(
                aggregate_type, aggregate_id, event_type, payload, headers, %3$s, 2147483647, false);
            content := convert_to(json_build_object(
                'id', id, 'aggregate_type', aggregate_type, 'aggregate_id', aggregate_id,
                'event_type', event_type, 'payload', payload, 'headers', headers)::text, 'UTF8');
            IF octet_length(content) > %1$s THEN
                RAISE EXCEPTION 'no event is emitted: it has %% bytes and may have %1$s', octet_length(content)
                    USING ERRCODE = 'program_limit_exceeded',
                          HINT = 'Send a reference in place of the content.';
            END IF;
            PERFORM pg_logical_emit_message(true, %2$L, content);
            RETURN id;
        END
        $body$
    $create$, max_bytes, prefix, 249 - length(topic_prefix));
    ALTER FUNCTION public.outbox_emit(text, text, text, jsonb, jsonb, uuid) OWNER TO outbox_owner;
    REVOKE EXECUTE ON FUNCTION public.outbox_emit(text, text, text, jsonb, jsonb, uuid) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION public.outbox_emit(text, text, text, jsonb, jsonb, uuid) TO outbox_writer;
    COMMENT ON FUNCTION public.outbox_emit(text, text, text, jsonb, jsonb, uuid) IS
        'Emits an event as a logical message in the transaction that makes it true; answers the event''s id.';
END
$table_free$;
