-- To whose trace a job belongs: the `traceparent` of the W3C (https://www.w3.org/TR/trace-context/) and, behind a space, its
-- `tracestate`. Whoever queues jobs inside a trace sets `waypost.trace` in their session, and each of the jobs has it from there,
-- by whichever statement it is queued. Null as nearly always: then it costs a bit in the row's header, and nothing more.
ALTER TABLE jobs ADD COLUMN trace text;
ALTER TABLE jobs ALTER COLUMN trace SET DEFAULT nullif(current_setting('waypost.trace', true), '');
