package import Postgres
import Sinks
package import Tracking

/// Trackers, and their fixes and locations.
///
/// The store has no state: create one where it is needed.
package struct TrackerStore: Sendable {
    package init() {}
}

/// The settings of a tracker. A member that is nil does not change; a new tracker gets the table's default.
package struct TrackerSettings: Sendable {
    package var radius: Double?
    package var topSpeed: Double?
    package var longestGap: Double?
    package var keepsDoubted: Bool?
    package var sink: SinkChoice?
    package var newestFirst: Bool?

    package init(
        radius: Double? = nil, topSpeed: Double? = nil, longestGap: Double? = nil, keepsDoubted: Bool? = nil,
        sink: SinkChoice? = nil,
        newestFirst: Bool? = nil
    ) {
        self.radius = radius
        self.topSpeed = topSpeed
        self.longestGap = longestGap
        self.keepsDoubted = keepsDoubted
        self.sink = sink
        self.newestFirst = newestFirst
    }
}

/// The sink of a tracker's locations.
package enum SinkChoice: Sendable, Hashable {
    case nowhere
    case sink(named: String)
}

/// The tracker's new sink does not exist in the account.
package struct NoSuchSink: Error, Hashable {
    package let name: String

    package init(name: String) { self.name = name }
}

/// The state of a tracker.
package struct TrackerState: Sendable {
    package let number: Int
    package let user: String
    package let isOn: Bool
    /// When it was last turned on or off. Moments are in seconds since 1970.
    package let switchedAt: Double?
    package let rule: TrackingRule
    package let keepsDoubted: Bool
    package let lastFixAt: Double?
    /// The sink of its locations; nil if they are not uploaded.
    package let sink: String?
    package let newestFirst: Bool
    package let signIn: SignInState
    /// By reason.
    package let refused: [RefusedFixes]
}

/// The state of the sign-in that a tracker's sink needs for its user.
package enum SignInState: Hashable, Sendable {
    case unneeded
    case missing
    case valid
    case refused(reason: String)
}

extension TrackerStore {
    /// Turns a user's tracking on, and creates the tracker if there is none. Throws ``NoSuchSink``. Run it in a
    /// transaction.
    ///
    /// Fixes count from now on, or from an earlier moment, in seconds since 1970: a phone may have begun before it
    /// could report that. A new tracker has the account's default sink, unless the settings name one.
    ///
    /// Returns true if the tracker is new.
    @discardableResult
    package func start(
        _ user: String, since: Double? = nil, with settings: TrackerSettings = TrackerSettings(), account: Int,
        on database: isolated Connection
    ) throws -> Bool {
        // A row that was never updated or locked has no xmax.
        // crosses rooms: a new tracker has the account's default sink.
        let isNew: Bool = try database.query(
            """
            INSERT INTO trackers AS t (
                account, user_id, is_on, on_times, radius, top_speed, longest_gap, keeps_doubted, newest_first, sink)
            VALUES (\(account)::integer, \(user), true,
                    tstzmultirange(tstzrange(coalesce(to_timestamp(\(since)::double precision), clock_timestamp()), NULL)),
                    coalesce(\(settings.radius)::double precision, 50),
                    coalesce(\(settings.topSpeed)::double precision, 350),
                    coalesce(\(settings.longestGap)::double precision, 43200),
                    coalesce(\(settings.keepsDoubted)::boolean, true),
                    coalesce(\(settings.newestFirst)::boolean, false),
                    (SELECT id FROM sinks WHERE account = \(account) AND is_default))
            ON CONFLICT (account, user_id) DO UPDATE
            SET is_on = true,
                on_times = t.on_times + CASE
                    WHEN t.is_on AND \(since)::double precision IS NULL THEN '{}' ELSE excluded.on_times END,
                radius = coalesce(\(settings.radius), t.radius),
                top_speed = coalesce(\(settings.topSpeed), t.top_speed),
                longest_gap = coalesce(\(settings.longestGap), t.longest_gap),
                keeps_doubted = coalesce(\(settings.keepsDoubted), t.keeps_doubted),
                newest_first = coalesce(\(settings.newestFirst), t.newest_first)
            RETURNING xmax = 0 AS is_new
            """)[0].read("is_new")
        if let sink = settings.sink { try use(sink, for: user, account: account, on: database) }
        try UploadStore().queue(user: user, account: account, on: database)
        return isNew
    }

    /// Keeps other transactions from changing a tracker, and from storing its fixes, until this one ends. Returns false
    /// if the user has no tracker.
    package func lock(_ user: String, account: Int, on database: isolated Connection) throws -> Bool {
        try !database.query(
            "SELECT FROM trackers WHERE account = \(account)::integer AND user_id = \(user) FOR NO KEY UPDATE"
        ).isEmpty
    }

