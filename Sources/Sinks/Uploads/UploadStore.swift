package import Postgres
package import Queue

/// The locations that sinks don't have yet, and the results of their uploads. See docs/design/locations.md.
///
/// The store has no state: create one where it is needed.
package struct UploadStore: Sendable {
    package init() {}
}

/// The content of one call to a sink: locations of the trackers of one job, all under one sign-in.
package struct Upload: Sendable {
    package let locations: [DueLocation]
    /// The id of the sign-in; nil if the sink needs none, or the user is not signed in.
    package let signIn: Int?
}

/// A location that a sink doesn't have in its present state.
package struct DueLocation: Sendable {
    package let tracker: Int
    package let location: LocationToUpload
    /// In seconds since 1970.
    package let changedAt: Double
}

/// The result of a call for a job.
package enum UploadFate: Sendable {
    /// The sink has stored the locations permanently.
    case stored([DueLocation])
    /// The sink refuses something in these locations.
    case refused([DueLocation], reason: String)
    /// No call was made, or its result does not concern single locations.
    case undecided
}

extension UploadStore {
    /// Returns the content of the calls of jobs, at most `most` locations each. A job that is missing has nothing left
    /// to upload.
    package func uploads(
        of jobs: [Job], in lane: String, most: Int, on database: isolated Connection
    ) throws -> [Job.ID: Upload] {
        let carried = jobs.flatMap { job in job.subjects.map { (job: job.id, tracker: $0) } }
        let rows = try database.query(
            """
            SELECT *
            FROM due_locations(\(lane), \(carried.map(\.job)), \(carried.map(\.tracker)), \(most)::integer)
            """)
        var uploads: [Job.ID: [(due: DueLocation, signIn: Int?, piece: Int?)]] = [:]
        for row in rows {
            let location = LocationToUpload(
                user: try row.read("user_id"), id: try row.read("id"), lat: try row.read("lat"),
                lng: try row.read("lng"), accuracy: try row.readIfPresent("accuracy"), timestamp: try row.read("at"),
                waitTime: try row.read("wait_time"), isRemoved: try row.read("removed"))
            uploads[try row.read("job"), default: []].append(
                (
                    due: DueLocation(
                        tracker: try row.read("tracker"), location: location, changedAt: try row.read("changed_at")),
                    signIn: try row.readIfPresent("sign_in"), piece: try row.readIfPresent("piece")
                ))
        }
        return uploads.mapValues { found in
            // The job's other locations are queued again when it ends.
            let alike = found.filter { $0.signIn == found[0].signIn }
            let count = min(most, alike.compactMap(\.piece).min() ?? most)
            return Upload(locations: alike.prefix(count).map(\.due), signIn: found[0].signIn)
        }
    }

    /// Records the results of jobs that have just ended, and queues locations that are still due. `most` is the most
    /// locations that the sink takes in one call.
    ///
    /// After a refused parcel, half of it is sent next, until a single refused location is found.
    package func finish(
        _ ends: [(job: Job, fate: UploadFate)], most: Int, on database: isolated Connection
    ) throws {
        guard !ends.isEmpty else { return }
        let carried = ends.flatMap { end -> [(job: Job.ID, tracker: Int, after: (piece: Int?, hasStored: Bool))] in
            end.job.subjects.map { (job: end.job.id, tracker: $0, after: end.fate.state(most: most)) }
        }
        let sent = ends.flatMap { end -> [DueLocation] in
            if case .stored(let locations) = end.fate { locations } else { [] }
        }
        let refused = ends.flatMap { end -> [(due: DueLocation, reason: String)] in
            guard case .refused(let locations, let reason) = end.fate, locations.count == 1 else { return [] }
            return [(locations[0], reason)]
        }
        try database.query(
            """
            SELECT finish_uploads(
                \(carried.map(\.job)), \(carried.map(\.tracker))::integer[], \(carried.map(\.after.piece))::integer[],
                \(carried.map(\.after.hasStored)),
                \(sent.map(\.tracker))::integer[], \(sent.map(\.location.timestamp)), \(sent.map(\.location.id)),
                \(sent.map(\.location.waitTime)), \(sent.map(\.location.isRemoved)),
                \(refused.map(\.due.tracker))::integer[], \(refused.map(\.due.location.timestamp)),
                \(refused.map(\.due.location.id)), \(refused.map(\.reason)))
            """)
    }
}

extension UploadFate {
    /// The next state of the job's trackers.
    fileprivate func state(most: Int) -> (piece: Int?, hasStored: Bool) {
        switch self {
        // Twice as many next time, because the refused location may be far away.
        case .stored(let locations): (locations.count * 2 < most ? max(1, locations.count * 2) : nil, true)
        case .refused(let locations, _): (max(1, locations.count / 2), false)
        case .undecided: (nil, false)
        }
    }
}

/// The numbers of a sink's trackers and locations.
package struct SinkLoad: Hashable, Sendable {
    package var trackers = 0
    /// Trackers that are on, but whose user is not signed in although the sink requires it.
    package var signedOut = 0
    /// `due`: locations that the sink doesn't have. `refused`: locations that it refuses.
    package var due = 0
    package var refused = 0

    package init() {}
}

