-- What the search for friends looks at: all names, each once, for most are parts of the whole name. An index has the values: who changes this
-- function gives the index and the statistics another name, and drops those that were.
CREATE OR REPLACE FUNCTION names_of_friend(name text, first_name text, last_name text, nickname text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN lower(
    name || CASE WHEN strpos(name, first_name) > 0 THEN '' ELSE ' ' || first_name END
    || CASE WHEN strpos(name, last_name) > 0 THEN '' ELSE ' ' || last_name END
    || CASE WHEN strpos(name, nickname) > 0 THEN '' ELSE ' ' || nickname END);

-- The account's friends whose names contain a text, in upper or lower case, in one of Monica's orders.
--
-- With the owner's rights, for row-level security lets no index be asked for what is LIKE a text: it could tell of other accounts' rows.
-- Here the account is a condition. Planned for each text: of a rare one the trigrams' index has the few rows, of a frequent one the
-- first friends in order soon are enough.
CREATE OR REPLACE FUNCTION friends_named(text text, by_change boolean, descending boolean, most integer, skipped bigint)
RETURNS SETOF bigint
LANGUAGE plpgsql STABLE
AS $$
BEGIN
    RETURN QUERY EXECUTE format(
        'SELECT id FROM friends WHERE account = %s AND deleted_at IS NULL '
        'AND names_of_friend(name, first_name, last_name, nickname) LIKE %L '
        'ORDER BY %I %s, id %4$s LIMIT %s OFFSET %s',
        coalesce(current_account(), 0), '%' || replace(replace(replace(lower(text), '\', '\\'), '%', '\%'), '_', '\_') || '%',
        CASE WHEN by_change THEN 'updated_at' ELSE 'created_at' END, CASE WHEN descending THEN 'DESC' ELSE 'ASC' END,
        most, skipped);
END
$$;

DO $$
BEGIN
    REVOKE EXECUTE ON FUNCTION friends_named(text, boolean, boolean, integer, bigint) FROM PUBLIC;
    EXECUTE format(
        'ALTER FUNCTION friends_named(text, boolean, boolean, integer, bigint) SECURITY DEFINER SET search_path = %I, pg_temp '
        'SET enable_bitmapscan = on SET enable_sort = on',
        current_schema());
END
$$;

-- How many names have a text, ANALYZE learns from these. Of the index's own statistics PostgreSQL makes no use here: it took 8,000 of a million for a
-- text that 1,111 had, and went through the friends in order for 0.4 s.
CREATE STATISTICS IF NOT EXISTS names_of_friends ON (names_of_friend(name, first_name, last_name, nickname)) FROM friends;

-- The index that finds texts inside of names needs PostgreSQL's own extension pg_trgm, which whoever may create objects in the database
-- may install (it is "trusted"). Where the server lacks it, or it may not be installed, names are searched one by one.
DROP INDEX IF EXISTS friends_by_name;

DO $$
DECLARE
    home text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
        BEGIN
            CREATE EXTENSION pg_trgm;
        EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege OR invalid_parameter_value THEN
            RAISE NOTICE 'pg_trgm is not there: names are searched one by one';
        END;
    END IF;
    SELECT nspname INTO home
    FROM pg_extension
    JOIN pg_namespace ON pg_namespace.oid = extnamespace
    WHERE extname = 'pg_trgm';
    IF home IS NOT NULL THEN
        EXECUTE format(
            'CREATE INDEX IF NOT EXISTS friends_by_names ON friends USING gin '
            '(names_of_friend(name, first_name, last_name, nickname) %I.gin_trgm_ops) WITH (gin_pending_list_limit = 16384) '
            'WHERE deleted_at IS NULL', home);
    END IF;
END
$$;
