-- The terms of a provider may permit calls from one machine only. tables/queue.sql explains the column.

-- step
ALTER TABLE lanes ADD COLUMN machines smallint CONSTRAINT machines_permit_somebody CHECK (machines >= 1);
