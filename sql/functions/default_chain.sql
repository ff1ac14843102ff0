-- The chain of a question that is stored without one: the chain that is named default when it is stored.
CREATE OR REPLACE FUNCTION default_chain() RETURNS integer
LANGUAGE sql STABLE
AS $$ SELECT id FROM chains WHERE name = 'default' AND is_current $$;

ALTER TABLE geocodes ALTER chain SET DEFAULT default_chain();