extension UploadStore {
    /// Returns the loads by the ids of the sinks; a sink without trackers is missing. Counts all due locations.
    package func loads(on database: isolated Connection) throws -> [Int: SinkLoad] {
        // crosses rooms: the load of a sink consists of its trackers and their locations.
        let rows = try database.query(
            """
            SELECT sinks.id, count(*) AS trackers, sum(due.count)::bigint AS due, sum(refused.count)::bigint AS refused,
                   count(*) FILTER (WHERE trackers.is_on AND sinks.signs_in
                                          AND NOT coalesce(may_upload(sinks.id, trackers.id), false)) AS signed_out
            FROM sinks
            JOIN trackers ON trackers.sink = sinks.id
            CROSS JOIN LATERAL (
                SELECT count(*) FROM pending_locations WHERE tracker = trackers.id AND NOT uploaded AND refusal IS NULL
            ) AS due
            CROSS JOIN LATERAL (
                SELECT count(*) FROM pending_locations WHERE tracker = trackers.id AND refusal IS NOT NULL
            ) AS refused
            GROUP BY sinks.id
            """)
        var loads: [Int: SinkLoad] = [:]
        for row in rows {
            var load = SinkLoad()
            load.trackers = try row.read("trackers")
            load.signedOut = try row.read("signed_out")
            load.due = try row.read("due")
            load.refused = try row.read("refused")
            loads[try row.read("id")] = load
        }
        return loads
    }
}

/// Regular repairs of uploads. Run each in a transaction.
extension UploadStore {
    /// Stores the new jobs of trackers, after a worker was lost and its jobs were split in halves.
    package func moveJobs(after rescue: Rescue, on database: isolated Connection) throws {
        let moved = rescue.halves.flatMap { half -> [(tracker: Int, from: Job.ID, to: Job.ID)] in
            half.subjects.map { (tracker: $0, from: half.of, to: half.job) }
        }
        guard !moved.isEmpty else { return }
        // crosses rooms: a tracker contains the id of its job. A question may have the same id as a tracker, but its
        // job is another one.
        try database.query(
            """
            UPDATE trackers
            SET job = moved.target
            FROM unnest(\(moved.map(\.tracker)), \(moved.map(\.from)), \(moved.map(\.to))) AS moved (tracker, source, target)
            WHERE trackers.id = moved.tracker AND trackers.job = moved.source
            """)
    }

    /// Queues locations again whose jobs a person discarded. Returns how many trackers it handled.
    package func requeueLost(_ limit: Int, on database: isolated Connection) throws -> Int {
        // crosses rooms: only the queue shows which jobs exist.
        try database.query(
            """
            WITH lost AS (
                SELECT id
                FROM trackers
                WHERE job IS NOT NULL
                  AND NOT EXISTS (SELECT FROM jobs WHERE jobs.id = trackers.job)
                  AND NOT EXISTS (SELECT FROM dead_jobs WHERE dead_jobs.id = trackers.job)
                ORDER BY id
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
            ), freed AS (
                UPDATE trackers SET job = NULL FROM lost WHERE trackers.id = lost.id RETURNING trackers.id
            )
            SELECT count(*) AS count, queue_uploads(array_agg(id)) FROM freed
            """)[0].read("count")
    }

    /// Makes locations that the sink refused due again, and makes jobs that wait after a failure ready now: for one
    /// user, or for all trackers of an account. Returns how many locations were refused.
    package func retry(user: String? = nil, account: Int, on database: isolated Connection) throws -> Int {
        // crosses rooms: a job that waits for its next attempt delays the upload of locations.
        let refused: Int = try database.query(
            """
            WITH meant AS (
                SELECT id, job
                FROM trackers
                WHERE account = \(account)::integer AND user_id = coalesce(\(user), user_id) AND sink IS NOT NULL
                ORDER BY id
                FOR UPDATE
            ), freed AS (
                UPDATE pending_locations AS location
                SET refusal = NULL
                FROM meant
                WHERE location.tracker = meant.id AND refusal IS NOT NULL
                RETURNING 1
            ), discarded AS (
                DELETE FROM dead_jobs USING meant WHERE dead_jobs.id = meant.job RETURNING dead_jobs.id
            ), idle AS (
                UPDATE trackers SET job = NULL, piece = NULL
                FROM meant
                WHERE trackers.id = meant.id AND trackers.job IN (SELECT id FROM discarded)
            ), waiting AS (
                -- A worker that ends a job locks the job, then its trackers. To wait for the job would be a deadlock.
                SELECT id FROM jobs WHERE id IN (SELECT job FROM meant) AND is_waiting(jobs) FOR UPDATE SKIP LOCKED
            ), hastened AS (
                UPDATE jobs
                SET run_at = least(run_at, statement_timestamp())
                FROM waiting
                WHERE jobs.id = waiting.id
            )
            SELECT count(*) AS count FROM freed
            """)[0].read("count")
        try queue(user: user, account: account, on: database)
        return refused
    }

    /// Queues the due locations of an account's trackers, or of one: after a new sink, a sign-in, or turning the
    /// tracker on.
    package func queue(user: String? = nil, account: Int, on database: isolated Connection) throws {
        // crosses rooms: a tracker contains the id of its sink.
        try database.query(
            """
            SELECT queue_uploads(array_agg(id))
            FROM (
                SELECT id
                FROM trackers
                WHERE account = \(account)::integer AND user_id = coalesce(\(user), user_id) AND is_on AND sink IS NOT NULL
                ORDER BY id
                FOR UPDATE
            ) AS meant
            """)
    }
}
