import Glibc

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
