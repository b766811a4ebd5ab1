-- 30  The publication. PostgreSQL 14 to 18. May be applied again at any time.
--
-- It publishes the inserts of public.outbox and nothing else, through the partition root: without that a partitioned
-- outbox publishes under the names of its partitions, which the connector filters out, and no error shows.
-- From 15 on it has a column list of every column except created_at, which saves the connector a quarter of its work, and
-- except those of 65_polling.sql.
-- Apply this script again after a column was added to the outbox.
--
-- The publication comes before the slot: decoding looks it up as it was when a row was written, so a slot older than
-- its publication is stuck. For the same reason it is altered here, never dropped and made anew.
--
-- Settings (SET before this script, or see README.md):
--   outbox.publication_name    outbox (default)
--   outbox.publish_created_at  off (default) or on; on publishes all columns. 14 has no column lists and publishes all.

DO $publication$
DECLARE
    publication text := coalesce(nullif(current_setting('outbox.publication_name', true), ''), 'outbox');
    created_at_setting text := coalesce(nullif(current_setting('outbox.publish_created_at', true), ''), 'off');
    has_column_lists constant boolean := current_setting('server_version_num')::int >= 150000;
    outbox_table constant regclass := to_regclass('public.outbox');
    existing record;
    column_list text := '';
    current_list text := '';
    strangers text;
BEGIN
    IF lower(created_at_setting) NOT IN ('on', 'off') THEN
        RAISE EXCEPTION 'setting outbox.publish_created_at is "%"', created_at_setting
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It may be on or off.';
    END IF;
    IF outbox_table IS NULL THEN
        RAISE EXCEPTION 'table public.outbox does not exist in database %', current_database()
            USING ERRCODE = 'undefined_table', HINT = 'Apply 20_outbox.sql first.';
    END IF;

    IF has_column_lists AND lower(created_at_setting) = 'off' THEN
        SELECT format('(%s)', string_agg(quote_ident(attname), ', ' ORDER BY attnum)) INTO column_list
        FROM pg_attribute
        WHERE attrelid = outbox_table AND attnum > 0 AND NOT attisdropped
          AND attgenerated = '' AND attname <> 'created_at'
          AND NOT (attname IN ('seq', 'published_at', 'attempts') AND to_regclass('public.outbox_shard') IS NOT NULL);
    END IF;

    SELECT * INTO existing FROM pg_publication WHERE pubname = publication;
    IF NOT FOUND THEN
        EXECUTE format('CREATE PUBLICATION %I FOR TABLE %s %s WITH (publish = ''insert'', '
            'publish_via_partition_root = true)', publication, outbox_table, column_list);
        RETURN;
    END IF;

    -- What cannot be altered, or what somebody else may rely on.
    SELECT string_agg(what, '; ') INTO strangers FROM (
        SELECT 'it publishes ALL TABLES' AS what WHERE existing.puballtables
        UNION ALL
        SELECT 'it also publishes table ' || prrelid::regclass FROM pg_publication_rel
        WHERE prpubid = existing.oid AND prrelid <> outbox_table) AS s;
    IF has_column_lists AND strangers IS NULL THEN
        SELECT string_agg(what, '; ') INTO strangers FROM (
            SELECT 'it publishes all tables of schema ' || pnnspid::regnamespace AS what
            FROM pg_publication_namespace WHERE pnpubid = existing.oid
            UNION ALL
            SELECT 'it has the row filter WHERE ' || pg_get_expr(prqual, prrelid) FROM pg_publication_rel
            WHERE prpubid = existing.oid AND prqual IS NOT NULL) AS s;
    END IF;
    IF strangers IS NOT NULL THEN
        RAISE EXCEPTION 'publication % exists and is not the one of the outbox alone', publication
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = strangers,
                  HINT = 'Take another name: SET outbox.publication_name = ''...'', and the same in '
                      'publication.name of the connector. Do not drop a publication that a slot reads.';
    END IF;

    -- Altered only where something differs, so that applying this again takes no lock and writes no catalog row.
    IF NOT existing.pubinsert OR existing.pubupdate OR existing.pubdelete OR existing.pubtruncate
            OR NOT existing.pubviaroot THEN
        EXECUTE format('ALTER PUBLICATION %I SET (publish = ''insert'', publish_via_partition_root = true)',
            publication);
    END IF;
    IF has_column_lists THEN
        SELECT coalesce(format('(%s)', string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)
                FILTER (WHERE a.attname IS NOT NULL)), '')
            INTO current_list
        FROM pg_publication_rel r
        LEFT JOIN pg_attribute a ON a.attrelid = r.prrelid AND a.attnum = ANY (r.prattrs)
        WHERE r.prpubid = existing.oid AND r.prattrs IS NOT NULL
        HAVING count(*) > 0;
        current_list := coalesce(current_list, '');
    END IF;
    IF current_list <> column_list
            OR NOT EXISTS (SELECT FROM pg_publication_rel WHERE prpubid = existing.oid) THEN
        EXECUTE format('ALTER PUBLICATION %I SET TABLE %s %s', publication, outbox_table, column_list);
    END IF;
END
$publication$;
