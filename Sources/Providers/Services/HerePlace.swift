import Geocoding

/// One of the `items` of an answer.
struct HerePlace: Decodable {
    let title: String?
    let resultType, houseNumberType, localityType, administrativeAreaType: String?
    /// True where the number that was asked for isn't known, and another one nearby stands in for it.
    let houseNumberFallback: Bool?
    /// True where the number is known and its place is not.
    let estimatedPointAddress: Bool?
    let address: Parts
    let position: Position
    /// Only where addresses are asked for.
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
        // Its codes have three letters.
        let country = address.countryCode.flatMap(Country.init)
        return Placemark(
            coordinate: coordinate, name: resultType == "place" ? title : nil, thoroughfare: address.street?.text,
            subThoroughfare: address.houseNumber?.text, locality: address.city, subLocality: address.district,
            administrativeArea: address.state, subAdministrativeArea: address.county,
            postalCode: address.postalCode?.text,
            countryCode: country?.code, countryName: address.countryName)
    }

    /// https://docs.here.com/geocoding-and-search/docs/result-types. New types may come at any time.
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
