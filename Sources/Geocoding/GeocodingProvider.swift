/// A service that finds the coordinates of addresses, and possibly the addresses of coordinates.
public protocol GeocodingProvider: Sendable {
    /// The name of this provider in limits, results and logs. Stored: never rename it.
    var name: String { get }

    /// Its capabilities, and the terms of its use.
    var terms: ProviderTerms { get }

    /// Looks up all `queries` in one call and returns one answer for each, in the same order.
    ///
    /// A caller passes at most ``ProviderTerms/batch`` queries.
    func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer]

    /// Looks up what is at each of `coordinates` in one call, and returns one answer for each, in the same order.
    ///
    /// A caller passes at most ``ProviderTerms/batch`` coordinates, and calls only a provider that has
    /// ``ProviderTerms/canReverse``.
    func reverseGeocode(_ coordinates: [Coordinate]) async throws(ProviderError) -> [Answer]
}

extension GeocodingProvider {
    public func reverseGeocode(_ coordinates: [Coordinate]) async throws(ProviderError) -> [Answer] {
        coordinates.map { _ in .refused(reason: "\(name) has no reverse geocoding") }
    }
}

/// A provider whose server can be asked in its own form.
package protocol RelayingProvider: GeocodingProvider {
    /// Sends a request with this path and these parameters: `search?format=json&q=Vaduz`. Returns the reply as it is;
    /// nil if the server refuses the request.
    func relay(_ request: String) async throws(ProviderError) -> [UInt8]?
}

/// The provider's answer to one query.
public enum Answer: Hashable, Sendable {
    /// The places found, the best first. Never empty.
    case found([Candidate])
    /// The provider found no such place.
    case notFound
    /// The provider will never answer this query. The reason contains nothing of the address.
    case refused(reason: String)

    /// Exactly one place.
    public static func located(_ placemark: Placemark, _ precision: Precision, score: Double? = nil) -> Self {
        .found([Candidate(placemark, precision, score: score)])
    }
}

/// A place that may be the right one.
public struct Candidate: Hashable, Sendable {
    public package(set) var placemark: Placemark
    public package(set) var precision: Precision

    /// The provider's own score, from 0 to 1; nil if it gives none, or one that can't be compared.
    public package(set) var score: Double?

    /// The share of people who mean this place by this name, from 0 to 1; 1 if no other place has the name.
    public package(set) var share: Double

    /// Its source has no postcodes at all, so a missing one is not evidence against it.
    package var isOfSourceWithoutPostcodes = false

    public init(_ placemark: Placemark, _ precision: Precision, score: Double? = nil, share: Double = 1) {
        self.placemark = placemark
        self.precision = precision
        self.score = score
        self.share = share
    }
}

/// The reason why a call brought no answers at all. It never contains anything of a contact, nor a key.
public enum ProviderError: Error, Hashable {
    /// The provider asked us to call later.
    case busy(retryAfter: Duration)
    /// The provider's quota for us is used up, and is restored after this time.
    case quotaExhausted(resetIn: Duration)
    /// The provider could not be reached, failed on its side, or replied in a way that we do not understand. The next
    /// call may succeed.
    case unavailable(reason: String)
    /// The provider refuses our key or this kind of call. Only a person can solve this.
    case unauthorized(reason: String)
}

/// The status of an address. Stored: never rename a case.
public enum GeocodeStatus: String, Codable, Sendable, CaseIterable {
    case waiting
    case located
    /// A person should choose among the places that were found.
    case needsReview = "needs_review"
    case notFound = "not_found"
    case failed
    /// The provider's terms forbid to keep its answer any longer. It is asked again when needed.
    case forgotten
}
