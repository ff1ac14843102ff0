-- The roles do not need these functions, which need no secret: `token_holder` returned the hash of a token's secret.
-- `bearer_of_token` and `note_use_of_token` replace them, and also require that hash as an argument.
DROP FUNCTION IF EXISTS token_holder(integer);
DROP FUNCTION IF EXISTS note_token_use(integer);

-- Several policies in functions/row_security.sql replace this one.
DROP POLICY IF EXISTS answers_and_own_pins ON geocodes;
