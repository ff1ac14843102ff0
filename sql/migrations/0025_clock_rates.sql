-- A slewed clock of this server runs at another rate than the clocks of the workers. The rate belongs to an epoch.

ALTER TABLE server_clock
    ADD COLUMN rate double precision NOT NULL DEFAULT 0,
    ADD CONSTRAINT a_clock_gains_little CHECK (rate BETWEEN 0 AND 0.1);

ALTER TABLE clock_steps ADD COLUMN rate double precision NOT NULL DEFAULT 0;
