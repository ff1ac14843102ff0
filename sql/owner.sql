-- Row-level security for the owner of the tables. `waypost migrate` runs this file if the owner may not become
-- waypost_api and waypost_admin (see roles.sql). Then the HTTP server works as the owner, and an account still sees
-- only its own rows.
--
-- A session that sets `waypost.account` sees what that account may see. A session without it sees everything: workers,
-- coordinators and commands. The functions that run with the owner's rights also see everything, inside any session.
-- They are recognized by the search path that each of them sets. (A function can't set `waypost.account` itself: that
-- takes a superuser.)
DO $$
DECLARE
    the_table name;
    path CONSTANT text := quote_ident(current_schema()) || ', pg_temp';
BEGIN
    FOR the_table IN
        SELECT relname
        FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relrowsecurity AND NOT relispartition
    LOOP
        IF NOT EXISTS (
            SELECT FROM pg_policy WHERE polrelid = format('%I', the_table)::regclass AND polname = 'owner_without_account')
        THEN
            EXECUTE format(
                'CREATE POLICY owner_without_account ON %I TO CURRENT_USER '
                'USING (current_account() IS NULL OR current_setting(''search_path'') = %L)', the_table, path);
        END IF;
        IF NOT (SELECT relforcerowsecurity FROM pg_class WHERE oid = format('%I', the_table)::regclass) THEN
            EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', the_table);
        END IF;
    END LOOP;
    -- The same rights as waypost_admin: answers, which belong to no account and on which a person decides, and tokens
    -- of the account.
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'geocodes'::regclass AND polname = 'owner_answers') THEN
        CREATE POLICY owner_answers ON geocodes TO CURRENT_USER USING (account IS NULL);
    END IF;
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'tokens'::regclass AND polname = 'owner_tokens') THEN
        CREATE POLICY owner_tokens ON tokens TO CURRENT_USER USING (account = current_account());
    END IF;
END
$$;
