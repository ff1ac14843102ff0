import Glibc

/// The proxies that send their clients' addresses in a header, and are trusted.
package struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]
    /// `X-Forwarded-For`, or the header in which the proxy sends one address.
    private let header: String

    /// Reads addresses and networks with commas between them, such as `127.0.0.1, 10.0.0.0/8, fd00::/8`. Nil if one is
    /// invalid, or if there is none.
    package init?(_ text: String, header: String) {
        let words = text.split { $0 == "," || $0.isWhitespace }
        let ranges = words.compactMap { AddressRange($0) }
        guard !ranges.isEmpty, ranges.count == words.count else { return nil }
        self.ranges = ranges
        self.header = header
    }

    func contains(_ address: [UInt8]) -> Bool { ranges.contains { $0.contains(address) } }

    /// The client on whose behalf a trusted proxy sends a request; nil if the header has no address.
    ///
    /// Each proxy adds an address at the end of the list. The client is the last address that is not a trusted proxy;
    /// the client may have forged the addresses before it.
    func client(in headers: HTTPHeaders) -> [UInt8]? {
        var left = Self.mostProxies
        for value in headers.values(header).reversed() {
            var rest = value.utf8[...]
            while !rest.isEmpty {
                let start = rest.lastIndex(of: UInt8(ascii: ",")).map(rest.index(after:)) ?? rest.startIndex
                let word = rest[start...]
                rest = rest[..<start].dropLast()
                guard !word.isEmpty else { continue }
                guard left > 0, let address = AddressRange.address(Substring(word)) else { return nil }
                if !contains(address) { return address }
                left -= 1
            }
        }
        return nil
    }

    /// How many proxies in a row are followed.
    private static let mostProxies = 32
}

/// A range of addresses with the same leading bits.
struct AddressRange: Sendable {
    private let start: [UInt8]
    private let length: Int

    /// `10.0.0.0/8`, or a single address.
    init?(_ text: Substring) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = Self.address(parts[0]) else { return nil }
        let bits = parts[0].contains(":") ? 128 : 32
        let length = parts.count == 2 ? Int(parts[1]) : bits
        guard let length, (0...bits).contains(length) else { return nil }
        self.start = start
        self.length = 128 - bits + length
    }

    func contains(_ address: [UInt8]) -> Bool {
        guard address.count == start.count else { return false }
        let (bytes, rest) = (length / 8, length % 8)
        guard address[..<bytes] == start[..<bytes] else { return false }
        return rest == 0 || (address[bytes] ^ start[bytes]) >> (8 - rest) == 0
    }

    /// The 16 bytes of an address, which may be followed by a port: `192.0.2.7:80`, `[2001:db8::7]:80`.
    static func address(_ text: Substring) -> [UInt8]? {
        var text = text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
        if text.first == "[", let end = text.firstIndex(of: "]") {
            text = text[..<end].dropFirst()
        } else if text.contains("."), let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
            text = text[..<colon]
        }
        let family = text.contains(":") ? AF_INET6 : AF_INET
        var bytes = [UInt8](repeating: 0, count: family == AF_INET6 ? 16 : 4)
        guard inet_pton(family, String(text), &bytes) == 1 else { return nil }
        return mapped(bytes)
    }

    /// The first 64 bits of an IPv6 address, because a client may have all addresses of such a network; an IPv4 address
    /// as a whole.
    static func group(_ address: [UInt8]) -> [UInt8] {
        address.count != 16 || address.starts(with: mapped([0, 0, 0, 0])[..<12])
            ? address : address[..<8] + [UInt8](repeating: 0, count: 8)
    }

    /// An IPv4 address mapped to IPv6: https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2
    static func mapped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.count == 4 ? [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes : bytes
    }
}
