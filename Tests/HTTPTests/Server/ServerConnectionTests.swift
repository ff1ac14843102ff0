import Glibc
import Testing

@testable import HTTP

struct ServerConnectionTests {
    @Test func `the time that a client may take to read begins with the first byte that waits for it`() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { for one in [listener, client] { close(one) } }
        var (address, size) = (sockaddr(), socklen_t(MemoryLayout<sockaddr>.size))
        // Without an address, `listen` takes any free port.
        #expect(listen(listener, 1) == 0 && getsockname(listener, &address, &size) == 0)
        #expect(connect(client, &address, size) == 0)
        let (accepted, now) = (try #require(AcceptedSocket(from: listener)), ContinuousClock.now)
        let connection = ServerConnection(1, on: accepted, of: .init(), tls: nil, at: now)
        defer { connection.close() }
        // The handler has worked longer than a client may be idle.
        connection.queue([1], at: now + .seconds(90))
        #expect(connection.movedAt == now + .seconds(90))
        connection.queue([2], at: now + .seconds(95))
        #expect(connection.movedAt == now + .seconds(90))
    }
}
