import FoundationEssentials
import Geocoding
import HTTP
import Processes
import Providers

/// The network providers that this process may call, from its environment.
struct ProviderSettings: Sendable {
    /// Makes each provider with its own client.
    private(set) var makers: [@Sendable (HTTPClient) -> any GeocodingProvider] = []
    private let contact: String?
    /// The names of our own providers, which get the trace context.
    let traced: Set<String>

    /// Reads the settings of all providers. A provider without its setting is left out.
    init(_ reader: inout SettingsReader) {
        contact = reader.optionalText("WAYPOST_CONTACT")
        traced = Set(
            (reader.optionalText("WAYPOST_TRACED_PROVIDERS") ?? "").split(separator: ",").map {
                String($0.filter { $0 != " " })
            })
        let language = reader.text("WAYPOST_LANGUAGE", default: "en")
        readServers(&reader, language)
        readKeys(&reader)
        readApple(&reader, language)
        readDescriptions(&reader)
    }

    /// A client with our `User-Agent`.
    func newClient() -> HTTPClient { HTTPClient(clientOptions) }

    var clientOptions: HTTPClient.Options {
        HTTPClient.Options(
            userAgent: contact.map { HTTPClient.userAgent(version: Waypost.version, contact: $0) }
                ?? "Waypost/\(Waypost.version)")
    }

    /// Reads providers that anybody can run and that need no key.
    private mutating func readServers(_ reader: inout SettingsReader, _ language: String) {
        if let server = url("WAYPOST_NOMINATIM_URL", &reader) {
            makers.append { NominatimProvider(server: server, language: language, http: $0) }
        }
        if let server = url("WAYPOST_PHOTON_URL", &reader) {
            demandContact(for: server, of: PhotonProvider.publicHost, &reader)
            makers.append { PhotonProvider(server: server, language: language, http: $0) }
        }
        let key = reader.secret("WAYPOST_PELIAS_KEY")
        if let server = url("WAYPOST_PELIAS_URL", &reader) ?? (key == nil ? nil : PeliasProvider.publicServer) {
            makers.append { PeliasProvider(server: server, key: key, http: $0) }
        }
        if reader.flag("WAYPOST_CENSUS", default: false) { makers.append { CensusProvider(http: $0) } }
    }

    private mutating func readKeys(_ reader: inout SettingsReader) {
        for service in ShippedService.allCases {
            guard let key = Self.variables[service.rawValue].flatMap({ reader.secret($0) }) else { continue }
            makers.append { service.provider(key: key, http: $0) }
        }
        let permanent = reader.flag("WAYPOST_MAPBOX_PERMANENT", default: false)
        if let key = reader.secret("WAYPOST_MAPBOX_KEY") {
            makers.append { MapboxProvider(key: key, permanent: permanent, http: $0) }
        }
        if let key = reader.secret("WAYPOST_GEOCODIO_KEY") {
            makers.append { GeocodioProvider(key: key, http: $0) }
        }
    }

    private mutating func readApple(_ reader: inout SettingsReader, _ language: String) {
        let team = reader.optionalText("WAYPOST_APPLE_TEAM")
        let keyID = reader.optionalText("WAYPOST_APPLE_KEY_ID")
        let file = reader.optionalText("WAYPOST_APPLE_KEY_FILE")
        guard team != nil || keyID != nil || file != nil else { return }
        guard let team, let keyID, let file else {
            return reader.mistake(
                "WAYPOST_APPLE_TEAM, WAYPOST_APPLE_KEY_ID and WAYPOST_APPLE_KEY_FILE must be set together; one is missing"
            )
        }
        guard let pem = try? String(contentsOf: URL(filePath: file), encoding: .utf8) else {
            return reader.mistake("WAYPOST_APPLE_KEY_FILE names a file that can't be read")
        }
        do {
            let account = try AppleMapsAccount(key: pem, keyID: keyID, team: team)
            makers.append { AppleMapsProvider(account: account, language: language, http: $0) }
        } catch {
            reader.mistake("WAYPOST_APPLE_KEY_FILE can't be used: \(error)")
        }
    }

