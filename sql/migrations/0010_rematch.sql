-- Lets answered questions be asked again while their answers stay. See functions/rematch.sql.

-- The question that this row asks again. Such a row is a shadow: a copy of the question's address. No search finds it,
-- because its hash belongs to no address and it has no loose key. It only waits, and is deleted when it ends.
ALTER TABLE geocodes ADD COLUMN shadow_of bigint;

-- Finds the shadow of a question, and counts the shadows. A question has at most one.
CREATE UNIQUE INDEX geocodes_shadows ON geocodes (shadow_of) WHERE shadow_of IS NOT NULL;
