-- An answer is provisional if a provider of the chain did not look: it keeps its place, and is asked again later.
-- A lane may rest after a failed call. The files in tables/ explain the columns.

-- step
ALTER TABLE geocodes ADD COLUMN ask_again_at timestamptz;

-- step
ALTER TABLE addresses ADD COLUMN place_is_provisional boolean NOT NULL DEFAULT false;

-- step
ALTER TABLE address_tallies ADD COLUMN is_provisional boolean NOT NULL DEFAULT false;

-- step
ALTER TABLE lanes
    ADD COLUMN rest_after_failure interval NOT NULL DEFAULT '0',
    ADD CONSTRAINT a_rest_is_not_negative CHECK (rest_after_failure >= '0');

-- step
ALTER TABLE refused_fixes ADD COLUMN recent bigint[] NOT NULL DEFAULT '{}';

-- step
CREATE INDEX CONCURRENTLY geocodes_provisional ON geocodes (ask_again_at) WHERE ask_again_at IS NOT NULL;
