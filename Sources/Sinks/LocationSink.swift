package import HTTP

/// Where locations are uploaded to: a service on the network, a file, a table.
///
/// A sink keeps a location by its user, its time and its id. The same location again replaces what is there, so an upload
/// whose answer was lost is simply made again.
package protocol LocationSink: Sendable {
    /// Through whom the calls leave; nil where no HTTP server is called.
    var sender: (any HTTPCaller)? { get }

    /// The most locations in one call.
    var most: Int { get }

    /// Renews the tokens that its calls carry; nil where they carry none.
    var signIn: FirebaseSignIn? { get }

    /// Stores the locations of a parcel, in their order, and deletes those that are removed, in one call. When it returns, the
    /// sink has them all, for good. When it throws, it may have all, some or none.
    ///
    /// A call to an HTTP server leaves with ``Departure/current``.
    func upload(_ parcel: Parcel) async throws(SinkError)
}

/// What one call carries.
package struct Parcel: Sendable {
    /// The same in each attempt, and another one for other content: receivers may know a repetition by it.
    package let id: String
    package let locations: [UploadedLocation]
    /// When the last of its locations changed, in seconds since 1970.
    package let changedAt: Double
    /// Shows that a user is signed in; nil where the sink has no ``LocationSink/signIn``.
    package let token: String?

    package init(id: String, locations: [UploadedLocation], changedAt: Double = 0, token: String? = nil) {
        self.id = id
        self.locations = locations
        self.changedAt = changedAt
        self.token = token
    }

    /// A parcel whose id is a digest of what it carries. A location that changes and then is as before counts as changed.
    package init(_ changes: [(location: UploadedLocation, changedAt: Double)], token: String? = nil) {
        let parts = changes.flatMap { change in
            let location = change.location
            let numbers = [
                location.timestamp, location.lat, location.lng, location.accuracy ?? -1, location.waitTime,
                change.changedAt,
            ]
            return [location.user, location.id, location.isRemoved ? "removed" : ""] + numbers.map { "\($0)" }
        }
        // No text has a zero byte, so it tells where one ends.
        let digest = SHA256.hash(Array(parts.joined(separator: "\0").utf8))
        self.init(
            id: String(digest.hexadecimal.prefix(32)),
            locations: changes.map(\.location), changedAt: changes.map(\.changedAt).max() ?? 0, token: token)
    }
}

/// A location on its way to a sink.
package struct UploadedLocation: Hashable, Sendable {
    package let user: String
    package let id: String
    package let lat: Double
    package let lng: Double
    /// Metres; nil where the phone didn't say.
    package let accuracy: Double?
    /// When the stay began, in seconds since 1970, to the millisecond.
    package let timestamp: Double
    /// In seconds.
    package let waitTime: Double
    /// No stay began here, as a fix that came late has shown: the sink must not have it.
    package let isRemoved: Bool

    package init(
        user: String, id: String, lat: Double, lng: Double, accuracy: Double?, timestamp: Double, waitTime: Double,
        isRemoved: Bool = false
    ) {
        self.user = user
        self.id = id
        self.lat = lat
        self.lng = lng
        self.accuracy = accuracy
        self.timestamp = timestamp
        self.waitTime = waitTime
        self.isRemoved = isRemoved
    }
}

/// Why a sink has not taken a parcel. No reason names a user, a position, a path or a key.
package enum SinkError: Error, Hashable {
    /// Too fast.
    case busy(retryAfter: Duration)
    case quotaExhausted(resetIn: Duration)
    /// It may work next time.
    case unavailable(reason: String)
    /// The sink doesn't want what is in this parcel, and never will. A smaller parcel may show which location it is.
    case refused(reason: String)
    /// It doesn't accept the token.
    case unauthorized(reason: String)
    /// The sink refuses all our calls, until a person has set something right.
    case denied(reason: String)
}
