-- Makes the types of a report to `finish_jobs`. The function with the former parameters stays for older programs.

CREATE TYPE job_report AS (
    job     bigint,
    lease   bigint,
    outcome text,
    started double precision,
    took    real,
    pause   interval,
    reason  text,
    epoch   integer
);

CREATE TYPE left_over AS (
    job     bigint,
    subject bigint,
    lane    text,
    pause   interval
);

-- It has other parameters now, and is only called by `finish_jobs`.
DROP FUNCTION IF EXISTS queue_left_overs(
    text, smallint, bigint[], bigint[], text[], bigint[], bigint[], text[], interval[]);
