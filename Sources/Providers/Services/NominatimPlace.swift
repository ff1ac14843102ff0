import Geocoding

/// One place of a reply in the format `jsonv2`.
struct NominatimPlace: Decodable, RepliedPlace {
    let lat: LenientNumber
    let lon: LenientNumber
    let name: String?
    let category: String?
    let type: String?
    let osm_type: String?
    let addresstype: String?
    let place_rank: Int?
    let address: Parts
    /// South, north, west, east.
    let boundingbox: [LenientNumber]?

    /// The members depend on the country and on the mappers.
    struct Parts: Decodable {
        let house_number, postcode, road, pedestrian, footway, square: LenientText?
        let neighbourhood, suburb, quarter, city_district: String?
        let city, town, village, hamlet, municipality: String?
        let county, state_district, state, region, province: String?
        let country, country_code: String?
    }

    func placemark(at coordinate: Coordinate) -> Placemark {
        Placemark(
            coordinate: coordinate, name: name?.isEmpty == true ? nil : name,
            thoroughfare: (address.road ?? address.pedestrian ?? address.footway ?? address.square)?.text,
            subThoroughfare: address.house_number?.text,
            locality: address.city ?? address.town ?? address.village ?? address.hamlet ?? address.municipality,
            subLocality: address.suburb ?? address.city_district ?? address.quarter ?? address.neighbourhood,
            administrativeArea: address.state ?? address.province ?? address.region,
            subAdministrativeArea: address.county ?? address.state_district,
            postalCode: address.postcode?.text, countryCode: address.country_code?.uppercased(),
            countryName: address.country)
    }

    /// If a house number is missing on the map, the reply is the street with status 200. So the precision depends on
    /// the reply.
    var precision: Precision {
        // Houses mapped as a line of numbers between two known ones, in the United States from the Census (TIGER).
        if category == "place", type == "houses" || type == "house" && osm_type == "way" { return .interpolated }
        if address.house_number != nil || category == "building" { return .rooftop }
        switch addresstype ?? type {
        case "road", "pedestrian", "footway", "square", "street": return .street
        case "postcode": return .postcode
        case "country": return .country
        case "county", "state", "state_district", "region", "province": return .region
        default: return precisionOfRank
        }
    }

    /// https://nominatim.org/release-docs/latest/customize/Ranking/
    private var precisionOfRank: Precision {
        switch place_rank ?? 0 {
        case 28...: .rooftop
        case 26...27: .street
        case 13...25: .city
        case 5...12: .region
        default: .country
        }
    }
}

extension Coordinate {
    /// False if latitude and longitude were swapped on the way. A margin of one degree allows for coarse boxes: south,
    /// north, west, east.
    func isInside(_ box: [Double]) -> Bool {
        guard box.count == 4 else { return true }
        // Across the date line, west is larger than east.
        let isBetween = box[2] > box[3] || longitude > box[2] - 1 && longitude < box[3] + 1
        return latitude > box[0] - 1 && latitude < box[1] + 1 && isBetween
    }
}
