import Foundation
import Glibc
import Processes

/// A delayed connection to the test's PostgreSQL, as if the server were in another country.
///
/// Each piece of data arrives half a round trip after it was sent. A lost piece arrives a round trip and 200 ms later,
/// and all later pieces wait for it, as in TCP.
///
/// It can also break connections, and then lead to another server, like a proxy at a switchover.
package final class DistantServer: Sendable {
    /// The value for `DATABASE_URL`.
    package let url: String

    /// The number of pieces of data sent by clients. A client that waits for each reply has made as many round trips.
    package var piecesSent: Int { sent.withLock { $0 } }

    private struct Faults {
        var target: String
        /// New connections are reset while they open: all, or those whose number is a multiple of this.
        var resetEvery: Int?
        var opened = 0
        var open: [Open] = []
    }

    /// A connection while it lasts.
    private struct Open: Sendable {
        weak let ends: Ends?
    }

    private let faults: Locked<Faults>
    private let sent = Locked(0)
    private let roundTrip: TimeInterval
    private let loss: Double
    private let folder: String
    private let listener: Int32

    /// A delayed connection to the database of `url`. `loss` is the share of lost pieces.
    package init(to url: String, roundTrip: Duration, loss: Double = 0) throws {
        guard let match = url.firstMatch(of: /host=([^&]+)/) else { throw POSIXError(.EINVAL) }
        self.roundTrip = roundTrip / .seconds(1)
        self.loss = loss
        var template = Array("/tmp/distant-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.url = url.replacing(match.1, with: folder)
        faults = Locked(Faults(target: "\(match.1)/.s.PGSQL.5432"))
        listener = Self.openSocket()
        let bound = Self.withAddress("\(folder)/.s.PGSQL.5432") { bind(listener, $0, $1) }
        guard bound == 0, listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
        Thread.detachNewThread { [self] in accept() }
    }

    /// From now on resets connections while they open: all, or every `every`-th one. Nil permits all.
    package func resetOpenings(every: Int?) {
        faults.withLock { $0.resetEvery = every }
    }

    /// Breaks the open connections.
    package func breakConnections() {
        let open = faults.withLock { faults in
            defer { faults.open = [] }
            return faults.open
        }
        for connection in open { connection.ends?.shutDown() }
    }

    /// Leads new connections to the server of `url`, and permits them.
    package func lead(to url: String) throws {
        guard let match = url.firstMatch(of: /host=([^&]+)/) else { throw POSIXError(.EINVAL) }
        let target = "\(match.1)/.s.PGSQL.5432"
        faults.withLock { ($0.target, $0.resetEvery) = (target, nil) }
    }

    /// Refuses new connections.
    package func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func accept() {
        while true {
            let near = Glibc.accept(listener, nil, nil)
            guard near >= 0 else { break }
            _ = fcntl(near, F_SETFD, FD_CLOEXEC)
            let far = Self.openSocket()
            let ends = Ends(near: near, far: far)
            let target = faults.withLock { faults -> String? in
                faults.opened += 1
                if let every = faults.resetEvery, faults.opened.isMultiple(of: every) { return nil }
                faults.open.removeAll { $0.ends == nil }
                faults.open.append(Open(ends: ends))
                return faults.target
            }
            guard let target, Self.withAddress(target, { connect(far, $0, $1) }) == 0 else { continue }
            for (from, to) in [(near, far), (far, near)] {
                let wire = Wire()
                Thread.detachNewThread { [self] in
                    read(from, into: wire) { [self] in if from == near { sent.withLock { $0 += 1 } } }
                    ends.stayOpen()
                }
                Thread.detachNewThread {
                    wire.write(to: to)
                    ends.stayOpen()
                }
            }
        }
        _ = Glibc.close(listener)
    }

    private func read(_ socket: Int32, into wire: Wire, _ noted: () -> Void) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return wire.send(nil, after: roundTrip / 2) }
            noted()
            let isLost = Double.random(in: 0..<1) < loss
            wire.send(Array(buffer[..<count]), after: roundTrip / 2 + (isLost ? roundTrip + 0.2 : 0))
        }
    }

    /// Child processes don't inherit this socket.
    private static func openSocket() -> Int32 {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}

/// The two sockets of a connection, which are closed when both directions have ended.
private final class Ends: Sendable {
    private let near: Int32
    private let far: Int32

    init(near: Int32, far: Int32) { (self.near, self.far) = (near, far) }

    deinit {
        close(near)
        close(far)
    }

    /// Ends both directions.
    func shutDown() {
        shutdown(near, Int32(SHUT_RDWR))
        shutdown(far, Int32(SHUT_RDWR))
    }

    /// Keeps the sockets open until this call.
    func stayOpen() { withExtendedLifetime(self) {} }
}

/// The pieces in transit in one direction.
private final class Wire: Sendable {
    private let condition = NSCondition()
    // Used only under the condition's lock. Nil is the end.
    private nonisolated(unsafe) var pieces: [(bytes: [UInt8]?, arrives: Date)] = []

    func send(_ bytes: [UInt8]?, after delay: TimeInterval) {
        condition.withLock {
            pieces.append((bytes, max(Date(timeIntervalSinceNow: delay), pieces.last?.arrives ?? .distantPast)))
            condition.signal()
        }
    }

    func write(to socket: Int32) {
        while true {
            condition.lock()
            while pieces.isEmpty { condition.wait() }
            let piece = pieces[0]
            condition.unlock()
            Thread.sleep(until: piece.arrives)
            guard let bytes = piece.bytes else { break }
            guard
                bytes.withUnsafeBytes({ Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) })
                    == bytes.count
            else { break }
            condition.withLock { _ = pieces.removeFirst() }
        }
        shutdown(socket, Int32(SHUT_RDWR))
    }
}
