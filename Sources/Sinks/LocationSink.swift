package import HTTP

/// The destination of uploaded locations: a service on the network.
///
/// A sink identifies a location by its user, its time and its id. The same location again replaces the stored one. So
/// an upload whose reply was lost is simply repeated.
package protocol LocationSink: Sendable {
    /// The sender of the calls; nil if no HTTP server is called, as in tests.
    var sender: (any HTTPCaller)? { get }

    /// The most locations in one call.
    var most: Int { get }

    /// Renews the tokens of its calls; nil if they have none.
    var signIn: FirebaseSignIn? { get }

    /// Stores the locations of a parcel, in their order, and deletes the removed ones, in one call. When it returns,
    /// the sink has stored all permanently. If it throws, the sink may have stored all, some or none.
    ///
    /// A call to an HTTP server is sent with ``Departure/current``.
    func upload(_ parcel: Parcel) async throws(SinkError)
}

/// The content of one call.
package struct Parcel: Sendable {
    /// The same in each attempt, and different for other content: receivers may recognize a repetition by it.
    package let id: String
    package let locations: [LocationToUpload]
    /// When the last of its locations changed, in seconds since 1970.
    package let changedAt: Double
    /// Proves that a user is signed in; nil if the sink has no ``LocationSink/signIn``.
    package let token: String?

    package init(id: String, locations: [LocationToUpload], changedAt: Double = 0, token: String? = nil) {
        self.id = id
        self.locations = locations
        self.changedAt = changedAt
        self.token = token
    }

    /// A parcel whose id is a digest of its content. A location that changes and then changes back counts as changed.
    package init(_ changes: [(location: LocationToUpload, changedAt: Double)], token: String? = nil) {
        let parts = changes.flatMap { change in
            let location = change.location
            let numbers = [
                location.timestamp, location.lat, location.lng, location.accuracy ?? -1, location.waitTime,
                change.changedAt,
            ]
            return [location.user, location.id, location.isRemoved ? "removed" : ""] + numbers.map { "\($0)" }
        }
        // No text contains a zero byte, so it marks where a text ends.
        self.init(
            id: Digest.identifier(of: parts.joined(separator: "\0").utf8), locations: changes.map(\.location),
            changedAt: changes.map(\.changedAt).max() ?? 0, token: token)
    }
}

/// A location for an upload.
package struct LocationToUpload: Hashable, Sendable {
    package let user: String
    package let id: String
    package let lat: Double
    package let lng: Double
    /// In metres; nil if the phone didn't report it.
    package let accuracy: Double?
    /// When the stay began, in seconds since 1970, to the millisecond.
    package let timestamp: Double
    /// In seconds.
    package let waitTime: Double
    /// A late fix has shown that no stay began here: the sink must delete the location.
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

/// The reason why a sink has not stored a parcel. No reason contains a user, a position, a path or a key.
package enum SinkError: Error, Hashable {
    /// Too many calls in a time.
    case busy(retryAfter: Duration)
    case quotaExhausted(resetIn: Duration)
    /// The next attempt may succeed.
    case unavailable(reason: String)
    /// The sink refuses something in this parcel, permanently. A smaller parcel may show which location it is.
    case refused(reason: String)
    /// The sink doesn't accept the token.
    case unauthorized(reason: String)
    /// The sink refuses all our calls, until a person corrects something.
    case denied(reason: String)
}
