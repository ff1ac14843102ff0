import Glibc

/// Where the API is served: `127.0.0.1:8080`, `[::1]:8080`, `0.0.0.0:443`.
struct ListenAddress: Hashable, Sendable {
    /// In digits.
    let host: String
    let port: Int

    /// Where no setting chooses an address.
    static let usual = ListenAddress(host: "127.0.0.1", port: 8080)

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Nil unless the text is an address in digits, or `localhost`, and a port.
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

    /// So many ports higher, for one of several processes on a machine. Any free port stays that.
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
