/// Someone who can turn addresses into places.
public protocol GeocodingProvider: Sendable {
    /// The name under which limits, results and logs know this provider. Stored: never rename it.
    var name: String { get }

    /// Asks about all `addresses` in one call and returns one answer for each, in the same order.
    ///
    /// A caller passes no more addresses than the provider takes at once.
    func geocode(_ addresses: [Address]) async throws(ProviderError) -> [Answer]
}

/// What a provider said about one address.
public enum Answer: Hashable, Sendable {
    case located(Placemark, Precision)
    /// It looked, and knows no such place.
    case notFound
}

/// Why a provider gave no answer at all. A reason never contains anything of a contact.
public enum ProviderError: Error, Equatable {
    /// It asked us to come back later.
    case busy(retryAfter: Duration)
    /// Its quota for us is used up, and comes back in so long.
    case quotaExhausted(resetIn: Duration)
    /// It could not be reached, or failed on its side.
    case unavailable(reason: String)
    /// It answered in a way we do not understand: our bug or theirs, and retrying won't help.
    case unreadable(reason: String)
}
