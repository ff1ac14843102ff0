import Geocoding

/// One of the `items` of a reply.
struct HerePlace: Decodable {
    let title: String?
    let resultType, houseNumberType, localityType, administrativeAreaType: String?
    /// True if the house number is unknown, and another one nearby was returned instead.
    let houseNumberFallback: Bool?
    /// True if the house number is known, but its position is not.
    let estimatedPointAddress: Bool?
    let address: Parts
    let position: Position
    /// Only in replies to addresses.
    let scoring: Scoring?

    struct Position: Decodable {
        let lat, lng: LenientNumber
    }

    struct Scoring: Decodable {
        let queryScore: Double?
    }

    struct Parts: Decodable {
        let street, houseNumber, postalCode: LenientText?
        let countryCode, countryName, state, county, city, district: String?
    }

    func placemark(at coordinate: Coordinate) -> Placemark {
        // The country codes have three letters.
        let country = address.countryCode.flatMap(Country.init)
        return Placemark(
            coordinate: coordinate, name: resultType == "place" ? title : nil, thoroughfare: address.street?.text,
            subThoroughfare: address.houseNumber?.text, locality: address.city, subLocality: address.district,
            administrativeArea: address.state, subAdministrativeArea: address.county,
            postalCode: address.postalCode?.text,
            countryCode: country?.code, countryName: address.countryName)
    }

    /// https://docs.here.com/geocoding-and-search/docs/result-types. New types may be added at any time.
    var precision: Precision {
        switch resultType {
        case "houseNumber":
            isOnHouse ? .rooftop : .interpolated
        case "place": .rooftop
        case "street", "intersection", "addressBlock": .street
        case "postalCodePoint": .postcode
        case "locality": localityType == "postalCode" ? .postcode : .city
        case "administrativeArea": administrativeAreaType == "country" ? .country : .region
        default: .region
        }
    }

    private var isOnHouse: Bool {
        houseNumberType == "PA" && houseNumberFallback != true && estimatedPointAddress != true
    }
}
