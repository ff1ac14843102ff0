import CCurl
import Glibc

/// The sockets of one loop, used only on its thread. Its clients use each other's kept connections to a server.
final class Wire {
    /// Some may be closed, and their numbers used again by others.
    private var sockets: Set<Int32> = []

    static func at(_ context: UnsafeMutableRawPointer?) -> Wire {
        guard let context else { preconditionFailure("curl lost the context of a socket") }
        return Unmanaged<Wire>.fromOpaque(context).takeUnretainedValue()
    }

    func add(_ socket: Int32) { sockets.insert(socket) }

    /// The time since something was sent on the connection with this local port, and by how much it may be too short;
    /// zero if unknown.
    func timeSinceSending(from port: Int32) -> (sending: Duration, lag: Duration) {
        let lag = KernelTime.lag
        for socket in sockets where ownPort(of: socket) == port {
            // Linux's struct tcp_info: eight bytes, then 4-byte numbers, of which the tenth is tcpi_last_data_sent.
            var words = [UInt32](repeating: 0, count: 64)
            var size = socklen_t(256)
            if getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &words, &size) == 0, size >= 48 {
                return (.milliseconds(words[11]), lag)
            }
        }
        return (.zero, .zero)
    }

    private func ownPort(of socket: Int32) -> Int32? {
        // The port follows the family, in both families.
        var words = [UInt16](repeating: 0, count: 64)
        var size = socklen_t(128)
        let isNamed = words.withUnsafeMutableBytes { bytes in
            getsockname(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size) == 0
        }
        return isNamed ? Int32(UInt16(bigEndian: words[1])) : nil
    }
}

/// The clock by which the kernel notes when something was sent. It moves on by ticks, and on a busy virtual machine these
/// come late: by up to 12 ms in 40 s at a load of 18.
enum KernelTime {
    static let tick = reading { clock_getres(CLOCK_MONOTONIC_COARSE, &$0) }

    /// How long ago the last tick was.
    static var lag: Duration {
        let coarse = reading { clock_gettime(CLOCK_MONOTONIC_COARSE, &$0) }
        return max(.zero, reading { clock_gettime(CLOCK_MONOTONIC, &$0) } - coarse)
    }

    private static func reading(_ ask: (inout timespec) -> Int32) -> Duration {
        var time = timespec()
        guard ask(&time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
