-- Lets answered questions be asked again while their answers stay: functions/rematch.sql.

-- The question that this row asks once more. Such a row is a shadow: a copy of what was asked, under a hash that no address has and with no
-- loose key, so nobody finds it. It only ever waits, and is gone when it ends.
ALTER TABLE geocodes ADD COLUMN shadow_of bigint;

-- Is this question being asked again? How many are?
CREATE UNIQUE INDEX geocodes_shadows ON geocodes (shadow_of) WHERE shadow_of IS NOT NULL;