    /// Reads services that are defined by files. Their keys are listed in the same order.
    private mutating func readDescriptions(_ reader: inout SettingsReader) {
        let files = reader.optionalText("WAYPOST_SERVICE_FILES")?.split(separator: ":").map(String.init) ?? []
        let keys = reader.secret("WAYPOST_SERVICE_KEYS")?.split(separator: ",", omittingEmptySubsequences: false)
        for (number, file) in files.enumerated() {
            guard let json = try? Data(contentsOf: URL(filePath: file)) else {
                reader.mistake("WAYPOST_SERVICE_FILES names \(file), which can't be read")
                continue
            }
            let key = keys.flatMap { $0.indices.contains(number) && !$0[number].isEmpty ? String($0[number]) : nil }
            do {
                let description = try GenericProvider.Description(json: Array(json), key: key)
                if Self.taken.contains(description.name) {
                    reader.mistake("\(file): the name \(description.name) belongs to a built-in provider")
                }
                makers.append { GenericProvider(description, http: $0) }
            } catch {
                reader.mistake("\(file): \(error)")
            }
        }
    }

    /// The variable without which a process does not serve the lane of a built-in provider.
    private static let variables = [
        "nominatim": "WAYPOST_NOMINATIM_URL", "photon": "WAYPOST_PHOTON_URL", "pelias": "WAYPOST_PELIAS_URL",
        "apple": "WAYPOST_APPLE_TEAM", "google": "WAYPOST_GOOGLE_KEY", "opencage": "WAYPOST_OPENCAGE_KEY",
        "geoapify": "WAYPOST_GEOAPIFY_KEY", "locationiq": "WAYPOST_LOCATIONIQ_KEY", "here": "WAYPOST_HERE_KEY",
        "mapbox": "WAYPOST_MAPBOX_KEY", "geocodio": "WAYPOST_GEOCODIO_KEY", "census": "WAYPOST_CENSUS",
    ]

    /// The reason why no worker serves a lane.
    static func absence(of lane: String) -> String {
        guard let variable = variables[lane] else {
            return "no file of WAYPOST_SERVICE_FILES describes it in this terminal"
        }
        let environment = ProcessEnvironment.current
        let isSet = [variable, variable + "_FILE"].contains { environment[$0]?.isEmpty == false }
        return isSet ? "no running worker was started with \(variable)" : "\(variable) isn't set in this terminal"
    }

    /// The variables that may contain a key, a password or the operator's name.
    static let secrets = [
        "WAYPOST_CONTACT", "WAYPOST_NOMINATIM_URL", "WAYPOST_PHOTON_URL", "WAYPOST_PELIAS_URL", "WAYPOST_PELIAS_KEY",
        "WAYPOST_GOOGLE_KEY", "WAYPOST_OPENCAGE_KEY", "WAYPOST_GEOAPIFY_KEY", "WAYPOST_LOCATIONIQ_KEY",
        "WAYPOST_HERE_KEY", "WAYPOST_MAPBOX_KEY", "WAYPOST_GEOCODIO_KEY", "WAYPOST_APPLE_TEAM", "WAYPOST_APPLE_KEY_ID",
        "WAYPOST_APPLE_KEY_FILE", "WAYPOST_SERVICE_FILES", "WAYPOST_SERVICE_KEYS",
    ]

    /// The names of built-in providers.
    static let taken = Set(variables.keys).union(["gazetteer"])

    private func url(_ name: String, _ reader: inout SettingsReader) -> HTTPURL? {
        let url: HTTPURL? = reader.value(
            name, default: nil, takes: "an address that begins with http:// or https://", secret: true
        ) {
            HTTPURL($0)
        }
        guard let url, PublicNominatim.isHost(url.host) else { return url }
        reader.mistake("\(name) \(PublicNominatim.refusal)")
        return nil
    }

    /// Public servers require a contact address.
    private func demandContact(for server: HTTPURL, of publicHost: String, _ reader: inout SettingsReader) {
        guard server.host == publicHost, contact == nil else { return }
        reader.mistake("WAYPOST_CONTACT is not set; \(publicHost) requires an e-mail address or a web page of yours")
    }
}
