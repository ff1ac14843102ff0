-- The forecast of a lane learns by chain and by the number of the call. tables/queue.sql explains the columns.

-- step
ALTER TABLE jobs
    ADD COLUMN chain integer NOT NULL DEFAULT 0,
    ADD COLUMN call_number smallint NOT NULL DEFAULT 1;

-- step
CREATE TABLE followed_calls (
    lane        smallint         NOT NULL REFERENCES lanes ON DELETE CASCADE,
    chain       integer          NOT NULL,
    call_number smallint         NOT NULL,
    calls       double precision NOT NULL,
    followed    double precision NOT NULL,
    PRIMARY KEY (lane, chain, call_number)
)
WITH (fillfactor = 50);

-- step
ALTER TABLE backlogs ADD COLUMN calls double precision NOT NULL DEFAULT 0;

-- step
-- A lowered limit could make a bucket owe hours. No bucket owes more than `longest_fill`.
UPDATE token_buckets
SET full_at = clock_timestamp() + interval '6 seconds' + capacity / refill * per / pace
FROM lanes
WHERE lanes.id = lane AND full_at > clock_timestamp() + interval '6 seconds' + capacity / refill * per / pace;
