-- Lets these functions run with the owner's rights. So PUBLIC may not execute them, and they find the owner's tables
-- whatever the caller's search path is. `settings` are further clauses, such as `SET jit = off`.
CREATE OR REPLACE FUNCTION run_as_owner(functions text[], settings text DEFAULT '') RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    the_function text;
BEGIN
    FOREACH the_function IN ARRAY functions LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', the_function);
        EXECUTE format(
            'ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp %s', the_function, current_schema(), settings);
    END LOOP;
END
$$;
