import Postgres

/// How the gateway treats the requests of a token.
package struct GeocodingManners: Hashable, Sendable {
    /// The reply after the wait. Stored: never rename a case.
    package enum Late: String, CaseIterable, Sendable {
        /// The best coarse place that is there, and otherwise as `retry`.
        case coarse
        /// 503 with `Retry-After`.
        case retry
    }

    /// How the question of a client that has left continues. Stored: never rename a case.
    package enum Left: String, CaseIterable, Sendable {
        /// The question is asked after all other work.
        case keep
        /// The question is not asked, unless another client waits for it.
        case drop
    }

    /// For how long a request waits for a call.
    package var wait: Duration
    package var late: Late
    package var left: Left
    /// Nominatim's door passes its requests on to a Nominatim server, and the replies back as they are.
    package var relays = false

    /// geopy gives up after a second.
    package static let usual = Self(wait: .milliseconds(800), late: .coarse, left: .keep)
    package static let waits: ClosedRange<Duration> = .zero ... .seconds(30)

    package init(wait: Duration, late: Late, left: Left, relays: Bool = false) {
        (self.wait, self.late, self.left, self.relays) = (wait, late, left, relays)
    }

    /// Nil for a token with other scopes.
    init?(_ row: Row) throws {
        guard let wait: Duration = try row.readIfPresent("wait_seconds") else { return nil }
        self.init(
            wait: wait, late: try Late(rawValue: row.read("when_late")) ?? .coarse,
            left: try Left(rawValue: row.read("when_left")) ?? .keep, relays: try row.read("relays"))
    }
}
