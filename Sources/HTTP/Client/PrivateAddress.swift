import Glibc

/// Addresses outside the public Internet: this machine, the local network, internal services of a cloud.
///
/// https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry
enum PrivateAddress {
    /// Returns whether this address, a `struct sockaddr`, is outside the public Internet. True for any family but IPv4
    /// and IPv6.
    static func contains(_ address: UnsafeRawPointer?) -> Bool {
        guard let address else { return true }
        // The family comes first, then the port. Then an IPv4 address follows, or 4 bytes and an IPv6 address.
        switch Int32(address.load(as: UInt16.self)) {
        case AF_INET: return contains(v4: UInt32(bigEndian: address.load(fromByteOffset: 4, as: UInt32.self)))
        case AF_INET6: return contains(v6: Array(UnsafeRawBufferPointer(start: address + 8, count: 16)))
        default: return true
        }
    }

    static func contains(v4 address: UInt32) -> Bool { specialV4.contains { $0.contains(address) } }

    /// `address` has 16 bytes.
    static func contains(v6 address: [UInt8]) -> Bool {
        // An IPv6 address that contains an IPv4 address: mapped, or for a translator (NAT64, 6to4).
        if address.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
            || address.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
        {
            return contains(v4: number(address[12...]))
        }
        if address.starts(with: [0x20, 0x02]) { return contains(v4: number(address[2..<6])) }
        // All public addresses are in 2000::/3. Parts of it are not public: Teredo and other protocols (2001::/23), and
        // the ranges for documentation (2001:db8::/32, 3fff::/20).
        return address[0] & 0xE0 != 0x20 || address.starts(with: [0x20, 0x01, 0x00])
            || address.starts(with: [0x20, 0x01, 0x01])
            || address.starts(with: [0x20, 0x01, 0x0D, 0xB8])
            || address.starts(with: [0x3F, 0xFF]) && address[2] < 0x10
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    private struct Block {
        let start: UInt32
        let length: Int

        init(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, length: Int) {
            start = a << 24 | b << 16 | c << 8 | d
            self.length = length
        }

        func contains(_ address: UInt32) -> Bool { (address ^ start) >> (32 - length) == 0 }
    }

    private static let specialV4 = [
        Block(0, 0, 0, 0, length: 8),  // this machine
        Block(10, 0, 0, 0, length: 8),  // private
        Block(100, 64, 0, 0, length: 10),  // shared address space of providers (CGNAT)
        Block(127, 0, 0, 0, length: 8),  // loopback
        Block(169, 254, 0, 0, length: 16),  // link-local, and the metadata service of clouds
        Block(172, 16, 0, 0, length: 12),  // private
        Block(192, 0, 0, 0, length: 24),  // protocol assignments
        Block(192, 0, 2, 0, length: 24),  // documentation
        Block(192, 88, 99, 0, length: 24),  // former relays of 6to4
        Block(192, 168, 0, 0, length: 16),  // private
        Block(198, 18, 0, 0, length: 15),  // benchmarks
        Block(198, 51, 100, 0, length: 24),  // documentation
        Block(203, 0, 113, 0, length: 24),  // documentation
        Block(224, 0, 0, 0, length: 3),  // multicast, reserved, broadcast
    ]
}

extension HTTPURL {
    /// True if this machine's resolver returns only private addresses for the host. False if it returns none. The
    /// lookup blocks.
    package var leadsToPrivateAddress: Bool {
        var found: UnsafeMutablePointer<addrinfo>?
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard getaddrinfo(name, nil, nil, &found) == 0 else { return false }
        defer { freeaddrinfo(found) }
        let addresses = sequence(first: found) { $0?.pointee.ai_next }.prefix { $0 != nil }
        return addresses.allSatisfy { PrivateAddress.contains($0?.pointee.ai_addr) }
    }
}
