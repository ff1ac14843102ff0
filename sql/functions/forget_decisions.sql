-- Deletes the decisions on a question together with the question. A foreign key would be checked for each answer that
-- is written.
CREATE OR REPLACE FUNCTION forget_decisions() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM decisions USING gone WHERE decisions.geocode = gone.id;
    RETURN NULL;
END
$$;

-- A role that deletes answers then needs no right to read decisions.
SELECT run_as_owner(ARRAY['forget_decisions()']);

CREATE OR REPLACE TRIGGER geocodes_removed
AFTER DELETE ON geocodes
REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT
EXECUTE FUNCTION forget_decisions();
