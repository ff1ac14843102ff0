-- Returns the first `most` moments, in seconds from now, at which all buckets hold a token. Each moment is charged to
-- every bucket at that moment, not now: otherwise a slow bucket would save up the tokens of a fast one for a later
-- burst. No moment is before `lead` or beyond `horizon`; `next` is the first moment that is not returned.
--
-- `fulls` contains the seconds until each bucket is full, before and after.
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
