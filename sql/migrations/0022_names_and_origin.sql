-- Names by which something is found have the form NFC of Unicode: Swift takes `José` in NFC and in NFD for one name, and
-- PostgreSQL takes them for two. Of several names that become equal, one stays without an addition: the one that has
-- this form already, or else the first. The others get their id behind them, ` [7]`, so that nothing is merged and
-- nothing is lost. The log of acts (`waypost log`) has a line for each name with an addition.

-- step
WITH given AS (
    SELECT id, name, normalize(name) AS form,
           row_number() OVER (PARTITION BY normalize(name) ORDER BY name IS NFC NORMALIZED DESC, id) > 1 AS is_taken
    FROM accounts
), renamed AS (
    UPDATE accounts
    SET name = CASE WHEN is_taken THEN form || ' [' || given.id || ']' ELSE form END
    FROM given
    WHERE accounts.id = given.id AND accounts.name IS NOT NFC NORMALIZED
    RETURNING accounts.name, given.name AS former, is_taken
)
INSERT INTO audit_log (verb, target, author, host, before, after)
SELECT 'accounts.rename', name, current_user, 'migration 22', jsonb_build_object('name', former),
       jsonb_build_object('name', name)
FROM renamed
WHERE is_taken;
ALTER TABLE accounts ADD CONSTRAINT a_name_is_in_the_form_nfc CHECK (name IS NFC NORMALIZED);
ALTER TABLE trackers ADD CONSTRAINT a_user_id_is_in_the_form_nfc CHECK (user_id IS NFC NORMALIZED) NOT VALID;
ALTER TABLE friends ADD CONSTRAINT a_key_and_a_feed_are_in_the_form_nfc
    CHECK (source_key IS NFC NORMALIZED AND feed IS NFC NORMALIZED) NOT VALID;
ALTER TABLE imports ADD CONSTRAINT a_feed_is_in_the_form_nfc CHECK (feed IS NFC NORMALIZED) NOT VALID;

-- The tokens of a user are renamed with the tracker, so that a token never becomes good for another one.
-- step in batches of trackers
WITH given AS (
    SELECT id, account, user_id, normalize(user_id) AS form,
           row_number() OVER (PARTITION BY account, normalize(user_id) ORDER BY id) > 1
               OR length(normalize(user_id)) > 200
               OR EXISTS (
                   SELECT
                   FROM trackers AS other
                   WHERE other.account = trackers.account AND other.user_id = normalize(trackers.user_id)
               ) AS is_taken
    FROM trackers
    WHERE id BETWEEN :first AND :last AND user_id IS NOT NFC NORMALIZED
), named AS (
    SELECT id, account, user_id, is_taken,
           CASE WHEN is_taken THEN left(form, 180) || ' [' || id || ']' ELSE form END AS name
    FROM given
), of_tokens AS (
    UPDATE tokens
    SET user_id = named.name
    FROM named
    WHERE tokens.account = named.account AND tokens.user_id = named.user_id
), renamed AS (
    UPDATE trackers
    SET user_id = named.name
    FROM named
    WHERE trackers.id = named.id
)
INSERT INTO audit_log (verb, target, author, host, after)
SELECT 'trackers.rename', id::text, current_user, 'migration 22', '{"why": "another tracker has this name"}'
FROM named
WHERE is_taken;

-- These tokens are for users without a tracker.
-- step
WITH given AS (
    SELECT id, normalize(user_id) AS form, min(id) OVER (PARTITION BY account, user_id) AS first,
           dense_rank() OVER (PARTITION BY account, normalize(user_id) ORDER BY user_id COLLATE "C") > 1
               OR length(normalize(user_id)) > 200
               OR EXISTS (
                   SELECT
                   FROM trackers
                   WHERE trackers.account = tokens.account AND trackers.user_id = normalize(tokens.user_id)
               )
               OR EXISTS (
                   SELECT
                   FROM tokens AS other
                   WHERE other.account = tokens.account AND other.user_id = normalize(tokens.user_id)
               ) AS is_taken
    FROM tokens
    WHERE user_id IS NOT NFC NORMALIZED
), renamed AS (
    UPDATE tokens
    SET user_id = CASE WHEN is_taken THEN left(form, 180) || ' [token ' || first || ']' ELSE form END
    FROM given
    WHERE tokens.id = given.id
    RETURNING tokens.id, is_taken
)
INSERT INTO audit_log (verb, target, author, host, after)
SELECT 'tokens.rename', id::text, current_user, 'migration 22', '{"why": "another tracker or token has this user"}'
FROM renamed
WHERE is_taken;
ALTER TABLE tokens ADD CONSTRAINT a_user_id_is_in_the_form_nfc CHECK (user_id IS NFC NORMALIZED);

-- step in batches of friends
WITH given AS (
    SELECT id, normalize(feed) AS feed, normalize(source_key) AS form,
           source_key IS NOT NFC NORMALIZED AND (
               row_number() OVER (PARTITION BY account, normalize(source_key) ORDER BY id) > 1
               OR length(normalize(source_key)) > 500
               OR EXISTS (
                   SELECT
                   FROM friends AS other
                   WHERE other.account = friends.account AND other.source_key = normalize(friends.source_key)
               )
           ) AS is_taken
    FROM friends
    WHERE id BETWEEN :first AND :last AND NOT (source_key IS NFC NORMALIZED AND feed IS NFC NORMALIZED)
), renamed AS (
    UPDATE friends
    SET feed = given.feed, source_key = CASE WHEN is_taken THEN left(form, 470) || ' [' || given.id || ']' ELSE form END
    FROM given
    WHERE friends.id = given.id
    RETURNING friends.id, is_taken
)
INSERT INTO audit_log (verb, target, author, host, after)
SELECT 'friends.rename', id::text, current_user, 'migration 22', '{"why": "another friend has this key"}'
FROM renamed
WHERE is_taken;

-- An unfinished import of a feed that another unfinished import reads ends here: the next import begins again.
-- step in batches of imports
UPDATE imports
SET feed = normalize(feed),
    finished_at = CASE
        WHEN finished_at IS NULL AND EXISTS (
            SELECT
            FROM imports AS other
            WHERE other.account = imports.account AND normalize(other.feed) = normalize(imports.feed)
              AND other.finished_at IS NULL AND other.id <> imports.id
        ) THEN now()
        ELSE finished_at END
WHERE id BETWEEN :first AND :last AND feed IS NOT NFC NORMALIZED;

-- step
ALTER TABLE trackers VALIDATE CONSTRAINT a_user_id_is_in_the_form_nfc;
-- step
ALTER TABLE friends VALIDATE CONSTRAINT a_key_and_a_feed_are_in_the_form_nfc;
-- step
ALTER TABLE imports VALIDATE CONSTRAINT a_feed_is_in_the_form_nfc;
