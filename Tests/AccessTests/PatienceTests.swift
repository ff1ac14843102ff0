import DatabaseTesting
import Polling
import Postgres
import Processes
import Testing

@testable import Access

/// Imports wait for a connection without a limit; other requests are refused.
@Suite(.database)
struct PatienceTests {
    @Test func `an import waits for a connection longer than other requests do`() async throws {
        let account: Int = try await Database.test.query("INSERT INTO accounts (name) VALUES ('ada') RETURNING id")[0]
            .read("id")
        let pool = try Database.test(as: "waypost_api")
        // One statement at a time, and every other request waits too long.
        let share = FairShare(Shares.Limits(places: 1, longestWait: .zero))
        let database = AccountDatabase(pool, account: account, share: share, limit: .seconds(600))
        let (held, over) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let holder = Task {
            try await database.run { _ in
                held.arriveAndWait()
                over.arriveAndWait()
            }
        }
        await held.arrive()
        let imports = (1...20).map { _ in
            Task { try await database.withoutLimit.run { try rows("SELECT 1", on: $0).count } }
        }
        let others = (1...20).map { _ in Task { try await database.run { try rows("SELECT 1", on: $0).count } } }
        for other in others {
            await #expect(throws: AccountIsBusy.self) { try await other.value }
        }
        await over.arrive()
        try await holder.value
        for waiting in imports { #expect(try await waiting.value == 1) }
        await pool.close()
    }
}

@Suite(.timeLimit(.minutes(10)))
struct RefusalTests {
    @Test func `a refusal is held back, and other requests of the account are not`() async throws {
        let heldBack = Locked(0)
        let share = FairShare(Shares.Limits(places: 1, longestWait: .zero)) { heldBack.withLock { $0 += 1 } }
        // Until a turn was measured, no wait is expected.
        try await share.turn(of: 1) {}
        let requests = try await share.turn(of: 1) {
            let requests = (1...20).map { _ in Task { try await share.turn(of: 1) {} } }
            // Four may wait.
            try await pollUntil { heldBack.withLock { $0 } == 16 }
            return requests
        }
        var refused = 0
        for request in requests {
            do { try await request.value } catch is AccountIsBusy { refused += 1 }
        }
        #expect(refused == 16)
        #expect(heldBack.withLock { $0 } == 16)
    }

    @Test func `a refusal is held back for 0.2 s`() async throws {
        let share = FairShare(Shares.Limits(places: 1, longestWait: .zero))
        let times = Locked<[Duration]>([])
        try await share.turn(of: 1) {}
        try await share.turn(of: 1) {
            // Four wait.
            for _ in 1...5 {
                Task {
                    let began = ContinuousClock.now
                    do { try await share.turn(of: 1) {} } catch is AccountIsBusy {
                        times.withLock { $0.append(.now - began) }
                    }
                }
            }
            try await pollUntil { times.withLock { !$0.isEmpty } }
        }
        #expect(times.withLock { $0 }.allSatisfy { $0 >= .milliseconds(200) })
    }
}
