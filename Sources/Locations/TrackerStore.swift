package import Postgres
package import Tracking

/// Trackers, and what they took in.
///
/// It has no state: make one where you need it.
package struct TrackerStore: Sendable {
    package init() {}
}

/// What a tracker does with what it takes in. What is nil stays as it is; for a new tracker, as the table says.
package struct TrackerSettings: Sendable {
    package var radius: Double?
    package var topSpeed: Double?
    package var keepsDoubted: Bool?

    package init(radius: Double? = nil, topSpeed: Double? = nil, keepsDoubted: Bool? = nil) {
        self.radius = radius
        self.topSpeed = topSpeed
        self.keepsDoubted = keepsDoubted
    }
}

/// A tracker as it is.
package struct TrackerState: Sendable {
    package let user: String
    package let isOn: Bool
    /// Moments are in seconds since 1970.
    package let switchedAt: Double
    package let rule: TrackingRule
    package let keepsDoubted: Bool
    package let lastFixAt: Double?
}

extension TrackerStore {
    /// Turns a user's tracking on, and makes the tracker if there is none. Returns whether anything changed.
    @discardableResult
    package func start(
        _ user: String, with settings: TrackerSettings = TrackerSettings(), account: Int,
        on database: isolated Connection
    ) throws -> Bool {
        let known = try database.query(
            """
            UPDATE trackers
            SET is_on = true,
                switched_at = CASE WHEN is_on THEN switched_at ELSE clock_timestamp() END,
                radius = coalesce(\(settings.radius)::double precision, radius),
                top_speed = coalesce(\(settings.topSpeed)::double precision, top_speed),
                keeps_doubted = coalesce(\(settings.keepsDoubted)::boolean, keeps_doubted)
            FROM (SELECT id, is_on AS was_on FROM trackers WHERE account = \(account)::integer AND user_id = \(user)) AS old
            WHERE trackers.id = old.id
            RETURNING was_on
            """)
        if let row = known.first { return try !row.read("was_on") }
        // Somebody else may make it at the same moment.
        return try !database.query(
            """
            INSERT INTO trackers (account, user_id, is_on, radius, top_speed, keeps_doubted)
            VALUES (\(account)::integer, \(user), true, coalesce(\(settings.radius)::double precision, 50),
                    coalesce(\(settings.topSpeed)::double precision, 350), coalesce(\(settings.keepsDoubted)::boolean, true))
            ON CONFLICT (account, user_id) DO UPDATE SET is_on = true
            RETURNING id
            """
        ).isEmpty
    }

    /// Turns a user's tracking off: from now on nothing is taken in. Returns false where there is no tracker.
    package func stop(_ user: String, account: Int, on database: isolated Connection) throws -> Bool {
        try !database.query(
            """
            UPDATE trackers
            SET is_on = false, switched_at = CASE WHEN is_on THEN clock_timestamp() ELSE switched_at END
            WHERE account = \(account)::integer AND user_id = \(user)
            RETURNING id
            """
        ).isEmpty
    }

    /// Nil where the user has none.
    package func tracker(of user: String, account: Int, on database: isolated Connection) throws -> TrackerState? {
        try trackers(account: account, user: user, on: database).first
    }

    /// An account's trackers by their users' names: of one user, or page by page after a user.
    package func trackers(
        account: Int, user: String? = nil, after last: String = "", limit: Int = 1_000, on database: isolated Connection
    ) throws -> [TrackerState] {
        try database.query(
            """
            SELECT user_id, is_on, extract(epoch FROM switched_at) AS switched_at, radius, top_speed, keeps_doubted,
                   extract(epoch FROM newest_at) AS newest_at
            FROM trackers
            WHERE account = \(account)::integer AND user_id > \(last) AND (\(user)::text IS NULL OR user_id = \(user))
            ORDER BY user_id
            LIMIT \(limit)
            """
        ).map {
            TrackerState(
                user: try $0.read("user_id"), isOn: try $0.read("is_on"), switchedAt: try $0.read("switched_at"),
                rule: TrackingRule(radius: try $0.read("radius"), topSpeed: try $0.read("top_speed")),
                keepsDoubted: try $0.read("keeps_doubted"), lastFixAt: try $0.readIfPresent("newest_at"))
        }
    }
}
