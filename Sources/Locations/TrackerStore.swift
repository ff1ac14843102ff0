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
    /// When it was last turned on or off. Moments are in seconds since 1970.
    package let switchedAt: Double?
    package let rule: TrackingRule
    package let keepsDoubted: Bool
    package let lastFixAt: Double?
}

extension TrackerStore {
    /// Turns a user's tracking on, and makes the tracker if there is none.
    ///
    /// Fixes count from now on, or from a moment before, in seconds since 1970: a phone may have begun before it could say so.
    package func start(
        _ user: String, since: Double? = nil, with settings: TrackerSettings = TrackerSettings(), account: Int,
        on database: isolated Connection
    ) throws {
        try database.query(
            """
            INSERT INTO trackers AS t (account, user_id, is_on, on_times, radius, top_speed, keeps_doubted)
            VALUES (\(account)::integer, \(user), true,
                    tstzmultirange(tstzrange(coalesce(to_timestamp(\(since)::double precision), clock_timestamp()), NULL)),
                    coalesce(\(settings.radius)::double precision, 50),
                    coalesce(\(settings.topSpeed)::double precision, 350),
                    coalesce(\(settings.keepsDoubted)::boolean, true))
            ON CONFLICT (account, user_id) DO UPDATE
            SET is_on = true,
                on_times = t.on_times + CASE
                    WHEN t.is_on AND \(since)::double precision IS NULL THEN '{}' ELSE excluded.on_times END,
                radius = coalesce(\(settings.radius), t.radius),
                top_speed = coalesce(\(settings.topSpeed), t.top_speed),
                keeps_doubted = coalesce(\(settings.keepsDoubted), t.keeps_doubted)
            """)
    }

    /// Turns a user's tracking off: from now on nothing is taken in. Returns false where there is no tracker.
    package func stop(_ user: String, account: Int, on database: isolated Connection) throws -> Bool {
        try !database.query(
            """
            UPDATE trackers
            SET is_on = false, on_times = on_times - tstzmultirange(tstzrange(clock_timestamp(), NULL))
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
            SELECT user_id, is_on, radius, top_speed, keeps_doubted, extract(epoch FROM newest_at) AS newest_at,
                   extract(epoch FROM CASE WHEN is_on THEN (SELECT max(lower(times)) FROM unnest(on_times) AS times)
                                           ELSE upper(on_times) END) AS switched_at
            FROM trackers
            WHERE account = \(account)::integer AND user_id > \(last) AND (\(user)::text IS NULL OR user_id = \(user))
            ORDER BY user_id
            LIMIT \(limit)
            """
        ).map {
            TrackerState(
                user: try $0.read("user_id"), isOn: try $0.read("is_on"),
                switchedAt: try $0.readIfPresent("switched_at"),
                rule: TrackingRule(radius: try $0.read("radius"), topSpeed: try $0.read("top_speed")),
                keepsDoubted: try $0.read("keeps_doubted"), lastFixAt: try $0.readIfPresent("newest_at"))
        }
    }
}