    /// Sets the sink of a tracker. A new sink gets all locations of the tracker.
    private func use(_ choice: SinkChoice, for user: String, account: Int, on database: isolated Connection) throws {
        var sink: Int?
        if case .sink(let name) = choice {
            // crosses rooms: a tracker contains the id of its sink.
            sink = try database.query(
                "SELECT id FROM sinks WHERE account = \(account)::integer AND name = \(name) AND about = 'locations'"
            ).first?.read("id")
            if sink == nil { throw NoSuchSink(name: name) }
        }
        // A job in the old sink's lane finds nothing, and ends. The new sink never had the locations that are to be
        // deleted.
        try database.query(
            """
            WITH moved AS (
                UPDATE trackers
                SET sink = \(sink)::integer, job = NULL, piece = NULL, uploaded_at = NULL
                WHERE account = \(account)::integer AND user_id = \(user) AND sink IS DISTINCT FROM \(sink)
                RETURNING id
            ), deleted AS (
                DELETE FROM pending_locations USING moved WHERE tracker = moved.id AND removed
            )
            UPDATE pending_locations
            SET uploaded = false, refusal = NULL
            FROM moved
            WHERE tracker = moved.id AND NOT removed AND (uploaded OR refusal IS NOT NULL)
            """)
    }

    /// Turns a user's tracking off: from now on nothing is stored. Returns false if the user has no tracker.
    ///
    /// Nothing is uploaded either, once ``isBeingUploaded(_:account:on:)`` is false.
    package func stop(_ user: String, account: Int, on database: isolated Connection) throws -> Bool {
        try !database.query(
            """
            UPDATE trackers
            SET is_on = false, on_times = on_times - tstzmultirange(tstzrange(clock_timestamp(), NULL)),
                -- Not before the newest fix, which may be slightly ahead of the clock. So that fix remains in its stay.
                stops = CASE WHEN is_on
                    THEN stops || date_trunc('milliseconds', greatest(clock_timestamp(), newest_at)) ELSE stops END
            WHERE account = \(account)::integer AND user_id = \(user)
            RETURNING id
            """
        ).isEmpty
    }

    /// True if a worker holds a job with the user's locations. If tracking is off, it is the last one.
    package func isBeingUploaded(_ user: String, account: Int, on database: isolated Connection) throws -> Bool {
        // crosses rooms: only the queue shows if a worker holds a job. It need not be the tracker's present job: a job
        // of its former sink may still run.
        try database.query(
            """
            SELECT EXISTS (
                SELECT
                FROM trackers
                JOIN jobs ON jobs.worker IS NOT NULL AND trackers.id = ANY (jobs.subjects)
                JOIN lanes ON lanes.id = jobs.lane AND lanes.kind = 'upload'
                WHERE account = \(account)::integer AND user_id = \(user)) AS is_held
            """
        )[0].read("is_held")
    }

    /// Returns when ``isBeingUploaded(_:account:on:)``, given as `isHeld`, is false; after five seconds at the latest.
    /// No slot is that far ahead, so every upload has been sent by then.
    package static func waitForUploads(while isHeld: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(5)
        while try await isHeld(), .now < end { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Returns nil if the user has no tracker.
    package func tracker(of user: String, account: Int, on database: isolated Connection) throws -> TrackerState? {
        try trackers(account: account, user: user, on: database).first
    }

    /// Returns an account's trackers by their users' names: of one user, or page by page after a user.
    package func trackers(
        account: Int, user: String? = nil, after last: String = "", limit: Int = 1_000, on database: isolated Connection
    ) throws -> [TrackerState] {
        // crosses rooms: the state of a tracker includes its sink and its sign-in.
        try database.query(
            """
            SELECT trackers.id, user_id, is_on, radius, top_speed, longest_gap, keeps_doubted, extract(epoch FROM newest_at) AS newest_at,
                   extract(epoch FROM CASE WHEN is_on THEN (SELECT max(lower(times)) FROM unnest(on_times) AS times)
                                           ELSE upper(on_times) END) AS switched_at,
                   newest_first, sinks.name AS sink, coalesce(sinks.signs_in, false) AS signs_in,
                   sign_in.id AS sign_in, sign_in.refusal, \(part: [RefusedFixes].columns)
            FROM trackers
            \(part: [RefusedFixes].join)
            LEFT JOIN sinks ON sinks.id = sink
            LEFT JOIN LATERAL (
                SELECT id, refusal
                FROM sign_ins
                WHERE sinks.signs_in AND sign_ins.sink = sinks.id AND (tracker = trackers.id OR tracker IS NULL)
                ORDER BY tracker NULLS LAST
                LIMIT 1
            ) AS sign_in ON true
            WHERE trackers.account = \(account)::integer AND user_id > \(last) AND (\(user)::text IS NULL OR user_id = \(user))
            ORDER BY user_id
            LIMIT \(limit)
            """
        ).map {
            TrackerState(
                number: try $0.read("id"), user: try $0.read("user_id"), isOn: try $0.read("is_on"),
                switchedAt: try $0.readIfPresent("switched_at"),
                rule: TrackingRule(
                    radius: try $0.read("radius"), topSpeed: try $0.read("top_speed"),
                    longestGap: try $0.read("longest_gap")),
                keepsDoubted: try $0.read("keeps_doubted"), lastFixAt: try $0.readIfPresent("newest_at"),
                sink: try $0.readIfPresent("sink"), newestFirst: try $0.read("newest_first"),
                signIn: try SignInState($0), refused: try [RefusedFixes]($0))
        }
    }
}

extension SignInState {
    fileprivate init(_ row: Row) throws {
        if try !row.read("signs_in") {
            self = .unneeded
        } else if let reason: String = try row.readIfPresent("refusal") {
            self = .refused(reason: reason)
        } else {
            self = try row.readIfPresent("sign_in", as: Int.self) == nil ? .missing : .valid
        }
    }
}
