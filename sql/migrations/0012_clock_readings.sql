-- A process that starts must find out if this server's clock was set while no process ran. So the coordinators store
-- the time that the clock showed at their last check. They also store the time since their host booted: that clock is
-- never set.
ALTER TABLE server_clock
    ADD COLUMN checked_at timestamptz,
    ADD COLUMN checked_boot text,
    ADD COLUMN checked_from double precision,
    ADD COLUMN checked_to double precision,
    ADD CONSTRAINT a_check_is_complete CHECK (num_nulls(checked_at, checked_boot, checked_from, checked_to) IN (0, 4));

ALTER TABLE token_buckets ADD COLUMN charged_at timestamptz;

ALTER TABLE lanes ADD COLUMN buckets_converted_at timestamptz;
