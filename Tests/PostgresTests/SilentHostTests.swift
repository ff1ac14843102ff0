import Foundation
import Hosting
import Postgres
import Testing

/// A network that discards everything: the port accepts connections and sends nothing.
@Suite(.timeLimit(.minutes(10)))
struct SilentHostTests {
    @Test func `a silent host is abandoned at its limit, and the next one is tried`() async throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                #expect(bind(listener, address, size) == 0)
                #expect(listen(listener, 8) == 0)
                #expect(getsockname(listener, address, &size) == 0)
            }
        }
        let port = UInt16(bigEndian: address.sin_port)
        let server = try await PrivateServer.start(in: "/tmp/waypost-silent-\(getpid())", .temporary)
        let socket = server.url.split(separator: "host=")[1].prefix { $0 != "&" }
        var options = Database.Options(size: 1)
        // On a busy machine a server that answers may need more than the shortest limit, which is 2 s.
        options.connectLimit = .seconds(6)
        let database = Database(
            url: "host=127.0.0.1,\(socket) port=\(port),5432 user=waypost dbname=waypost", options: options)
        let start = ContinuousClock.now
        try await database.run { try $0.query("SELECT 1") }
        #expect(start.duration(to: .now) >= .seconds(5))
        #expect(try openings(of: listener) == 1)
        // Later connections do not wait for the silent host.
        await database.close()
        let another = Database(url: database.url, options: options)
        try await another.run { try $0.query("SELECT 1") }
        #expect(try openings(of: listener) == 0)
        await another.close()
        await server.stop()
    }

    /// Accepts and closes the connections that wait. Returns their number.
    private func openings(of listener: Int32) throws -> Int {
        try #require(fcntl(listener, F_SETFL, O_NONBLOCK) == 0)
        var count = 0
        while case let socket = accept(listener, nil, nil), socket >= 0 {
            close(socket)
            count += 1
        }
        return count
    }

    @Test func `a connection to a frozen server is closed when even a cancel fails`() async throws {
        let server = try await PrivateServer.start(in: "/tmp/waypost-still-\(getpid())", .temporary)
        let database = Database(url: server.url, options: .init(size: 1))
        let pid = try await database.run { db in
            let file: String = try db.query("SELECT pg_read_file('postmaster.pid') AS file")[0].read("file")
            return try #require(file.split(separator: "\n").first.flatMap { pid_t($0) })
        }
        kill(pid, SIGSTOP)
        let late = Task {
            try await database.run { _ = try $0.query("SELECT pg_sleep(600)", within: .milliseconds(1)) }
        }
        let error = await #expect(throws: DatabaseError.self) { try await late.value }
        #expect(error?.isConnectionLost == true)
        kill(pid, SIGCONT)
        await database.close()
        await server.stop()
    }
}
