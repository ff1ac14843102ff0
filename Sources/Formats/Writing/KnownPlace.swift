package import Geocoding

/// The known facts about the place of an address, for all outputs and API responses.
package struct KnownPlace: Hashable, Sendable {
    package var status: GeocodeStatus
    package var coordinate: Coordinate?
    package var precision: Precision?
    /// True if it is coarser than the address.
    package var isWeak: Bool
    /// From 0 to 1: the probability that it is right at its own precision.
    package var areaConfidence: Double?
    package var provider: String?
    /// The place with the names from its provider; nil if the provider gave none.
    package var placemark: Placemark?
    /// The reason why the place is in doubt, not found, failed, or coarser than the address; otherwise nil.
    package var reason: String?
    /// The time of the last answer, in ISO 8601, in UTC.
    package var geocodedAt: String?
    /// The hash of the address in hexadecimal digits; nil if it has none yet.
    package var hash: String?
    /// The text that the provider's terms require next to the place.
    package var attribution: String?

    package init(
        status: GeocodeStatus, coordinate: Coordinate? = nil, precision: Precision? = nil, isWeak: Bool = false,
        areaConfidence: Double? = nil,
        provider: String? = nil, placemark: Placemark? = nil, reason: String? = nil, geocodedAt: String? = nil,
        hash: String? = nil, attribution: String? = nil
    ) {
        self.status = status
        self.coordinate = coordinate
        self.precision = precision
        self.isWeak = isWeak
        self.areaConfidence = areaConfidence
        self.provider = provider
        self.placemark = placemark
        self.reason = reason
        self.geocodedAt = geocodedAt
        self.hash = hash
        self.attribution = attribution
    }
}

extension KnownPlace {
    /// From 0 to 1: the probability that its point is the one asked for; nil without a point. In review,
    /// `areaConfidence` is that of the best candidate.
    package var confidence: Double? {
        areaConfidence.flatMap { precision?.confidence(area: $0, isWeak: isWeak) }
    }
}
