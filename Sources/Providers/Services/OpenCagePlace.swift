import Geocoding

/// One of the `results` of a reply.
struct OpenCagePlace: Decodable {
    let geometry: Geometry
    let components: Parts

    struct Geometry: Decodable {
        let lat, lng: LenientNumber
    }

    /// The members depend on the place, as with Nominatim: https://opencagedata.com/api#response
    struct Parts: Decodable {
        let _type, _category: String?
        let house_number, road, pedestrian, footway, square: LenientText?
        let neighbourhood, suburb, quarter, city_district: LenientText?
        let _normalized_city, city, town, village, hamlet, municipality: LenientText?
        let county, state_district, state, province, region: LenientText?
        let postcode, country, country_code: LenientText?
    }

    func placemark(at coordinate: Coordinate) -> Placemark {
        let city =
            components.city ?? components.town ?? components.village ?? components.hamlet
            ?? components._normalized_city ?? components.municipality
        let district =
            components.suburb ?? components.city_district ?? components.quarter ?? components.neighbourhood
        return Placemark(
            coordinate: coordinate,
            thoroughfare: (components.road ?? components.pedestrian ?? components.footway ?? components.square)?.text,
            subThoroughfare: components.house_number?.text, locality: city?.text, subLocality: district?.text,
            administrativeArea: (components.state ?? components.province ?? components.region)?.text,
            subAdministrativeArea: (components.county ?? components.state_district)?.text,
            postalCode: components.postcode?.text, countryCode: components.country_code?.text.uppercased(),
            countryName: components.country?.text)
    }
}

extension OpenCagePlace.Parts {
    /// If a house number is missing in the data, the reply is the street. So the precision depends on the reply.
    var precision: Precision {
        switch _type {
        case "building", "house": .rooftop
        case "road", "street", "intersection": .street
        case "postcode", "terminated_postcode": .postcode
        case "county", "region", "state", "state_district", "province": .region
        case "country", "continent", "body_of_water": .country
        default: precisionOfCategory
        }
    }

    /// A shop, a school or a station is as precise as its house number.
    private var precisionOfCategory: Precision {
        if house_number != nil { return .rooftop }
        switch _category {
        case "road": return .street
        case "postcode": return .postcode
        case "place", "natural/water", "natural", "outdoors", nil: return .city
        default: return .street
        }
    }
}
