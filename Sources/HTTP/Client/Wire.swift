import Glibc

/// What the exchanges of one ``TransferLoop`` know together. It lives on the loop's thread.
final class Wire {
    var forecast = ConnectionForecast()
    /// Sockets that were opened, whose numbers may have gone to others since.
    private var sockets: Set<Int32> = []

    static func at(_ context: UnsafeMutableRawPointer?) -> Wire {
        guard let context else { preconditionFailure("curl lost the context of a socket") }
        return Unmanaged<Wire>.fromOpaque(context).takeUnretainedValue()
    }

    func add(_ socket: Int32) { sockets.insert(socket) }

    /// How long ago something was sent on the connection from this port of ours; zero if unknown.
    func timeSinceSending(from port: Int32) -> Duration {
        for socket in sockets where ownPort(of: socket) == port {
            // The struct tcp_info of Linux: eight bytes, then numbers of four, of which the tenth is tcpi_last_data_sent.
            var words = [UInt32](repeating: 0, count: 64)
            var size = socklen_t(256)
            if getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &words, &size) == 0, size >= 48 {
                return .milliseconds(words[11])
            }
        }
        return .zero
    }

    private func ownPort(of socket: Int32) -> Int32? {
        // The port stands behind the family, whichever that is.
        var words = [UInt16](repeating: 0, count: 64)
        var size = socklen_t(128)
        let isNamed = words.withUnsafeMutableBytes { bytes in
            getsockname(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size) == 0
        }
        return isNamed ? Int32(UInt16(bigEndian: words[1])) : nil
    }
}
