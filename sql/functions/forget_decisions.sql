-- Deletes the decisions on a question together with the question. A foreign key would be checked for each answer that
-- is written.
CREATE OR REPLACE FUNCTION forget_decisions() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM decisions USING gone WHERE decisions.geocode = gone.id;
    RETURN NULL;
END
$$;

-- Runs with the owner's rights: a role that deletes answers needs no right to read decisions.
REVOKE EXECUTE ON FUNCTION forget_decisions() FROM PUBLIC;
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION forget_decisions() SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END
$$;

CREATE OR REPLACE TRIGGER geocodes_removed
AFTER DELETE ON geocodes
REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT
EXECUTE FUNCTION forget_decisions();
