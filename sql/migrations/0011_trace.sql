-- The trace of a job: a W3C `traceparent` (https://www.w3.org/TR/trace-context/) and, after a space, its `tracestate`.
-- A session that enqueues jobs in a trace sets `waypost.trace`. The default copies it to each job, whichever statement
-- enqueues the job. The column is nearly always null, and then costs one bit in the row's header.
ALTER TABLE jobs ADD COLUMN trace text;
ALTER TABLE jobs ALTER COLUMN trace SET DEFAULT nullif(current_setting('waypost.trace', true), '');
