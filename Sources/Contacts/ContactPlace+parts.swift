package import Geocodes
package import Geocoding

extension ContactPlace {
    /// A place without a database to read it from.
    package init(
        id: Int, sourceKey: String, name: String, label: String, address: Address, status: GeocodeStatus,
        coordinate: Coordinate? = nil, precision: Precision? = nil, confidence: Double? = nil,
        provider: String? = nil
    ) {
        self.id = id
        self.sourceKey = sourceKey
        self.name = name
        self.label = label
        self.address = address
        self.status = status
        self.coordinate = coordinate
        self.precision = precision
        self.confidence = confidence
        self.provider = provider
    }
}
