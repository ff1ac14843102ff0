-- A pin is what a contact of one account says of its own place. It is a row of that account alone, as its friends and
-- addresses are; all other answers are shared.
ALTER TABLE geocodes
    -- Whose pin this is. Null for an answer. Not a foreign key, for which every answer would pay.
    ADD account integer;

UPDATE geocodes
SET account = (
    SELECT friends.account
    FROM addresses JOIN friends ON friends.id = addresses.friend
    WHERE addresses.hash = geocodes.hash
    LIMIT 1)
WHERE provider = 'contact';

-- No address has these any more.
DELETE FROM geocodes WHERE provider = 'contact' AND account IS NULL;

ALTER TABLE geocodes ADD CONSTRAINT a_pin_has_an_account CHECK (provider <> 'contact' OR account IS NOT NULL);

ALTER TABLE geocodes ENABLE ROW LEVEL SECURITY;
CREATE POLICY answers_and_own_pins ON geocodes USING (account IS NULL OR account = current_account());
