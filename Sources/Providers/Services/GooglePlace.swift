import Geocoding

/// One of the `results` of a reply.
struct GooglePlace: Decodable {
    let address_components: [Component]
    let geometry: Geometry
    let types: [String]
    let partial_match: Bool?

    struct Component: Decodable {
        let long_name, short_name: LenientText
        let types: [String]
    }

    struct Geometry: Decodable {
        let location: Location
        let location_type: String
    }

    struct Location: Decodable {
        let lat, lng: LenientNumber
    }

    func placemark(at coordinate: Coordinate) -> Placemark {
        Placemark(
            coordinate: coordinate, name: first("point_of_interest", "establishment", "premise")?.long_name.text,
            thoroughfare: first("route")?.long_name.text, subThoroughfare: first("street_number")?.long_name.text,
            locality: first("locality", "postal_town", "administrative_area_level_3")?.long_name.text,
            subLocality: first("sublocality", "neighborhood")?.long_name.text,
            administrativeArea: first("administrative_area_level_1")?.long_name.text,
            subAdministrativeArea: first("administrative_area_level_2")?.long_name.text,
            postalCode: first("postal_code")?.long_name.text,
            countryCode: first("country")?.short_name.text.uppercased(),
            countryName: first("country")?.long_name.text)
    }

    /// Returns the first component that has one of these types, in their order.
    private func first(_ types: String...) -> Component? {
        types.lazy.compactMap { type in address_components.first { $0.types.contains(type) } }.first
    }

    var precision: Precision {
        switch geometry.location_type {
        case "ROOFTOP": .rooftop
        case "RANGE_INTERPOLATED": .interpolated
        // The centre of a feature, or a point in it: the type of the feature decides.
        default: precisionOfTypes
        }
    }

    /// https://developers.google.com/maps/documentation/geocoding/requests-geocoding#Types, the finest first.
    private var precisionOfTypes: Precision {
        let precisions = types.compactMap { Self.precisions[$0] }
        return precisions.min() ?? .city
    }

    private static let precisions: [String: Precision] = [
        "premise": .rooftop, "subpremise": .rooftop, "airport": .street, "establishment": .street,
        "point_of_interest": .street, "street_address": .street, "street_number": .street, "route": .street,
        "intersection": .street, "plus_code": .street, "postal_code": .postcode, "country": .country,
        "administrative_area_level_1": .region, "administrative_area_level_2": .region, "continent": .country,
    ]
}
