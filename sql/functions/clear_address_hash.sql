-- A changed address loses its coordinate in the same transaction. Our own writers set the hash of the new text
-- themselves. For any other program this trigger clears what was derived from the old text, and the sweep computes it
-- again.
CREATE OR REPLACE FUNCTION clear_address_hash() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.hash := NULL;
    NEW.country_code := NULL;
    RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER address_hash
BEFORE UPDATE OF street, city, region, postcode, country ON addresses
FOR EACH ROW
WHEN ((OLD.street, OLD.city, OLD.region, OLD.postcode, OLD.country)
      IS DISTINCT FROM (NEW.street, NEW.city, NEW.region, NEW.postcode, NEW.country)
      AND NEW.hash IS NOT DISTINCT FROM OLD.hash)
EXECUTE FUNCTION clear_address_hash();
