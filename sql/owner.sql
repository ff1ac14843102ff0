-- Row-level security for the owner of the tables. `waypost migrate` runs this file where the owner may not become waypost_api and
-- waypost_admin (see roles.sql): then the HTTP server works as the owner, and an account still sees its own rows only.
--
-- A session that names an account in `waypost.account` sees what that account may see. One that names none sees everything:
-- those of workers, coordinators and commands. So do the functions that work with the owner's rights, inside of any session: they
-- are known by the search path that each of them sets. (A function can't set `waypost.account` itself: that takes a superuser.)
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
    -- As waypost_admin has them: answers belong to no account, and a person decides on them. Tokens of the account.
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'geocodes'::regclass AND polname = 'owner_answers') THEN
        CREATE POLICY owner_answers ON geocodes TO CURRENT_USER USING (account IS NULL);
    END IF;
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'tokens'::regclass AND polname = 'owner_tokens') THEN
        CREATE POLICY owner_tokens ON tokens TO CURRENT_USER USING (account = current_account());
    END IF;
END
$$;
