import Glibc
import Processes

/// A connection to a port of 127.0.0.1 with exactly the bytes that a test sends, and the bytes that it receives.
///
/// Each call blocks its own thread and gives up after 120 s.
package struct RawConnection: Sendable {
    private let descriptor: Int32

    /// `client` is the last number of the client's address, 127.0.0.N.
    package init(to port: Int, from client: UInt32 = 1) throws {
        descriptor = connectToLoopback(port, from: client)
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, 20_000)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    package func close() {
        Glibc.close(descriptor)
    }

    /// Closes the sending direction.
    package func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Returns false if the other side has closed the connection.
    @discardableResult
    package func send(_ bytes: [UInt8]) async -> Bool {
        await onThread { sendAll(bytes, on: descriptor) }
    }

    @discardableResult
    package func send(_ text: String) async -> Bool {
        await send(Array(text.utf8))
    }

    /// The received text until the other side closes the connection.
    package func rest() async -> String {
        String(decoding: await allBytes(), as: UTF8.self)
    }

    /// The same as bytes, for data that is not all text.
    package func allBytes() async -> [UInt8] {
        await read { _ in false }
    }

    /// The received text until `text` has come this many times, or the other side closes the connection.
    package func read(until text: String, times: Int = 1) async -> String {
        let wanted = Array(text.utf8)
        let bytes = await read { bytes in
            guard times == 1 else { return bytes.ranges(of: wanted).count >= times }
            return bytes.firstRange(of: wanted) != nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number of bytes of one read; 0 once the other side has closed the connection.
    package func read(atMost limit: Int) async -> Int {
        await onThread {
            withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) {
                max(0, recv(descriptor, $0.baseAddress, limit, 0))
            }
        }
    }

    private func read(_ isEnough: @escaping @Sendable ([UInt8]) -> Bool) async -> [UInt8] {
        await onThread {
            var bytes: [UInt8] = []
            while !isEnough(bytes) {
                let buffer = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                    count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
                }
                guard !buffer.isEmpty else { break }
                bytes += buffer
            }
            return bytes
        }
    }
}

private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        startThread { continuation.resume(returning: body()) }
    }
}
