import HTTP
import Pages
import Settings

/// The settings of the API server from the environment.
struct ServerSettings: Sendable {
    /// The address to listen on; nil for none.
    let address: ListenAddress?
    /// True if the address was set. Otherwise the process starts even if the port is in use.
    let isChosen: Bool
    /// Nil for plain HTTP.
    let tls: TLSFiles?
    /// True if each request is logged.
    let logsRequests: Bool
    /// The address of a worker's health and metrics; nil for none.
    let ofWorker: ListenAddress?
    let connectionsPerAddress: Int
    let trustedProxies: TrustedProxies?
    let allowedOrigins: AllowedOrigins?
    /// The settings above that are set, with the operator's texts.
    let given: [String: String]
    /// The map service that pages show below their marks; nil for none.
    let tiles: MapTiles?

    init(_ reader: inout SettingsReader) {
        isChosen = reader.optionalText("WAYPOST_LISTEN") != nil
        address = reader.value(
            "WAYPOST_LISTEN", default: .usual,
            takes: "an address in digits and a port, such as 127.0.0.1:8080 or [::1]:8080, or off"
        ) { text in text == "off" ? .some(nil) : ListenAddress(text).map { .some($0) } }
        ofWorker = reader.value(
            "WAYPOST_WORKER_LISTEN", default: nil,
            takes: "an address in digits and a port, such as 127.0.0.1:9464 or [::]:9464, or off"
        ) { text in text == "off" ? .some(nil) : ListenAddress(text).map { .some($0) } }
        connectionsPerAddress = reader.integer("WAYPOST_CONNECTIONS_PER_ADDRESS", default: 256, in: 4...1_024)
        let header = reader.value(
            "WAYPOST_CLIENT_ADDRESS_HEADER", default: "X-Forwarded-For", takes: "the name of a header"
        ) { $0.wholeMatch(of: #/[A-Za-z0-9-]+/#) == nil ? nil : $0 }
        trustedProxies = reader.value(
            "WAYPOST_TRUSTED_PROXIES", default: nil,
            takes: "addresses and networks with commas between them, such as 127.0.0.1, 10.0.0.0/8"
        ) { text in TrustedProxies(text, header: header).map { .some($0) } }
        if reader.optionalText("WAYPOST_CLIENT_ADDRESS_HEADER") != nil, trustedProxies == nil {
            reader.mistake("WAYPOST_CLIENT_ADDRESS_HEADER needs WAYPOST_TRUSTED_PROXIES, the proxies that send it")
        }
        allowedOrigins = reader.value(
            "WAYPOST_ALLOWED_ORIGINS", default: nil,
            takes: "origins with commas between them, such as https://app.example.org, or *"
        ) { text in AllowedOrigins(text).map { .some($0) } }
        let names = ["WAYPOST_CLIENT_ADDRESS_HEADER", "WAYPOST_TRUSTED_PROXIES", "WAYPOST_ALLOWED_ORIGINS"]
        given = Dictionary(names.compactMap { name in reader.optionalText(name).map { (name, $0) } }) { $1 }
        tiles = Self.tiles(&reader)
        logsRequests = reader.flag("WAYPOST_ACCESS_LOG", default: false)
        let certificate = reader.optionalText("WAYPOST_TLS_CERTIFICATE")
        let key = reader.optionalText("WAYPOST_TLS_KEY")
        if (certificate == nil) != (key == nil) {
            reader.mistake("WAYPOST_TLS_CERTIFICATE and WAYPOST_TLS_KEY go together, and one is missing")
        }
        for (name, path) in [("WAYPOST_TLS_CERTIFICATE", certificate), ("WAYPOST_TLS_KEY", key)] {
            guard let path, TLSFiles.text(of: path) == nil else { continue }
            reader.mistake("\(name) is \(path), which can't be read as a text file")
        }
        tls = certificate.flatMap { certificate in key.map { TLSFiles(certificate: certificate, key: $0) } }
    }

    /// The attribution is obligatory, so both variables must be set, or none.
    private static func tiles(_ reader: inout SettingsReader) -> MapTiles? {
        let template = reader.secret("WAYPOST_MAP_TILES")
        let attribution = reader.optionalText("WAYPOST_MAP_ATTRIBUTION")
        if (template == nil) != (attribution == nil) {
            reader.mistake("WAYPOST_MAP_TILES and WAYPOST_MAP_ATTRIBUTION go together, and one is missing")
        }
        guard let template else { return nil }
        guard let tiles = MapTiles(template: template, attribution: attribution ?? "") else {
            reader.mistake(
                "WAYPOST_MAP_TILES takes an https address with {z}, {x} and {y} once each, such as "
                    + "https://tiles.example.org/{z}/{x}/{y}.png")
            return nil
        }
        return tiles
    }
}
