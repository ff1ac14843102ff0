-- The first `most` moments, in seconds from now, at which all buckets hold a token, each moment charged to every
-- bucket. Charging at the moment itself, and not now, is what keeps a slow bucket from saving up a fast one's
-- tokens for a later burst. Moments before `lead` and beyond `horizon` are not given; `next` is the first of those
-- that could not be.
--
-- `fulls` says in how many seconds each bucket is full: before, and after.
CREATE OR REPLACE FUNCTION slots(
    INOUT fulls double precision[], capacities double precision[], spacings double precision[],
    most integer, lead double precision, horizon double precision,
    OUT starts double precision[], OUT next double precision)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    next := lead;
    starts := '{}';
    LOOP
        FOR b IN 1 .. cardinality(fulls) LOOP
            next := greatest(next, fulls[b] - (capacities[b] - 1) * spacings[b]);
        END LOOP;
        EXIT WHEN next > horizon OR cardinality(starts) >= most;
        FOR b IN 1 .. cardinality(fulls) LOOP
            fulls[b] := greatest(fulls[b], next) + spacings[b];
        END LOOP;
        starts := starts || next;
    END LOOP;
END
$$;
