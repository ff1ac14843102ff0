-- The chain of a question that is stored without one: the chain named default at that moment.
CREATE OR REPLACE FUNCTION default_chain() RETURNS integer
LANGUAGE sql STABLE
AS $$ SELECT id FROM chains WHERE name = 'default' AND is_current $$;

ALTER TABLE geocodes ALTER chain SET DEFAULT default_chain();

-- Names are compared in the form NFC, which PostgreSQL computes in UTF8 only. Without this, each import would fail.
DO $$
BEGIN
    IF getdatabaseencoding() <> 'UTF8' THEN
        RAISE EXCEPTION 'the database has the encoding %, and Waypost needs UTF8', getdatabaseencoding()
            USING HINT = 'create it with: createdb --encoding UTF8 --template template0';
    END IF;
END
$$;
