import API
import Glibc
import HTTP
import Processes

/// The settings of the API server.
struct ServerSettings: Sendable {
    /// The address to listen on; nil for none.
    var address: ListenAddress? = .usual
    /// True if the address was set. Otherwise the process starts even if the port is in use.
    var isChosen = false
    var certificateFile: String?
    var keyFile: String?
    /// True if each request is logged.
    var logsRequests = false
    /// The address of a worker's health and metrics; nil for none.
    var ofWorker: ListenAddress?
    var connectionsPerAddress = 256
    var clientAddressHeader = "X-Forwarded-For"
    /// The operator's texts of the proxies and of the origins, which are valid.
    var proxies: String?
    var origins: String?
    var tilesTemplate: String?
    var tilesAttribution: String?

    /// Nil for plain HTTP.
    var tls: TLSFiles? {
        guard let certificateFile, let keyFile else { return nil }
        return TLSFiles(certificate: certificateFile, key: keyFile)
    }

    var trustedProxies: TrustedProxies? {
        proxies.flatMap { TrustedProxies($0, header: clientAddressHeader) }
    }

    var allowedOrigins: AllowedOrigins? { origins.flatMap { AllowedOrigins($0) } }

    /// The map service that pages show below their marks; nil for none.
    var tiles: MapTiles? {
        tilesTemplate.flatMap { MapTiles(template: $0, attribution: tilesAttribution ?? "") }
    }

    /// Finds mistakes that no single setting shows.
    func check(_ reader: inout SettingsReader) {
        if reader.given.contains("WAYPOST_CLIENT_ADDRESS_HEADER"), proxies == nil {
            reader.mistake("WAYPOST_CLIENT_ADDRESS_HEADER needs WAYPOST_TRUSTED_PROXIES, the proxies that send it")
        }
        if (certificateFile == nil) != (keyFile == nil) {
            reader.mistake("WAYPOST_TLS_CERTIFICATE and WAYPOST_TLS_KEY go together, and one is missing")
        }
        for (name, path) in [("WAYPOST_TLS_CERTIFICATE", certificateFile), ("WAYPOST_TLS_KEY", keyFile)] {
            guard let path, TLSFiles.text(of: path) == nil else { continue }
            reader.mistake("\(name) is \(path), which can't be read as a text file")
        }
        // The attribution is obligatory.
        if (tilesTemplate == nil) != (tilesAttribution == nil) {
            reader.mistake("WAYPOST_MAP_TILES and WAYPOST_MAP_ATTRIBUTION go together, and one is missing")
        }
        if tilesTemplate != nil, tiles == nil {
            reader.mistake(
                "WAYPOST_MAP_TILES takes an https address with {z}, {x} and {y} once each, such as "
                    + "https://tiles.example.org/{z}/{x}/{y}.png")
        }
    }
}

/// The address on which the API is served: `127.0.0.1:8080`, `[::1]:8080`, `0.0.0.0:443`.
struct ListenAddress: Hashable, Sendable {
    /// A numeric IP address.
    let host: String
    let port: Int

    /// The default address.
    static let usual = ListenAddress(host: "127.0.0.1", port: 8080)

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Nil unless the text is a numeric IP address or `localhost`, and a port.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host == "localhost" { host = "127.0.0.1" }
        guard Self.isAddress(host, AF_INET) || Self.isAddress(host, AF_INET6) else { return nil }
        self.init(host: host, port: port)
    }

    /// True where only programs of this machine can reach it.
    var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// The address with a port that is higher by `count`, for one of several processes on a machine. Port 0 stays 0.
    func raised(by count: Int) -> ListenAddress {
        ListenAddress(host: host, port: port == 0 ? 0 : min(port + count, 65_535))
    }

    private static func isAddress(_ text: String, _ family: Int32) -> Bool {
        var address = in6_addr()
        return inet_pton(family, text, &address) == 1
    }
}

extension ListenAddress: CustomStringConvertible {
    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
