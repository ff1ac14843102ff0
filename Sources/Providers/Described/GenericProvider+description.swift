package import Geocoding
import HTTP
import JSON

extension GenericProvider {
    /// The requests of a service, and the places of values in its replies. Read from JSON by ``init(json:key:)``.
    package struct Description: Sendable {
        /// The lane.
        package let name: String
        package let terms: ProviderTerms
        let key: String?
        let search: URLTemplate
        let reverse: URLTemplate?
        /// With `{key}` at the place of the key.
        let headers: [String: String]
        let latitude: JSONPath
        let longitude: JSONPath
        /// For each field its possible places, the best first.
        let fields: [Field: [JSONPath]]
        let precision: PrecisionWords
        let score: Score?
        let notFound: [Condition]
        let statuses: [Int: Meaning]

        var filledHeaders: HTTPHeaders {
            var filled: HTTPHeaders = [:]
            for (name, value) in headers { filled[name] = value.replacing("{key}", with: key ?? "") }
            return filled
        }
    }

    struct PrecisionWords: Sendable {
        let paths: [JSONPath]
        let words: [String: Precision]
        let otherwise: Precision
    }

    struct Score: Sendable {
        let path: JSONPath
        /// The largest score of the service.
        let largest: Double
    }

    /// True if the value at a path of the whole reply is one of these.
    struct Condition: Sendable {
        let path: JSONPath
        let values: Set<String>

        func holds(in body: JSONValue) -> Bool {
            body.value(at: path.steps)?.written.map(values.contains) ?? false
        }
    }

    /// The meanings of a status, by the words of a description.
    enum Meaning: String, Sendable, CaseIterable {
        case notFound, refused, unavailable, busy, quota, unauthorized

        var signal: HTTPSignal {
            switch self {
            case .notFound: .notFound
            case .refused: .refused
            case .unavailable: .unavailable
            case .busy: .busy
            case .quota: .quotaExhausted
            case .unauthorized: .unauthorized
            }
        }
    }

    /// The fields of a placemark, with the names of an address's parts.
    enum Field: String, Sendable, CaseIterable {
        case name, street, houseNumber, city, district, region, county, postcode, countryCode, country

        func set(_ value: String?, in placemark: inout Placemark) {
            switch self {
            case .name: placemark.name = value
            case .street: placemark.thoroughfare = value
            case .houseNumber: placemark.subThoroughfare = value
            case .city: placemark.locality = value
            case .district: placemark.subLocality = value
            case .region: placemark.administrativeArea = value
            case .county: placemark.subAdministrativeArea = value
            case .postcode: placemark.postalCode = value
            case .countryCode: placemark.countryCode = value?.uppercased()
            case .country: placemark.countryName = value
            }
        }
    }
}
