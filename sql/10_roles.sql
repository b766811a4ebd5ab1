-- 10  Roles of the outbox pipeline. PostgreSQL 14 to 18. May be applied again at any time.
--
--   outbox_owner    NOLOGIN             owns the tables; upkeep runs with its rights
--   outbox_writer   NOLOGIN             may insert events; GRANT outbox_writer TO the login roles of the applications
--   outbox_cdc      LOGIN REPLICATION   the login of the Debezium connector
--   outbox_monitor  LOGIN, pg_monitor   the login of whatever watches the slot
--
-- No role gets a password here. Until one is set, password authentication refuses the two logins.
-- A role that exists already keeps what it has; only what is missing is added.
--
-- Settings: outbox.polling, as in 65_polling.sql: where it is on, outbox_cdc may stay without REPLICATION.
-- Run as:   a superuser, or see "Without a superuser" in sql/README.md.

DO $roles$
DECLARE
    wanted record;
BEGIN
    FOR wanted IN
        SELECT * FROM (VALUES
            ('outbox_owner', false),
            ('outbox_writer', false),
            ('outbox_cdc', true),
            ('outbox_monitor', true)) AS r (name, may_log_in)
    LOOP
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = wanted.name AND rolsuper) THEN
            RAISE EXCEPTION 'role % is a superuser', wanted.name
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      DETAIL = 'Each role of the pipeline has the least rights that it needs.',
                      HINT = format('ALTER ROLE %I NOSUPERUSER, then apply this script again.', wanted.name);
        END IF;
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted.name) THEN
            EXECUTE format('CREATE ROLE %I', wanted.name);
        END IF;
        IF wanted.may_log_in AND NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted.name AND rolcanlogin) THEN
            EXECUTE format('ALTER ROLE %I LOGIN', wanted.name);
        END IF;
    END LOOP;
END
$roles$;

-- The installing role needs the owner's rights to hand the tables over. A superuser has them.
DO $installer$
BEGIN
    IF NOT pg_has_role(current_user, 'outbox_owner', 'USAGE') THEN
        GRANT outbox_owner TO CURRENT_USER;
    END IF;
END
$installer$;

-- REPLICATION cannot be given by everybody: before 16 by superusers only, from 16 on by a role that has it itself.
-- Services that keep the attribute to themselves offer a role instead (rds_replication).
DO $replication$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'outbox_cdc' AND rolreplication) THEN
        RETURN;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'rds_replication') THEN
        IF NOT pg_has_role('outbox_cdc', 'rds_replication', 'MEMBER') THEN
            EXECUTE 'GRANT rds_replication TO outbox_cdc';
        END IF;
        RETURN;
    END IF;
    BEGIN
        ALTER ROLE outbox_cdc REPLICATION;
    EXCEPTION WHEN insufficient_privilege THEN
        -- The relay does without.
        IF lower(current_setting('outbox.polling', true)) = 'on' THEN
            RETURN;
        END IF;
        RAISE EXCEPTION 'role % may not give REPLICATION to outbox_cdc', current_user
            USING ERRCODE = 'insufficient_privilege',
                  DETAIL = SQLERRM,
                  HINT = 'Let an administrator run: ALTER ROLE outbox_cdc REPLICATION. Then apply this script again.';
    END;
END
$replication$;

DO $monitor$
BEGIN
    IF pg_has_role('outbox_monitor', 'pg_monitor', 'MEMBER') THEN
        RETURN;
    END IF;
    GRANT pg_monitor TO outbox_monitor;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE EXCEPTION 'role % may not grant pg_monitor to outbox_monitor', current_user
        USING ERRCODE = 'insufficient_privilege',
              DETAIL = SQLERRM,
              HINT = 'Let an administrator run: GRANT pg_monitor TO outbox_monitor. Then apply this script again.';
END
$monitor$;
