-- 50  Registers the slot, then lets applications write. PostgreSQL 14 to 18. May be applied again at any time.
--
-- Refuses when the slot is missing or lost: whatever an application commits must come after the slot.
--
--   outbox_writer    INSERT on outbox, nothing else: no reading, no changing, no deleting
--   outbox_cdc       the slot and its decoding come with REPLICATION; no right on the table's rows is needed
--   outbox_monitor   SELECT on outbox_slot, beside pg_monitor; of outbox the columns that tell which events there are,
--                    in which order they were committed and when: no payload, no headers
--
-- Settings (SET before this script, or see README.md):
--   outbox.slot_name         outbox (default)
--   outbox.publication_name  outbox (default)

DO $register$
DECLARE
    slot text := coalesce(nullif(current_setting('outbox.slot_name', true), ''), 'outbox');
    publication text := coalesce(nullif(current_setting('outbox.publication_name', true), ''), 'outbox');
    existing record;
    problem text;
BEGIN
    SELECT * INTO existing FROM pg_replication_slots WHERE slot_name = slot;
    IF NOT FOUND THEN
        problem := 'it does not exist';
    ELSIF existing.slot_type <> 'logical' OR existing.plugin <> 'pgoutput' THEN
        problem := format('it is a %s slot with plugin %s, not a logical one with pgoutput',
            existing.slot_type, coalesce(existing.plugin, 'none'));
    ELSIF existing.database <> current_database() THEN
        problem := format('it belongs to database %s, not to %s', existing.database, current_database());
    ELSIF existing.wal_status = 'lost' THEN
        problem := 'it is lost';
    END IF;
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'nobody may write to the outbox yet: slot % is not ready', slot
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = problem,
                  HINT = 'Apply 40_slot.sql first. What is written before the slot exists is never published.';
    END IF;

    INSERT INTO public.outbox_slot (slot_name, publication_name, registered_lsn)
    VALUES (slot, publication, existing.confirmed_flush_lsn)
    ON CONFLICT (slot_name) DO UPDATE SET publication_name = excluded.publication_name
        WHERE outbox_slot.publication_name <> excluded.publication_name;
END
$register$;

DO $schema$
DECLARE
    user_role text;
BEGIN
    -- Mostly PUBLIC has both already; only a hardened database needs the grants.
    FOREACH user_role IN ARRAY ARRAY['outbox_writer', 'outbox_cdc', 'outbox_monitor'] LOOP
        IF NOT has_database_privilege(user_role, current_database(), 'CONNECT') THEN
            EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), user_role);
        END IF;
        IF NOT has_schema_privilege(user_role, 'public', 'USAGE') THEN
            EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', user_role);
        END IF;
    END LOOP;
END
$schema$;

GRANT SELECT ON public.outbox_slot TO outbox_cdc, outbox_monitor;
GRANT INSERT ON public.outbox TO outbox_writer;
GRANT SELECT (id, aggregate_type, aggregate_id, created_at, xmin, xmax, cmin) ON public.outbox TO outbox_monitor;
