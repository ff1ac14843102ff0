-- A worker that begins after this server's clock was set, and before anybody noticed, takes the clock for right, and its
-- slots for those of the old one. So it asks for none before somebody who knew the clock has looked at it since.
ALTER TABLE server_clock
    -- The newest of the workers that had read the clock before a coordinator looked that knew it, and found it right.
    ADD checked_for integer NOT NULL DEFAULT 0;
