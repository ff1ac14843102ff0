package import Postgres

/// Run each of these in a transaction: they lock the lane's row, so that no claim sees a change half done. A change by an
/// author is written to the audit log.
extension JobQueue {
    /// Creates a lane, open and without limits.
    package func addLane(
        _ name: String, kind: LaneKind = .geocoding, batch: Int = 1, by author: Author? = nil,
        on database: isolated Connection
    ) throws {
        let made = try database.query(
            """
            INSERT INTO lanes (name, kind, batch) VALUES (\(name), \(kind.rawValue), \(batch))
            ON CONFLICT (name) DO NOTHING
            RETURNING id
            """)
        if made.isEmpty { throw QueueError("there is already a lane called \"\(name)\"", cause: .laneExists) }
        try AuditLog().append(.addLane, name, after: ["batch": "\(batch)"], by: author, on: database)
    }

    /// Creates a lane for a provider, with the limits of its terms. An existing lane keeps the settings of its
    /// operator; only its attribution is updated.
    package func prepareLane(
        _ name: String, kind: LaneKind = .geocoding, batch: Int, limits: [RateLimit], attribution: String,
        machines: Int? = nil, on database: isolated Connection
    ) throws {
        // ON CONFLICT locks an existing row also if nothing changes. Hundreds of workers that start would wait for it.
        let made = try database.query(
            """
            INSERT INTO lanes (name, kind, batch, attribution, machines)
            SELECT \(name), \(kind.rawValue), \(batch), \(attribution), \(machines)::smallint
            WHERE NOT EXISTS (SELECT FROM lanes WHERE name = \(name) AND attribution = \(attribution))
            ON CONFLICT (name) DO UPDATE SET attribution = excluded.attribution
            WHERE lanes.attribution <> excluded.attribution
            RETURNING xmax = 0 AS is_new
            """)
        if let lane = made.first, try lane.read("is_new") { try setLimits(limits, of: name, on: database) }
    }

    /// Returns the attribution of each lane.
    package func attributions(on database: isolated Connection) throws -> [String: String] {
        let rows = try database.query("SELECT name, attribution FROM lanes")
        return Dictionary(try rows.map { (try $0.read("name"), try $0.read("attribution")) }) { first, _ in first }
    }

    /// Replaces all limits of a lane, from the next claim on. An empty list makes it unlimited.
    ///
    /// The tokens missing in a bucket at the end of the last promised slot stay missing. Nothing is known about calls
    /// under a limit for a new length of time, so nothing is saved up for it: it begins with a single token, less those
    /// promised to slots that are still to come. But no bucket owes more than its own `longest_fill`: otherwise the
    /// hundreds of slots that a fast limit had promised would cost as many periods of a slow one. From the change on, no
    /// window contains more than the new limits permit, except for slots that workers already held and use although they
    /// are told to return them. Such slots are at most four seconds ahead (`farthest_slot`).
    package func setLimits(
        _ limits: [RateLimit], of lane: String, by author: Author? = nil, on database: isolated Connection
    ) throws {
        let id = try lock(lane, on: database)
        let before = author == nil ? [] : try limitRows(on: database)[id] ?? []
        let pers = limits.map(\.per)
        // All parts of the statement see the buckets from before it. A call that was claimed without a limit has no end
        // of its slot, so it may still begin.
        try database.query(
            """
            WITH own AS MATERIALIZED (
                SELECT lanes.id, pace, clock_timestamp() AS moment, grace + greatest(spread, spread_before) AS late,
                       EXISTS (SELECT FROM token_buckets WHERE lane = lanes.id) AS was_limited
                FROM lanes
                WHERE lanes.id = \(id)::smallint
            ), given AS MATERIALIZED (
                SELECT own.id AS lane, per, refill, capacity, moment, moment + longest AS last, pace,
                       moment + (capacity - 1 + promised.jobs) * per / (refill * pace) AS full_at
                FROM unnest(\(pers), \(limits.map(\.calls)), \(limits.map(\.burst))) AS new (per, refill, capacity),
                     own,
                     LATERAL (
                         SELECT count(*) AS jobs
                         FROM jobs
                         WHERE lane = own.id AND worker IS NOT NULL AND (NOT was_limited OR starts_at > moment - late)
                     ) AS promised,
                     LATERAL longest_fill(refill, per, capacity, pace) AS longest
            ), removed AS (
                DELETE FROM token_buckets WHERE lane = \(id)::smallint AND NOT per = ANY (\(pers))
            ), written AS (
                INSERT INTO token_buckets AS bucket (lane, per, refill, capacity, full_at)
                SELECT lane, per, refill, capacity, least(full_at, last) FROM given
                ON CONFLICT (lane, per) DO UPDATE
                SET refill = excluded.refill,
                    capacity = excluded.capacity,
                    full_at = least(
                        last_promise(bucket.lane)
                            + greatest(bucket.full_at - last_promise(bucket.lane), '0') * (bucket.refill / excluded.refill),
                        (SELECT last FROM given WHERE given.per = bucket.per))
                RETURNING per, xmax = 0 AS is_new
            )
            UPDATE lanes
            SET limits_changed_at = clock_timestamp(),
                -- The tokens of returned slots were not charged, or at another price.
                buckets_converted_at = CASE
                    WHEN EXISTS (SELECT FROM written JOIN given USING (per) WHERE NOT is_new OR full_at > last)
                    THEN clock_timestamp() ELSE buckets_converted_at END
            WHERE id = \(id)::smallint
            """)
        try tellOfChange(in: lane, on: database)
        try AuditLog().append(
            .limitLane, lane, before: ["limits": before.map(\.limit).words],
            after: ["limits": limits.sorted { $0.per < $1.per }.words], by: author, on: database)
    }

