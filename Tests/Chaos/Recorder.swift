import Foundation
import Glibc

/// A provider that does nothing but write down when it was called: a process of its own, with the kernel's clock.
///
/// A call is a datagram, and the kernel stamps it in the very moment in which it is sent over loopback. So it doesn't
/// matter when this process gets to read it, on a machine where everything else is being killed and stopped.
struct Recorder {
    private let socket: Int32
    let port: UInt16

    init() throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        var on: Int32 = 1
        var size: Int32 = 8 << 20
        guard isBound, setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, 4) == 0,
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, 4) == 0
        else { throw ChaosError("can't open the recorder's socket: \(String(cString: strerror(errno)))") }
        self.socket = socket
        port = address.sin_port.bigEndian
    }

    /// Prints the port, then a line for each call, until a datagram says `end`.
    func run() {
        print(port)
        fflush(nil)
        while let (text, at) = receive(), text != "end" { print(text, at) }
        fflush(nil)
    }

    /// The next datagram, and the nanosecond at which the kernel got it.
    private func receive() -> (text: String, at: Int)? {
        var text = [UInt8](repeating: 0, count: 256)
        // A header of two words, then the timespec: https://man7.org/linux/man-pages/man3/cmsg.3.html
        var control = [Int](repeating: 0, count: 16)
        return text.withUnsafeMutableBytes { textBytes in
            control.withUnsafeMutableBytes { controlBytes in
                var vector = iovec(iov_base: textBytes.baseAddress, iov_len: textBytes.count)
                return withUnsafeMutablePointer(to: &vector) { vector in
                    var message = msghdr()
                    message.msg_iov = vector
                    message.msg_iovlen = 1
                    message.msg_control = controlBytes.baseAddress
                    message.msg_controllen = controlBytes.count
                    let count = recvmsg(socket, &message, 0)
                    guard count >= 0, message.msg_controllen >= 32 else { return nil }
                    let stamp = controlBytes.load(fromByteOffset: 16, as: timespec.self)
                    return (
                        String(decoding: textBytes[..<count], as: UTF8.self),
                        stamp.tv_sec * 1_000_000_000 + stamp.tv_nsec
                    )
                }
            }
        }
    }
}

/// The other end: calls the recorder.
struct RecorderLine: Sendable {
    private let socket: Int32

    init(port: UInt16) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = loopback(port: port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        self.socket = socket
        guard isConnected else { throw ChaosError("can't reach the recorder: \(String(cString: strerror(errno)))") }
    }

    func call(_ text: String) {
        var text = text
        text.withUTF8 { _ = send(socket, $0.baseAddress, $0.count, 0) }
    }
}

private func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}
