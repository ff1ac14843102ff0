#if canImport(Darwin)
    public import Foundation
#else
    public import FoundationEssentials
#endif

/// A store of texts by name in an app, such as `UserDefaults`.
public protocol Preferences {
    func string(forKey key: String) -> String?
    func setString(_ text: String?, forKey key: String)
}

#if canImport(Darwin)
    extension UserDefaults: Preferences {
        public func setString(_ text: String?, forKey key: String) { set(text, forKey: key) }
    }
#endif

/// A user's sign-in at Firebase.
public struct FirebaseAuth: Codable, Hashable, Sendable {
    public var userId: String
    /// The token in each request. It is valid for an hour.
    public var idToken: String
    /// The token that is exchanged for a new `idToken`.
    public var refreshToken: String
    /// When `idToken` expires, in seconds since 1970.
    public var expiresAt: Double

    public init(userId: String, idToken: String, refreshToken: String, expiresAt: Double) {
        self.userId = userId
        self.idToken = idToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
    }

    /// True if `idToken` must be renewed before it is used: a minute before it expires, so that it doesn't expire on
    /// its way.
    public func needsRefresh(now: Double) -> Bool { now >= expiresAt - 60 }
}

/// The tracking state of an app: the switch, the sign-in, and the locations that the backend has not confirmed.
///
/// It is the only place for this state, in the foreground and in the background. Call it from one task at a time.
public struct LocationStorage {
    private let preferences: any Preferences
    private let prefix: String
    public let rule: TrackingRule

    /// With Capacitor, `prefix` is `CapacitorStorage.` followed by the app's own, so that its JavaScript reads the same
    /// values.
    public init(_ preferences: any Preferences, prefix: String = "", rule: TrackingRule = TrackingRule()) {
        self.preferences = preferences
        self.prefix = prefix
        self.rule = rule
    }

    public var isTrackingEnabled: Bool { preferences.string(forKey: prefix + "trackingEnabled") == "true" }

    /// A stay ends when tracking is turned off.
    public func setTrackingEnabled(_ isEnabled: Bool, now: Double = Date().timeIntervalSince1970) {
        if isTrackingEnabled, !isEnabled { try? noteStop(at: now) }
        preferences.setString(isEnabled ? "true" : "false", forKey: prefix + "trackingEnabled")
    }

    /// Notes a stop at `now`, or at the last fix, which may be a little ahead of the clock.
    private func noteStop(at now: Double) throws {
        let fixes = try loadPendingLocations().flatMap(\.fixes)
        guard let first = fixes.map(\.timestamp).min(), let last = fixes.map(\.timestamp).max() else {
            return try save([Double](), "trackingStops")
        }
        try save(
            (load([Double].self, "trackingStops") ?? []).filter { $0 >= first } + [max(now, last)], "trackingStops")
    }

    public func loadAuth() throws -> FirebaseAuth? { try load(FirebaseAuth.self, "firebaseAuth") }

    /// Nil signs the user out.
    public func saveAuth(_ auth: FirebaseAuth?) throws {
        guard let auth else { return preferences.setString(nil, forKey: prefix + "firebaseAuth") }
        try save(auth, "firebaseAuth")
    }

    /// Returns the locations in the order of time. Throws if the stored text can't be read, so that the app doesn't
    /// overwrite it.
    public func loadPendingLocations() throws -> [PendingLocation] { try load([PendingLocation].self, "pending") ?? [] }

    public func savePendingLocations(_ pending: [PendingLocation]) throws { try save(pending, "pending") }

    /// Returns `pending` with the fix added. See ``TrackingRule/appendOrUpdate(_:user:pending:now:)``.
    public func appendOrUpdateLocation(
        newLocation: Fix, userId: String, pending: [PendingLocation], now: Double
    ) -> [PendingLocation] {
        var pending = pending
        currentRule.appendOrUpdate(newLocation, user: userId, pending: &pending, now: now)
        return pending
    }

    /// Stores a fix, to be uploaded later. Returns nil while tracking is off: then nothing is stored.
    @discardableResult
    public func storeLocationWithoutUpload(_ fix: Fix, userId: String, now: Double) throws -> FixOutcome? {
        guard isTrackingEnabled else { return nil }
        var pending = try loadPendingLocations()
        let outcome = currentRule.appendOrUpdate(fix, user: userId, pending: &pending, now: now)
        try savePendingLocations(pending)
        return outcome
    }

    /// Notes that the backend has this location now.
    public func confirmUpload(of location: PendingLocation) throws {
        var pending = try loadPendingLocations()
        pending.confirm(location)
        try savePendingLocations(pending)
    }

    /// Returns the newest believed fix, where the user was last; nil if there is none.
    public func currentLocation() throws -> Fix? {
        var walk = TrackWalk(rule: rule)
        for fix in try loadPendingLocations().last(where: { !$0.removed })?.fixes ?? [] { walk.add(fix) }
        return walk.last
    }

    /// The rule, with the moments at which tracking was turned off.
    private var currentRule: TrackingRule {
        var rule = rule
        rule.stops = (try? load([Double].self, "trackingStops")) ?? []
        return rule
    }

    private func load<Value: Decodable>(_: Value.Type, _ name: String) throws -> Value? {
        guard let text = preferences.string(forKey: prefix + name) else { return nil }
        return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    private func save(_ value: some Encodable, _ name: String) throws {
        preferences.setString(String(decoding: try JSONEncoder().encode(value), as: UTF8.self), forKey: prefix + name)
    }
}
