-- A process that starts must find out if this server's clock was set while no process ran. So the coordinators store
-- the time that the clock showed at their last check. They also store the time since their host booted: that clock is
-- never set.
ALTER TABLE server_clock
    -- The earliest time that this server's clock can have shown at `checked_to`.
    ADD COLUMN checked_at timestamptz,
    -- The boot_id of the host that checked the clock (Linux gives each boot one). The clock was read between these two
    -- moments, in seconds since that boot.
    ADD COLUMN checked_boot text,
    ADD COLUMN checked_from double precision,
    ADD COLUMN checked_to double precision,
    ADD CONSTRAINT a_check_is_complete CHECK (num_nulls(checked_at, checked_boot, checked_from, checked_to) IN (0, 4));

-- The time of the last claim from this bucket whose worker sent its bounds of the clock.
ALTER TABLE token_buckets ADD COLUMN charged_at timestamptz;

-- The last time when the fill of the lane's buckets was converted, because the rate, the spread or the clock changed.
ALTER TABLE lanes ADD COLUMN buckets_converted_at timestamptz;
