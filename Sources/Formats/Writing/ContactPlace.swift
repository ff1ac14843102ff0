package import Geocoding

/// One address of one friend, with its place if it has one.
package struct ContactPlace: Identifiable, Hashable, Sendable {
    package var id: Int
    /// The friend's id in the database. `position` is the number of the address: 1, 2, …
    package var friend: Int
    package var position: Int
    package var sourceKey: String
    package var name: String
    /// The parts of the name, blank if the source has only the whole name.
    package var firstName = ""
    package var lastName = ""
    package var nickname = ""
    package var label: String
    package var address: Address
    /// ISO 3166-1 alpha-2; nil if the country's spelling is unknown.
    package var countryCode: String?
    package var place: KnownPlace

    /// Makes a place without a database.
    package init(
        id: Int, friend: Int? = nil, position: Int = 1, sourceKey: String, name: String, label: String,
        address: Address, status: GeocodeStatus, coordinate: Coordinate? = nil, precision: Precision? = nil,
        areaConfidence: Double? = nil, provider: String? = nil
    ) {
        self.id = id
        self.friend = friend ?? id
        self.position = position
        self.sourceKey = sourceKey
        self.name = name
        self.label = label
        self.address = address
        place = KnownPlace(
            status: status, coordinate: coordinate, precision: precision, areaConfidence: areaConfidence,
            provider: provider)
    }

    /// Makes a place without a contact.
    init(_ place: KnownPlace) {
        self.init(id: 0, sourceKey: "", name: "", label: "", address: Address(), status: place.status)
        self.place = place
    }
}

extension ContactPlace {
    package var status: GeocodeStatus {
        get { place.status }
        set { place.status = newValue }
    }
    package var coordinate: Coordinate? {
        get { place.coordinate }
        set { place.coordinate = newValue }
    }
    package var precision: Precision? {
        get { place.precision }
        set { place.precision = newValue }
    }
    package var confidence: Double? { place.confidence }
    package var provider: String? {
        get { place.provider }
        set { place.provider = newValue }
    }
}
