package import Geocoding

/// A place in a reply.
package struct GatewayPlace: Sendable {
    package let placemark: Placemark
    /// From 0 to 1: the probability that its point is the one asked for.
    package let confidence: Double
    /// True if the place is coarser than asked.
    package let isWeak: Bool
    package let provider: String
    /// The attribution and the licence of the data.
    package let licence: String
    /// The code of its region in ISO 3166-2.
    package let regionCode: String?
    package let kind: PlaceKind
    package let number: PlaceNumber
    package let countryName: String?

    package init(
        _ placemark: Placemark, _ precision: Precision, confidence: Double, isWeak: Bool, provider: String,
        licence: String, regionCode: String? = nil, countryName: String?, number: PlaceNumber? = nil,
        finest: PlaceKind = .house
    ) {
        let kind = PlaceKind(of: placemark, precision, finest: finest)
        (self.placemark, self.kind) = (placemark.cut(to: kind), kind)
        (self.confidence, self.isWeak, self.provider) = (confidence, isWeak, provider)
        (self.licence, self.regionCode) = (licence, placemark.administrativeArea == nil ? nil : regionCode)
        self.countryName = countryName
        self.number =
            number ?? PlaceNumber(kind, at: placemark.coordinate, country: placemark.countryCode)
    }

    /// Empty for a house without a name of its own.
    package var name: String {
        switch kind {
        case .house: placemark.name ?? ""
        case .country: countryName ?? ""
        default: placemark.name(of: kind) ?? ""
        }
    }

    /// The members of Nominatim's `address`, from fine to coarse.
    package var address: [(name: String, value: String)] {
        let place = placemark
        let region = (regionCode == nil ? "region" : "state", place.administrativeArea)
        let parts: [(String, String?)] = [
            (kind == .house && place.subThoroughfare == nil ? "building" : "", place.name),
            ("house_number", place.subThoroughfare), ("road", place.thoroughfare), ("suburb", place.subLocality),
            ("city", place.locality), ("county", place.subAdministrativeArea), region, ("ISO3166-2-lvl4", regionCode),
            ("postcode", place.postalCode), ("country", countryName), ("country_code", place.countryCode?.lowercased()),
        ]
        return parts.compactMap { name, value in
            value.flatMap { name.isEmpty || $0.isEmpty ? nil : (name, $0) }
        }
    }

    /// The parts from fine to coarse.
    package var label: String {
        let parts = address.filter { $0.name != "country_code" && !$0.name.hasPrefix("ISO") }.map(\.value)
        let all = kind == .postcode ? [name] + parts.filter { $0 != name } : parts
        return all.isEmpty
            ? "\(placemark.coordinate.latitude), \(placemark.coordinate.longitude)" : all.joined(separator: ", ")
    }

    /// `Lönnrotinkatu 5, 00120 Helsinki, Finland`, for programs that show one line.
    package var line: String {
        let place = placemark
        let house = [place.thoroughfare ?? place.name, place.subThoroughfare]
        let town = [place.postalCode, place.locality ?? place.subAdministrativeArea ?? place.administrativeArea]
        let parts = [house, town, [countryName]].map { $0.compactMap(\.self).joined(separator: " ") }
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    package var box: Box { Box(around: placemark.coordinate, kind.facts.reach) }
}

extension PlaceKind {
    /// How the other services call a kind.
    struct Facts {
        /// Nominatim's `class`, `type` and `addresstype`; `class` and `type` are OpenStreetMap's key and value.
        let key, value, addressType: String
        /// Nominatim's `place_rank`.
        let rank: Int
        /// Photon's `type`, and that of `geocodejson`.
        let layer: String
        /// The half of the box around a place of which only the middle is known, in degrees.
        let reach: Double
    }

    var facts: Facts {
        switch self {
        case .house: Facts(key: "place", value: "house", addressType: "place", rank: 30, layer: "house", reach: 0.00005)
        case .street: Facts(key: "highway", value: "road", addressType: "road", rank: 26, layer: "street", reach: 0.002)
        case .part:
            Facts(key: "place", value: "suburb", addressType: "suburb", rank: 19, layer: "district", reach: 0.02)
        case .town: Facts(key: "place", value: "city", addressType: "city", rank: 16, layer: "city", reach: 0.04)
        case .postcode:
            Facts(key: "place", value: "postcode", addressType: "postcode", rank: 21, layer: "other", reach: 0.02)
        case .county:
            Facts(
                key: "boundary", value: "administrative", addressType: "county", rank: 12, layer: "county", reach: 0.3)
        case .region:
            Facts(key: "boundary", value: "administrative", addressType: "state", rank: 8, layer: "state", reach: 1)
        case .country:
            Facts(key: "boundary", value: "administrative", addressType: "country", rank: 4, layer: "country", reach: 5)
        }
    }

    /// The finest kind that the place has a name for, if that is as fine as its point and as `finest`.
    fileprivate init(of place: Placemark, _ precision: Precision, finest: PlaceKind) {
        let kind: PlaceKind =
            switch precision {
            case .rooftop, .interpolated: .house
            case .street: .street
            case .postcode: .postcode
            case .city: .part
            case .region: .county
            case .country: .country
            }
        let kinds = Self.allCases.drop { $0 < max(kind, finest) }.filter { $0 != .postcode || kind == .postcode }
        self = kinds.first { place.name(of: $0) != nil } ?? max(kind, finest)
    }
}

extension Placemark {
    /// The name or number of this kind; nil if the placemark has none.
    fileprivate func name(of kind: PlaceKind) -> String? {
        let name =
            switch kind {
            case .house: subThoroughfare ?? name
            case .street: thoroughfare
            case .part: subLocality
            case .town: locality
            case .postcode: postalCode
            case .county: subAdministrativeArea
            case .region: administrativeArea
            case .country: countryCode
            }
        return name?.isEmpty == false ? name : nil
    }

    /// Without the names that are finer than this kind.
    fileprivate func cut(to kind: PlaceKind) -> Placemark {
        var place = self
        if kind > .house { (place.subThoroughfare, place.name) = (nil, nil) }
        if kind > .street { place.thoroughfare = nil }
        if kind > .part, kind != .postcode { place.subLocality = nil }
        if kind > .town, kind != .postcode { (place.locality, place.postalCode) = (nil, nil) }
        if kind > .county { place.subAdministrativeArea = nil }
        if kind > .region { place.administrativeArea = nil }
        return place
    }
}
