import Geocoding

/// A reply of Apple Maps, to an address or a coordinate.
struct ApplePlaces: Decodable {
    let results: [Place]

    struct Place: Decodable {
        let coordinate: Location
        let name: String?
        let structuredAddress: Parts?
        let country: String?
        let countryCode: String?
    }

    struct Location: Decodable {
        let latitude: LenientNumber
        let longitude: LenientNumber
    }

    struct Parts: Decodable {
        let thoroughfare, subThoroughfare, postCode: LenientText?
        let locality, subLocality: String?
        let administrativeArea, subAdministrativeArea: String?
    }
}

extension ApplePlaces.Place: RepliedPlace {
    func placemark(at coordinate: Coordinate) -> Placemark {
        Placemark(
            coordinate: coordinate, name: name, thoroughfare: structuredAddress?.thoroughfare?.text,
            subThoroughfare: structuredAddress?.subThoroughfare?.text, locality: structuredAddress?.locality,
            subLocality: structuredAddress?.subLocality, administrativeArea: structuredAddress?.administrativeArea,
            subAdministrativeArea: structuredAddress?.subAdministrativeArea,
            postalCode: structuredAddress?.postCode?.text,
            countryCode: countryCode?.uppercased(), countryName: country)
    }

    /// Apple returns no kind of place, so the finest part in the reply decides. A town has a postcode too.
    var precision: Precision {
        guard let parts = structuredAddress else { return .country }
        if parts.subThoroughfare != nil { return .rooftop }
        if parts.thoroughfare != nil { return .street }
        if let postcode = parts.postCode?.text, name == postcode || parts.locality == nil { return .postcode }
        if parts.locality != nil || parts.subLocality != nil { return .city }
        return parts.administrativeArea == nil && parts.subAdministrativeArea == nil ? .country : .region
    }
}
