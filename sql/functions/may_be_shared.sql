-- Returns true if other spellings of a house may have this answer: it is a place, no person pinned it, and it has not expired.
CREATE OR REPLACE FUNCTION may_be_shared(its_status geocode_status, its_pin timestamptz, its_end timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN its_status = 'located' AND its_pin IS NULL AND (its_end IS NULL OR its_end > now());
