-- Takes the rows of an older inbox, whose key is the message id alone, into public.inbox. PostgreSQL 14 to 18. May be
-- applied again at any time: rows that are there already are left as they are, and the older table is not changed.
--
-- The older rows do not say who has handled a message, so the consumers are named here: every one that has used the table
-- until now and is to go on. A consumer that is not named takes old messages for new ones.
--
-- Settings (SET before this script):
--   inbox.old_table        the older table, for example public.inbox_old (required)
--   inbox.consumers        the consumers, separated by commas (required)
--   inbox.old_id_column    message_id (default)
--   inbox.old_time_column  when a message was handled: timestamptz, timestamp or date; unset: now
--
-- Run as: a member of inbox_owner that may read the older table, after 70_inbox.sql.

DO $migration$
DECLARE
    old_table_setting text := nullif(current_setting('inbox.old_table', true), '');
    consumers_setting text := nullif(current_setting('inbox.consumers', true), '');
    id_column text := coalesce(nullif(current_setting('inbox.old_id_column', true), ''), 'message_id');
    time_column text := nullif(current_setting('inbox.old_time_column', true), '');
    old_table regclass;
    names text[];
    strange text;
    taken bigint;
BEGIN
    IF to_regclass('public.inbox') IS NULL THEN
        RAISE EXCEPTION 'table public.inbox does not exist in database %', current_database()
            USING ERRCODE = 'undefined_table', HINT = 'Apply 70_inbox.sql first.';
    END IF;
    IF old_table_setting IS NULL OR consumers_setting IS NULL THEN
        RAISE EXCEPTION 'settings inbox.old_table and inbox.consumers are needed'
            USING ERRCODE = 'invalid_parameter_value',
                  HINT = 'For example: SET inbox.old_table = ''public.inbox_old''; SET inbox.consumers = ''billing, mail'';';
    END IF;
    old_table := to_regclass(old_table_setting);
    IF old_table IS NULL OR old_table = 'public.inbox'::regclass THEN
        RAISE EXCEPTION 'setting inbox.old_table is "%"', old_table_setting
            USING ERRCODE = 'undefined_table', HINT = 'Give the older table, with its schema.';
    END IF;
    SELECT string_agg(w.name, ', ') INTO strange
    FROM unnest(ARRAY[id_column, time_column]) AS w (name)
    WHERE w.name IS NOT NULL AND NOT EXISTS (
        SELECT FROM pg_attribute a
        WHERE a.attrelid = old_table AND a.attname = w.name AND a.attnum > 0 AND NOT a.attisdropped);
    IF strange IS NOT NULL THEN
        RAISE EXCEPTION 'table % has no column %', old_table, strange
            USING ERRCODE = 'undefined_column', HINT = 'Set inbox.old_id_column and inbox.old_time_column.';
    END IF;
    SELECT array_agg(DISTINCT trim(n.name)) INTO names
    FROM unnest(string_to_array(consumers_setting, ',')) AS n (name) WHERE trim(n.name) <> '';
    IF names IS NULL THEN
        RAISE EXCEPTION 'setting inbox.consumers is "%"', consumers_setting
            USING ERRCODE = 'invalid_parameter_value', HINT = 'Name at least one consumer.';
    END IF;

    EXECUTE format(
        'INSERT INTO public.inbox (consumer, message_id, claimed_at)
         SELECT c.name, o.%1$I::text, coalesce(%2$s, now()) FROM %3$s o CROSS JOIN unnest($1) AS c (name)
         WHERE o.%1$I IS NOT NULL AND o.%1$I::text ~ ''\S''
         ON CONFLICT DO NOTHING',
        id_column,
        CASE WHEN time_column IS NULL THEN 'NULL' ELSE format('o.%I::timestamptz', time_column) END,
        old_table)
    USING names;
    GET DIAGNOSTICS taken = ROW_COUNT;
    RAISE NOTICE '% rows taken over from % for %', taken, old_table, array_to_string(names, ', ');
END
$migration$;
