import Geocoding
package import HTTP

/// The services whose descriptions ship inside the program, in the folder Descriptions. The name is also the lane's.
package enum ShippedService: String, CaseIterable, Sendable {
    case google, opencage, geoapify, locationiq, here

    var json: [UInt8] {
        switch self {
        case .google: PackageResources.google_json
        case .opencage: PackageResources.opencage_json
        case .geoapify: PackageResources.geoapify_json
        case .locationiq: PackageResources.locationiq_json
        case .here: PackageResources.here_json
        }
    }

    private func description(key: String) -> GenericProvider.Description {
        do { return try GenericProvider.Description(json: json, key: key) } catch {
            preconditionFailure("\(rawValue): \(error)")
        }
    }

    package func provider(key: String, http: HTTPClient) -> GenericProvider {
        GenericProvider(description(key: key), http: http)
    }

    /// Its terms of use.
    var use: TermsOfUse {
        guard let use = description(key: "").terms.use else { preconditionFailure("\(rawValue) has no terms") }
        return use
    }
}
