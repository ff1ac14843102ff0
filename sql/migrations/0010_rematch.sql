-- Lets answered questions be asked again while their answers stay. See functions/rematch.sql.

ALTER TABLE geocodes ADD COLUMN shadow_of bigint;

CREATE UNIQUE INDEX geocodes_shadows ON geocodes (shadow_of) WHERE shadow_of IS NOT NULL;
