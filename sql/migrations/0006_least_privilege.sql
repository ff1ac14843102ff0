-- What the roles could do with these, they need not: `bearer_of_token` and `note_use_of_token` take the hash of the token's secret as well,
-- which was to be had here.
DROP FUNCTION IF EXISTS token_holder(integer);
DROP FUNCTION IF EXISTS note_token_use(integer);

-- Who may change which answer is now in several policies: see functions/row_security.sql.
DROP POLICY IF EXISTS answers_and_own_pins ON geocodes;
