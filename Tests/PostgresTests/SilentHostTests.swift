import Foundation
import Processes
import ServerTesting
import Testing

@testable import Postgres

/// A network that discards everything: the port accepts connections and sends nothing.
@Suite(.timeLimit(.minutes(10)))
struct SilentHostTests {
    @Test func `a silent host is abandoned at its limit, and the next one is tried`() async throws {
        let silent = try SilentServer()
        defer { silent.close() }
        let server = try await PrivateServer.start(in: "/tmp/waypost-silent-\(getpid())", .temporary)
        let socket = server.url.split(separator: "host=")[1].prefix { $0 != "&" }
        var options = Database.Options(size: 1)
        // On a busy machine a server that answers may need more than the shortest limit, which is 2 s.
        options.connectLimit = .seconds(6)
        let database = Database(
            url: "host=127.0.0.1,\(socket) port=\(silent.port),5432 user=waypost dbname=waypost", options: options)
        let start = ContinuousClock.now
        try await database.run { try $0.query("SELECT 1") }
        #expect(start.duration(to: .now) >= .seconds(5))
        #expect(try silent.openings() == 1)
        // Later connections do not wait for the silent host.
        await database.close()
        let another = Database(url: database.url, options: options)
        try await another.run { try $0.query("SELECT 1") }
        #expect(try silent.openings() == 0)
        await another.close()
        await server.stop()
    }

    @Test func `when no other host answers, one connection of many tries the silent host`() async throws {
        let silent = try SilentServer()
        defer { silent.close() }
        let refusing = try SilentServer()
        refusing.refuse(with: "57P03")
        defer { refusing.close() }
        let url = "host=127.0.0.1,127.0.0.1 port=\(silent.port),\(refusing.port) user=a dbname=a gssencmode=disable"
        // Both hosts are tried, so the first one is known as silent, and the second one as one that answers.
        @Sendable func fail() async {
            var options = Database.Options(size: 1)
            (options.connectLimit, options.waitLimit) = (.seconds(2), .milliseconds(1))
            let database = Database(url: url, options: options)
            await #expect(throws: DatabaseError.self) { try await database.run { _ = try $0.query("SELECT 1") } }
            await database.close()
        }
        await fail()
        #expect(try silent.openings() == 1)
        // A silent host is left out for 10 s.
        Hosts.of(url)?.advance(by: .seconds(11))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { await fail() } }
        }
        #expect(try (1...2).contains(silent.openings()))
    }

    @Test func `a host that may answer later is tried again, although another one refuses for good`() async throws {
        let starting = try SilentServer()
        starting.refuse(with: "57P03")
        defer { starting.close() }
        let lacking = try SilentServer()
        lacking.refuse(with: "3D000")
        defer { lacking.close() }
        var options = Database.Options(size: 1)
        options.waitLimit = .milliseconds(1)
        func isWorthRetrying(_ ports: UInt16...) async throws -> Bool? {
            let list = ports.map(String.init).joined(separator: ",")
            // libpq itself chooses among hosts of this kind.
            let url = """
                hostaddr=\(ports.map { _ in "127.0.0.1" }.joined(separator: ",")) port=\(list) user=a dbname=a \
                gssencmode=disable
                """
            let database = Database(url: url, options: options)
            let error = await #expect(throws: DatabaseError.self) {
                try await database.run { _ = try $0.query("SELECT 1") }
            }
            await database.close()
            return error?.isWorthRetrying
        }
        #expect(try await isWorthRetrying(starting.port, lacking.port) == true)
        #expect(try await isWorthRetrying(lacking.port) == false)
    }

    @Test func `a closed connection is forgotten, because another file may have its descriptor`() async throws {
        let server = try await PrivateServer.start(in: "/tmp/waypost-moved-\(getpid())", .temporary)
        let (former, present) = try (
            DistantServer(to: server.url, roundTrip: .zero), DistantServer(to: server.url, roundTrip: .zero)
        )
        defer { present.close() }
        let hosts = [former, present].map { $0.url.split(separator: "host=")[1].prefix { $0 != "&" } }
        let url =
            "host=\(hosts[0]),\(hosts[1]) user=waypost dbname=waypost target_session_attrs=read-write"
        let database = Database(url: url, options: .init(size: 1))
        try await database.run { try $0.query("SELECT 1") }
        await database.close()
        // The lowest free descriptors, so one of them is that of the closed connection.
        let pairs = try (0..<64).map { _ in
            var pair: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            return pair
        }
        defer { for socket in pairs.joined() { close(socket) } }
        // Now the primary is on the other host.
        former.resetOpenings(every: 1)
        let another = Database(url: url, options: .init(size: 1))
        try await another.run { try $0.query("SELECT 1") }
        for pair in pairs {
            for (from, to) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                var byte: UInt8 = 7
                #expect(send(from, &byte, 1, Int32(MSG_NOSIGNAL)) == 1)
                #expect(recv(to, &byte, 1, Int32(MSG_DONTWAIT)) == 1)
            }
        }
        await another.close()
        former.close()
        await server.stop()
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

/// A port of this machine that accepts connections and sends nothing, or refuses all logins.
private struct SilentServer: Sendable {
    let port: UInt16
    private let listener: Int32

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        try #require(isOpen)
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
    }

    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        Foundation.close(listener)
    }

    /// Accepts and closes the connections that wait. Returns their number.
    func openings() throws -> Int {
        try #require(fcntl(listener, F_SETFL, O_NONBLOCK) == 0)
        var count = 0
        while case let socket = accept(listener, nil, nil), socket >= 0 {
            Foundation.close(socket)
            count += 1
        }
        return count
    }

    /// From now on answers each login with an error of this SQLSTATE.
    func refuse(with state: String) {
        Thread.detachNewThread {
            while case let socket = accept(listener, nil, nil), socket >= 0 {
                var request = [UInt8](repeating: 0, count: 1_024)
                // The request for TLS has 8 bytes. Then the login comes without it.
                while case let count = recv(socket, &request, request.count, 0), count > 0 {
                    let texts = ["SFATAL", "VFATAL", "C\(state)", "Mno", ""]
                    let fields: [UInt8] = texts.flatMap { (text: String) -> [UInt8] in Array(text.utf8) + [0] }
                    let length = withUnsafeBytes(of: UInt32(fields.count + 4).bigEndian, Array.init)
                    let reply = count == 8 ? Array("N".utf8) : Array("E".utf8) + length + fields
                    _ = send(socket, reply, reply.count, Int32(MSG_NOSIGNAL))
                    if count != 8 { break }
                }
                Foundation.close(socket)
            }
        }
    }
}
