-- Maintains `updated_at`, whichever program writes. Our own writers set it themselves, which saves the call of this
-- trigger. Filling in a hash does not count as a change, because no person wrote it.
CREATE OR REPLACE FUNCTION set_updated_at() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.updated_at := now();
    RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER friend_updated_at
BEFORE UPDATE ON friends
FOR EACH ROW
WHEN (NEW.updated_at = OLD.updated_at
      AND (OLD.account, OLD.source_key, OLD.name, OLD.first_name, OLD.last_name, OLD.nickname, OLD.feed, OLD.deleted_at)
      IS DISTINCT FROM
      (NEW.account, NEW.source_key, NEW.name, NEW.first_name, NEW.last_name, NEW.nickname, NEW.feed, NEW.deleted_at))
EXECUTE FUNCTION set_updated_at();

CREATE OR REPLACE TRIGGER address_updated_at
BEFORE UPDATE ON addresses
FOR EACH ROW
WHEN (NEW.updated_at = OLD.updated_at
      AND (OLD.friend, OLD.position, OLD.label, OLD.street, OLD.city, OLD.region, OLD.postcode, OLD.country)
      IS DISTINCT FROM
      (NEW.friend, NEW.position, NEW.label, NEW.street, NEW.city, NEW.region, NEW.postcode, NEW.country))
EXECUTE FUNCTION set_updated_at();
