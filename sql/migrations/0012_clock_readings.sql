-- A process that starts must find out whether this server's clock was set while no process ran. So the coordinators store what the
-- clock showed when they last checked it, together with a clock that is never set: the time since their host booted.
ALTER TABLE server_clock
    -- The earliest that this server's clock can have shown at `checked_to`.
    ADD COLUMN checked_at timestamptz,
    -- The boot of the host that checked it, by Linux's boot_id, and the seconds since that boot between which the clock was read.
    ADD COLUMN checked_boot text,
    ADD COLUMN checked_from double precision,
    ADD COLUMN checked_to double precision,
    ADD CONSTRAINT a_check_is_complete CHECK (num_nulls(checked_at, checked_boot, checked_from, checked_to) IN (0, 4));

-- When a worker that knew the clock last took slots from this bucket.
ALTER TABLE token_buckets ADD COLUMN charged_at timestamptz;

-- When what is missing in the lane's buckets was last converted, because the rate, the spread or the clock changed.
ALTER TABLE lanes ADD COLUMN buckets_converted_at timestamptz;
