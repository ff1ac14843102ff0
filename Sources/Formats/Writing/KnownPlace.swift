package import Geocoding

/// What is known of where an address is: what all outputs and answers list of it.
package struct KnownPlace: Hashable, Sendable {
    package var status: GeocodeStatus
    package var coordinate: Coordinate?
    package var precision: Precision?
    /// From 0 to 1: what was asked against what came back.
    package var confidence: Double?
    package var provider: String?
    /// The place with the names that its provider gave it; nil where it gave none.
    package var placemark: Placemark?
    /// Why it is in doubt, not found or failed, or coarser than what was asked; nil where nothing is to be said.
    package var reason: String?
    /// When it was last answered, in ISO 8601, in UTC.
    package var geocodedAt: String?
    /// Of the address, in hexadecimal digits; nil where it has none yet.
    package var hash: String?

    package init(
        status: GeocodeStatus, coordinate: Coordinate? = nil, precision: Precision? = nil, confidence: Double? = nil,
        provider: String? = nil, placemark: Placemark? = nil, reason: String? = nil, geocodedAt: String? = nil,
        hash: String? = nil
    ) {
        self.status = status
        self.coordinate = coordinate
        self.precision = precision
        self.confidence = confidence
        self.provider = provider
        self.placemark = placemark
        self.reason = reason
        self.geocodedAt = geocodedAt
        self.hash = hash
    }
}
