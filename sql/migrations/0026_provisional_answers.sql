-- An answer is provisional if a provider of the chain did not look: it keeps its place, and is asked again later.
-- tables/geocodes.sql and tables/contacts.sql explain the columns.

-- step
ALTER TABLE geocodes ADD COLUMN ask_again_at timestamptz;

-- step
ALTER TABLE addresses ADD COLUMN place_is_provisional boolean NOT NULL DEFAULT false;

-- step
ALTER TABLE address_tallies ADD COLUMN is_provisional boolean NOT NULL DEFAULT false;

-- step
CREATE INDEX CONCURRENTLY geocodes_provisional ON geocodes (ask_again_at) WHERE ask_again_at IS NOT NULL;
