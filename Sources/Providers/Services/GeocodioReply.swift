import Geocoding

/// The reply to a batch, with one of `results` for each query, in their order.
struct GeocodioReply: Decodable {
    let results: [Item]

    struct Item: Decodable {
        let response: Response
    }

    struct Response: Decodable {
        let results: [GeocodioPlace]?
        let error: String?
    }
}

struct GeocodioPlace: Decodable, RepliedPlace {
    let address_components: Parts
    let location: Location
    /// The quality of the match, from 0 to 1.
    let accuracy: Double?
    let accuracy_type: String?

    struct Location: Decodable {
        let lat, lng: LenientNumber
    }

    struct Parts: Decodable {
        let number, zip, street, formatted_street: LenientText?
        let predirectional, suffix, postdirectional, city, county, state, country: String?
    }

    func placemark(at coordinate: Coordinate) -> Placemark {
        let parts = address_components
        let street = [parts.predirectional, parts.street?.text, parts.suffix, parts.postdirectional].compactMap(\.self)
        return Placemark(
            coordinate: coordinate,
            thoroughfare: parts.formatted_street?.text ?? (street.isEmpty ? nil : street.joined(separator: " ")),
            subThoroughfare: parts.number?.text, locality: parts.city, administrativeArea: parts.state,
            subAdministrativeArea: parts.county, postalCode: parts.zip?.text, countryCode: parts.country?.uppercased(),
            countryName: parts.country.flatMap(Country.init)?.name)
    }

    var score: Double? { accuracy }

    /// https://www.geocod.io/docs/#accuracy-types
    var precision: Precision {
        switch accuracy_type {
        case "rooftop": .rooftop
        // A point is a range with one house in it. The nearest match is a known house in place of the right one.
        case "point", "range_interpolation", "nearest_rooftop_match": .interpolated
        case "intersection", "street_center", "nearest_street": .street
        case "county", "state": .region
        // A city, or a postcode if only that was asked.
        case "place", "nearest_place": .city
        default: .region
        }
    }
}
