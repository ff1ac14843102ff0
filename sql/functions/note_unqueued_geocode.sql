-- Notes a waiting question without a job, for the sweep.
CREATE OR REPLACE FUNCTION note_unqueued_geocode() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO unqueued_geocodes VALUES (NEW.id);
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER geocode_added_unqueued
AFTER INSERT ON geocodes
FOR EACH ROW
WHEN (NEW.status = 'waiting' AND NEW.job IS NULL AND NOT NEW.follows)
EXECUTE FUNCTION note_unqueued_geocode();

CREATE OR REPLACE TRIGGER geocode_unqueued
AFTER UPDATE OF status, job, follows ON geocodes
FOR EACH ROW
WHEN (NEW.status = 'waiting' AND NEW.job IS NULL AND NOT NEW.follows)
EXECUTE FUNCTION note_unqueued_geocode();
