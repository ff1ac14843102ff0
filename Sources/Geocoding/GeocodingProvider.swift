/// A service that finds the coordinates of addresses, and perhaps the addresses of coordinates.
public protocol GeocodingProvider: Sendable {
    /// The name under which limits, results and logs know this provider. Stored: never rename it.
    var name: String { get }

    /// What it can do, and what its terms of use permit.
    var terms: ProviderTerms { get }

    /// Looks up all `queries` in one call and returns one answer for each, in the same order.
    ///
    /// A caller passes no more than ``ProviderTerms/batch``.
    func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer]

    /// Looks up in one call what is at each of `coordinates`, and returns one answer for each, in the same order.
    ///
    /// A caller passes no more than ``ProviderTerms/batch``, and calls only a provider that has
    /// ``ProviderTerms/canReverse``.
    func reverseGeocode(_ coordinates: [Coordinate]) async throws(ProviderError) -> [Answer]
}

extension GeocodingProvider {
    public func reverseGeocode(_ coordinates: [Coordinate]) async throws(ProviderError) -> [Answer] {
        coordinates.map { _ in .refused(reason: "\(name) has no reverse geocoding") }
    }
}

/// What a provider said about one query.
public enum Answer: Hashable, Sendable {
    /// What the provider found, the best first. Never empty.
    case found([Candidate])
    /// The provider found no such place.
    case notFound
    /// The provider will never answer this query. The reason has nothing of the address.
    case refused(reason: String)

    /// One place, and nothing else.
    public static func located(_ placemark: Placemark, _ precision: Precision, score: Double? = nil) -> Self {
        .found([Candidate(placemark, precision, score: score)])
    }
}

/// A place that may be the one that was meant.
public struct Candidate: Hashable, Sendable {
    public package(set) var placemark: Placemark
    public package(set) var precision: Precision

    /// How sure the provider says it is, from 0 to 1; nil where it says nothing, or says what can't be compared.
    public package(set) var score: Double?

    /// The share of people who mean this place by this name, from 0 to 1; 1 where no other place has the name.
    public package(set) var share: Double

    public init(_ placemark: Placemark, _ precision: Precision, score: Double? = nil, share: Double = 1) {
        self.placemark = placemark
        self.precision = precision
        self.score = score
        self.share = share
    }
}

/// Why a call brought no answers at all. A reason never contains anything of a contact, nor a key.
public enum ProviderError: Error, Hashable {
    /// It asked us to call later.
    case busy(retryAfter: Duration)
    /// Its quota for us is used up, and comes back in so long.
    case quotaExhausted(resetIn: Duration)
    /// It could not be reached, failed on its side, or answered in a way we do not understand: it may go better next
    /// time.
    case unavailable(reason: String)
    /// It doesn't accept our key, or doesn't permit what we ask. Only a person can help.
    case unauthorized(reason: String)
}
