-- The program no longer has sinks of the kinds `file` and `table`. Such a sink stays with its trackers and with every
-- location that it lacks: nothing is deleted. Its lane stops, so that workers of the version before upload nothing more.
-- `waypost migrate` and `waypost doctor` name the sink until a person moves its trackers or removes it. The log of acts
-- has a line for each lane.

-- step
WITH stopped AS (
    UPDATE lanes
    SET paused_at = now(), paused_because = 'this version has no sinks of the kind ' || sinks.kind
    FROM sinks
    WHERE sinks.lane = lanes.id AND sinks.kind IN ('file', 'table') AND lanes.paused_at IS NULL
    RETURNING lanes.name, paused_because
)
INSERT INTO audit_log (verb, target, author, host, after)
SELECT 'lanes.pause', name, current_user, 'migration 28', jsonb_build_object('reason', paused_because)
FROM stopped;
