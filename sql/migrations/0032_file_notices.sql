-- Webhooks at the end of files that wait for answers. tables/files.sql explains the columns.

-- step
ALTER TABLE file_runs
    ADD COLUMN notify text,
    ADD COLUMN notify_secret bytea,
    ADD COLUMN notify_at timestamptz,
    ADD COLUMN notify_failures integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT a_webhook_of_a_file_is_signed CHECK ((notify IS NULL) = (notify_secret IS NULL)) NOT VALID;

-- step
ALTER TABLE file_runs VALIDATE CONSTRAINT a_webhook_of_a_file_is_signed;
