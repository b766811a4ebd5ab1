-- 40  The replication slot. PostgreSQL 14 to 18. May be applied again at any time.
--
-- A logical slot cannot be made in a transaction that has written, so this script writes nothing and belongs in a
-- transaction of its own. Making a slot waits for all transactions that have written and are still open.
--
-- What commits before the slot exists is never seen. So the slot comes before any application may write (50), and
-- this script refuses to make a slot again that is registered and gone: that would hide a gap.
--
-- Settings (SET before this script, or see README.md):
--   outbox.slot_name         outbox (default)
--   outbox.publication_name  outbox (default); must exist already
--   outbox.slot_failover     on (default) or off; 17 and newer: standbys keep a copy of the slot
--
-- Run as: outbox_cdc or another role with REPLICATION, or a superuser. Needs wal_level = logical.

DO $slot$
DECLARE
    slot text := coalesce(nullif(current_setting('outbox.slot_name', true), ''), 'outbox');
    publication text := coalesce(nullif(current_setting('outbox.publication_name', true), ''), 'outbox');
    failover_setting text := coalesce(nullif(current_setting('outbox.slot_failover', true), ''), 'on');
    has_failover constant boolean := current_setting('server_version_num')::int >= 170000;
    existing record;
    problem text;
    remedy text;
    writers text;
BEGIN
    IF slot !~ '^[a-z0-9_]{1,63}$' THEN
        RAISE EXCEPTION 'setting outbox.slot_name is "%"', slot
            USING ERRCODE = 'invalid_parameter_value',
                  HINT = 'A slot name has 1 to 63 lower-case letters, digits and underscores.';
    END IF;
    IF lower(failover_setting) NOT IN ('on', 'off') THEN
        RAISE EXCEPTION 'setting outbox.slot_failover is "%"', failover_setting
            USING ERRCODE = 'invalid_parameter_value', HINT = 'It may be on or off.';
    END IF;
    IF to_regclass('public.outbox_slot') IS NULL THEN
        RAISE EXCEPTION 'table public.outbox_slot does not exist in database %', current_database()
            USING ERRCODE = 'undefined_table', HINT = 'Apply 20_outbox.sql first.';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_publication WHERE pubname = publication) THEN
        RAISE EXCEPTION 'publication % does not exist in database %', publication, current_database()
            USING ERRCODE = 'undefined_object',
                  HINT = 'Apply 30_publication.sql first: a slot that is older than its publication is stuck.';
    END IF;

    SELECT * INTO existing FROM pg_replication_slots WHERE slot_name = slot;
    IF FOUND THEN
        CASE
            WHEN existing.slot_type <> 'logical' THEN
                problem := 'it is a physical slot';
            WHEN existing.database <> current_database() THEN
                problem := format('it belongs to database %s, not to %s', existing.database, current_database());
            WHEN existing.plugin <> 'pgoutput' THEN
                problem := format('its plugin is %s, not pgoutput', existing.plugin);
            WHEN existing.temporary THEN
                problem := 'it is temporary';
            WHEN existing.wal_status = 'lost' THEN
                problem := 'it is lost: the server has dropped WAL that it had not delivered';
                remedy := 'See "When a slot is lost or gone" in sql/README.md.';
            ELSE
                NULL;
        END CASE;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'slot % exists and cannot be used for the outbox', slot
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      DETAIL = problem,
                      HINT = coalesce(remedy, 'Take another name: SET outbox.slot_name = ''...'', and the same in '
                          'slot.name of the connector.');
        END IF;
        IF has_failover AND lower(failover_setting) = 'on' THEN
            IF NOT existing.failover THEN
                RAISE WARNING 'slot % was made without failover and stays so', slot
                    USING HINT = 'Over a replication connection: ALTER_REPLICATION_SLOT ' || slot || ' (FAILOVER true)';
            END IF;
        END IF;
        RETURN;
    END IF;

    IF EXISTS (SELECT FROM public.outbox_slot WHERE slot_name = slot) THEN
        RAISE EXCEPTION 'slot % is registered in public.outbox_slot and does not exist', slot
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = 'Events that it had not delivered are still in the outbox. A new slot would not see them.',
                  HINT = 'See "When a slot is lost or gone" in sql/README.md.';
    END IF;
    IF current_setting('wal_level') <> 'logical' THEN
        RAISE EXCEPTION 'wal_level is %, a logical slot needs logical', current_setting('wal_level')
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'ALTER SYSTEM SET wal_level = logical, then restart the server.';
    END IF;

    SELECT string_agg(pid::text, ', ') INTO writers
    FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid();
    IF writers IS NOT NULL THEN
        RAISE NOTICE 'making slot % waits for the open transactions of pid %', slot, writers;
    END IF;
    -- In a statement of its own: outbox_cdc, who may run this script, must not read the rows.
    IF has_table_privilege('public.outbox', 'SELECT') THEN
        IF EXISTS (SELECT FROM public.outbox) THEN
            RAISE WARNING 'rows that are in public.outbox already come before slot % and will not be published', slot
                USING HINT = 'To publish them, see step 6 of "When a slot is lost or gone" in sql/README.md.';
        END IF;
    END IF;
    IF has_failover THEN
        EXECUTE 'SELECT pg_create_logical_replication_slot($1, ''pgoutput'', failover => $2)'
            USING slot, lower(failover_setting) = 'on';
    ELSE
        PERFORM pg_create_logical_replication_slot(slot, 'pgoutput');
    END IF;
END
$slot$;
