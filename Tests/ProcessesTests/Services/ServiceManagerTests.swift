import Foundation
import Polling
import Testing

@testable import Processes

@Suite(.timeLimit(.minutes(10)))
struct ServiceManagerTests {
    let journal = Journal()

    @Test func `the manager is notified when the last service is ready and when the first one stops`() async throws {
        let inbox = try NotificationInbox(journal)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let slow = Diligent(name: "two", journal: journal, beforeReady: { for await _ in gate { break } })
        let group = ServiceGroup([Diligent(name: "one", journal: journal), slow], log: .silent)
        let manager = try #require(ServiceManager(variable: inbox.variables))
        async let run: Void = group.run(under: manager)
        await journal.wait(for: "two starts")
        opener.yield()
        await journal.wait(for: "READY=1\nSTATUS=Working")
        group.stop()
        await journal.wait(for: "STOPPING=1\nSTATUS=Finishing running calls")
        try await run
        let order = ["one is ready", "two is ready", "READY=1\nSTATUS=Working"]
        #expect(journal.entries.filter(order.contains) == order)
    }

    @Test func `a group that fails at its start is never ready`() async throws {
        let inbox = try NotificationInbox(journal)
        let failing = Diligent(name: "one", journal: journal, beforeReady: { throw CancellationError() })
        let manager = try #require(ServiceManager(variable: inbox.variables))
        await #expect(throws: CancellationError.self) {
            try await ServiceGroup([failing], log: .silent).run(under: manager)
        }
        await journal.wait(for: "STOPPING=1\nSTATUS=Finishing running calls")
        #expect(!journal.entries.contains("READY=1\nSTATUS=Working"))
    }

    @Test func `the watchdog is fed again and again until the group has ended`() async throws {
        let inbox = try NotificationInbox(journal)
        let manager = try #require(
            ServiceManager {
                $0 == "WATCHDOG_USEC" ? "3000" : $0 == "WATCHDOG_PID" ? "\(getpid())" : inbox.variables($0)
            })
        let group = ServiceGroup([Diligent(name: "one", journal: journal)], log: .silent)
        async let run: Void = group.run(under: manager)
        try await pollUntil { journal.entries.count { $0 == "WATCHDOG=1" } >= 3 }
        group.stop()
        try await run
    }

    @Test func `without a socket, or with the watchdog of another process, nothing is sent to it`() throws {
        let inbox = try NotificationInbox(journal)
        #expect(ServiceManager { _ in nil } == nil)
        #expect(ServiceManager { $0 == "NOTIFY_SOCKET" ? "/nonexistent/notify" : nil } == nil)
        let other = ServiceManager { $0 == "WATCHDOG_USEC" ? "3000" : $0 == "WATCHDOG_PID" ? "1" : inbox.variables($0) }
        #expect(try #require(other).watchdog == nil)
    }
}

/// The socket of a service manager: each datagram becomes an entry of a journal.
private final class NotificationInbox: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "notify-\(UUID())").path
    private let socket: Int32

    init(_ journal: Journal) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        startThread { [socket] in
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = recv(socket, &bytes, bytes.count, 0)
                guard count > 0 else { return }
                journal.note(String(decoding: bytes[..<count], as: UTF8.self))
            }
        }
    }

    deinit {
        shutdown(socket, Int32(SHUT_RD))
        unlink(path)
    }

    @Sendable func variables(_ name: String) -> String? { name == "NOTIFY_SOCKET" ? path : nil }
}
