import Glibc
import Processes

/// A listening socket on a port that the system picks.
func listenOnLoopback(queue: Int32 = 1024) throws(SystemError) -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var own = sockaddr_in()
    let isListening = withLoopback(port: 0) { bind(descriptor, $0, size) == 0 } && listen(descriptor, queue) == 0
    let isNamed = withUnsafeMutablePointer(to: &own) { own in
        own.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
    }
    guard isListening, isNamed else { throw SystemError(code: errno, action: "listen on 127.0.0.1") }
    return (descriptor, Int(UInt16(bigEndian: own.sin_port)))
}

/// A socket that connects, or tries to as long as it is open.
func connectToLoopback(_ port: Int, from client: UInt32 = 1) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_INET, kind, 0)
    if client != 1 {
        _ = withLoopback(client, port: 0) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    _ = withLoopback(port: port) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    return descriptor
}

private func withLoopback<Result>(
    _ client: UInt32 = 1, port: Int, _ body: (UnsafePointer<sockaddr>) -> Result
) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = (0x7F00_0000 + client).bigEndian
    return withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
}

func sendAll(_ bytes: [UInt8], on connection: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
            let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress
            let count = send(connection, start, rest.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Waits at most this long for the other side to close the connection.
func isHungUp(_ connection: Int32, within limit: Duration) -> Bool {
    // Glibc's module lacks POLLRDHUP.
    var wait = pollfd(fd: connection, events: 0x2000, revents: 0)
    poll(&wait, 1, Int32(limit / .milliseconds(1)))
    return wait.revents != 0
}
