import Geocoding

/// The `properties` of one feature of a reply.
struct MapboxPlace: Decodable, RepliedPlace {
    let feature_type: String?
    let coordinates: Position
    let context: Parts?
    /// Only in replies to addresses that contain addresses.
    let match_code: MatchCode?

    struct Position: Decodable {
        let latitude, longitude: LenientNumber
        let accuracy: String?
    }

    /// The place itself is one of its parts.
    struct Parts: Decodable {
        let address: House?
        let country: Country?
        let street, neighborhood, locality, place, district, region, postcode: Part?
    }

    struct Part: Decodable {
        let name: LenientText?
    }

    struct House: Decodable {
        let address_number, street_name: LenientText?
    }

    struct Country: Decodable {
        let name, country_code: String?
    }

    struct MatchCode: Decodable {
        let confidence: String?
    }

    func placemark(at coordinate: Coordinate) -> Placemark {
        Placemark(
            coordinate: coordinate, thoroughfare: (context?.address?.street_name ?? context?.street?.name)?.text,
            subThoroughfare: context?.address?.address_number?.text, locality: context?.place?.name?.text,
            subLocality: (context?.locality?.name ?? context?.neighborhood?.name)?.text,
            administrativeArea: context?.region?.name?.text, subAdministrativeArea: context?.district?.name?.text,
            postalCode: context?.postcode?.name?.text, countryCode: context?.country?.country_code?.uppercased(),
            countryName: context?.country?.name)
    }

    /// https://docs.mapbox.com/api/search/geocoding/#point-accuracy-for-address-features
    var precision: Precision {
        switch feature_type {
        case "address", "secondary_address": precisionOfAddress
        case "street", "block": .street
        case "postcode": .postcode
        case "place", "locality", "neighborhood": .city
        case "country": .country
        // A district, a region, and any future type.
        default: .region
        }
    }

    private var precisionOfAddress: Precision {
        switch coordinates.accuracy {
        case "rooftop", "parcel", "point": .rooftop
        case "interpolated", "proximate": .interpolated
        // Approximate, an intersection, or the middle of the street.
        default: .street
        }
    }

    /// Its four words, mapped to our scale: https://docs.mapbox.com/api/search/geocoding/#smart-address-match
    var score: Double? {
        switch match_code?.confidence {
        case "exact": 1
        case "high": 0.9
        case "medium": 0.6
        case "low": 0.3
        default: nil
        }
    }
}