    /// Lets the cluster begin again after the database was restored to an earlier moment: no window contains more calls
    /// than its limit permits, although the database does not know the last calls. No process may work meanwhile.
    package func beginAfterRestore(on database: isolated Connection) throws {
        try database.query("SELECT begin_after_restore()")
    }

    /// Changes a lane's settings, from the next claim on. Returns the new settings.
    @discardableResult
    package func change(
        _ lane: String, by author: Author? = nil, on database: isolated Connection,
        _ change: (inout LaneSettings) throws -> Void
    ) throws -> LaneSettings {
        let id = try lock(lane, on: database)
        var settings = try self.lane(lane, on: database).settings
        let before = settings.words
        try change(&settings)
        guard settings.longestRetry >= settings.firstRetry else {
            throw QueueError(
                "the longest wait before a retry can't be shorter than the first; set both at once",
                cause: .contradiction)
        }
        try database.query(
            """
            UPDATE lanes
            SET \(part: settings.assignments)
            WHERE id = \(id)::smallint
            """)
        try tellOfChange(in: lane, on: database)
        let changed = settings.words.filter { before[$0.key] != $0.value }
        if !changed.isEmpty {
            try AuditLog().append(
                .setLane, lane, before: before.filter { changed[$0.key] != nil }, after: changed, by: author,
                on: database)
        }
        return settings
    }

    /// Pauses a lane: nothing is claimed, and workers return jobs that they have not begun. Returns false if it was
    /// paused. The reason is only stored in the log.
    @discardableResult
    package func pause(
        _ lane: String, because reason: String? = nil, by author: Author? = nil, on database: isolated Connection
    ) throws -> Bool {
        let id = try lock(lane, on: database)
        let changed = try database.query(
            "UPDATE lanes SET paused_at = clock_timestamp() WHERE id = \(id)::smallint AND paused_at IS NULL"
        ).affected
        try tellOfChange(in: lane, on: database)
        guard changed > 0 else { return false }
        try AuditLog().append(
            .pauseLane, lane, after: reason.map { ["reason": $0] } ?? [:], by: author, on: database)
        return true
    }

    /// Stops a lane whose provider refuses our calls, until a person resumes it. A sink may accept calls again, for
    /// instance after a mistake in its settings. So its lane is only blocked, each time for longer, and stops after a
    /// day.
    func deny(_ lane: String, because reason: String, on database: isolated Connection) throws {
        let id = try lock(lane, on: database)
        try database.query(
            """
            UPDATE lanes
            SET denied_since = coalesce(denied_since, moment),
                paused_at = CASE WHEN is_final THEN moment END,
                paused_because = CASE WHEN is_final THEN \(reason)::text END,
                -- With this many faults the lane makes a single call, as a probe, after the block.
                faults = greatest(faults, breaker_after),
                blocked_until = CASE WHEN is_final THEN blocked_until
                    ELSE moment + least(interval '1 hour', greatest(interval '1 minute', (moment - denied_since) / 2)) END,
                blocked_because = CASE WHEN is_final THEN blocked_because ELSE \(reason)::text END
            FROM (
                SELECT clock_timestamp() AS moment,
                       kind <> 'upload' OR coalesce(denied_since < clock_timestamp() - interval '1 day', false) AS is_final
                FROM lanes
                WHERE id = \(id)::smallint
            ) AS known
            WHERE id = \(id)::smallint AND paused_at IS NULL
            """)
        try tellOfChange(in: lane, on: database)
    }

    /// Resumes a lane that a person, the provider or the breaker stopped. Returns false if it was not stopped.
    @discardableResult
    package func resume(_ lane: String, by author: Author? = nil, on database: isolated Connection) throws -> Bool {
        let id = try lock(lane, on: database)
        let wasShut = try self.lane(lane, on: database).condition != .open
        try database.query(
            """
            UPDATE lanes
            SET paused_at = NULL, paused_because = NULL, blocked_until = NULL, blocked_because = NULL, faults = 0, trips = 0,
                failed_because = NULL, failed_at = NULL, denied_since = NULL
            WHERE id = \(id)::smallint
            """)
        try tellOfChange(in: lane, on: database)
        try wakeWorkers(of: lane, on: database)
        if wasShut { try AuditLog().append(.resumeLane, lane, by: author, on: database) }
        return wasShut
    }

    /// Notifies the workers of a lane that it may have jobs for them.
    package func wakeWorkers(of lane: String, on database: isolated Connection) throws {
        try database.query("SELECT pg_notify(\(Self.readyChannel), \(lane))")
    }

    /// Locks the lane's row until the transaction ends, as each claim does.
    func lock(_ lane: String, on database: isolated Connection) throws -> Int {
        let row = try database.query("SELECT id FROM lanes WHERE name = \(lane) FOR NO KEY UPDATE").first
        guard let row else { throw QueueError.noLane(lane) }
        return try row.read("id")
    }

    private func tellOfChange(in lane: String, on database: isolated Connection) throws {
        try database.query("SELECT pg_notify(\(Self.lanesChannel), \(lane))")
    }
}

extension [RateLimit] {
    fileprivate var words: String { isEmpty ? "none" : map(\.text).joined(separator: ", ") }
}
