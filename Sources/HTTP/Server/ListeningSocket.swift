// Several modules declare the socket types, and Swift uses those of the module that it loads first. So CCurl is
// imported too.
import CCurl
import CLinux
import Glibc

/// A listening socket. Its new owner closes it.
struct ListeningSocket {
    let descriptor: Int32
    let port: Int
    let isIPv6: Bool

    init(_ address: String, port: Int) throws(ServerError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let failure = (0...65_535).contains(port) ? getaddrinfo(address, "\(port)", &hints, &found) : EAI_SERVICE
        defer { if let found { freeaddrinfo(found) } }
        guard failure == 0, let place = found?.pointee else {
            throw ServerError(
                description: "can't listen on \(address), port \(port): give an IP address, such as 127.0.0.1 or ::, "
                    + "and a port from 0 to 65535")
        }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(place.ai_family, kind, 0)
        isIPv6 = place.ai_family == AF_INET6
        var yes: Int32 = 1
        var no: Int32 = 0
        // A restarted server can take its port again at once.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        if isIPv6 {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
        }
        guard bind(descriptor, place.ai_addr, place.ai_addrlen) == 0, listen(descriptor, SOMAXCONN) == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw ServerError(description: "can't listen on \(address), port \(port): \(reason)")
        }
        self.port = Self.port(of: descriptor)
    }

    private static func port(of descriptor: Int32) -> Int {
        // The port is at the same offset in both families.
        var own = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutablePointer(to: &own) { own in
            _ = own.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return Int(UInt16(bigEndian: own.sin6_port))
    }
}

/// A new connection. Its new owner closes it.
struct AcceptedSocket {
    let descriptor: Int32
    /// The address of the client, without its port.
    let client: [UInt8]
    let isOverLoopback: Bool

    /// Nil if there is none, or no descriptor for it; `errno` says which.
    init?(from listener: Int32) {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        descriptor = accept4(
            listener, &address, &size, Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue))
        guard descriptor >= 0 else { return nil }
        (client, isOverLoopback) = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (addressBytes($0), isLoopback($0)) }
        }
        // Each response is sent at once, so waiting for more of it would only delay it.
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// True for 127.0.0.0/8 and ::1, and for the IPv4-mapped form of the former.
func isLoopback(_ address: UnsafePointer<sockaddr>?) -> Bool {
    guard let address else { return false }
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
        return raw.load(as: sockaddr_in.self).sin_addr.s_addr & UInt32(0xFF).littleEndian == UInt32(127).littleEndian
    case AF_INET6:
        let bytes = withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { Array($0) }
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127]
        return bytes == [UInt8](repeating: 0, count: 15) + [1] || bytes.starts(with: mapped)
    default:
        return false
    }
}

/// The 16 bytes of the address without its port; they are the same for all connections of a client. An IPv4 address is
/// mapped to IPv6.
func addressBytes(_ address: UnsafePointer<sockaddr>?) -> [UInt8] {
    guard let address else { return [] }
    let raw = UnsafeRawPointer(address)
    return switch Int32(address.pointee.sa_family) {
    case AF_INET: AddressRange.mapped(withUnsafeBytes(of: raw.load(as: sockaddr_in.self).sin_addr) { Array($0) })
    case AF_INET6: withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { Array($0) }
    default: []
    }
}
