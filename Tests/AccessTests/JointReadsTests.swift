import DatabaseTesting
import Polling
import Postgres
import Processes
import Testing

@testable import Access

/// Reads that wait for the same turn are one statement.
@Suite(.database)
struct JointReadsTests {
    /// Squares times the account, and the keys of each time that the database was read.
    private final class Squares: Sendable {
        struct Trouble: Error {}

        let seen = Locked<[[Int]]>([])
        let reads: JointReads<Int, Int, Int>

        init() {
            reads = JointReads { [seen] keys, account, database in
                seen.withLock { $0.append(keys.sorted()) }
                guard !keys.contains(13) else { throw Trouble() }
                let rows = try database.query(
                    "SELECT key, key * key * \(account)::integer AS square FROM unnest(\(keys)) AS key WHERE key > 0"
                )
                return try Dictionary(uniqueKeysWithValues: rows.map { (try $0.read("key"), try $0.read("square")) })
            }
        }
    }

    private let squares = Squares()

    /// Runs `body` while another request has the only turn. It gets a function that starts a read, and returns once the
    /// read waits.
    private func whileBusy(
        _ body: (_ start: (_ key: Int, _ account: Int) async throws -> Task<Int?, any Error>) async throws -> Void,
        after: ([Task<Int?, any Error>]) async throws -> Void
    ) async throws {
        let pool = try Database.test(as: "waypost_api")
        let share = FairShare(Shares.Limits(places: 1, longestWait: .seconds(600)))
        let database = AccountDatabase(pool, account: 1, share: share, limit: .seconds(600))
        let (held, over) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let holder = Task {
            try await database.run { _ in
                held.arriveAndWait()
                over.arriveAndWait()
            }
        }
        await held.arrive()
        var tasks: [Task<Int?, any Error>] = []
        try await body { [squares] key, account in
            let waiting = squares.reads.waiting(of: account)
            let task = Task { try await squares.reads.value(of: key, in: account) { try await database.run($0) } }
            tasks.append(task)
            // None waits for a next turn if this one was the last that its turn takes.
            try await pollUntil { squares.reads.waiting(of: account) != waiting }
            return task
        }
        await over.arrive()
        try await holder.value
        try await after(tasks)
        await pool.close()
    }

    @Test func `reads that wait for a turn are one statement`() async throws {
        try await whileBusy { start async throws in
            for key in [3, 5, 3, -1] { _ = try await start(key, 1) }
        } after: { tasks async throws in
            var values: [Int?] = []
            for task in tasks { values.append(try await task.value) }
            #expect(values == [9, 25, 9, nil])
            #expect(squares.seen.withLock { $0 } == [[-1, 3, 5]])
        }
    }

    @Test func `a cancelled caller does not cancel those that joined it`() async throws {
        try await whileBusy { start async throws in
            let first = try await start(3, 1)
            _ = try await start(5, 1)
            first.cancel()
            // The second one waits again, now without the first one.
            try await pollUntil { squares.reads.waiting(of: 1) == 1 }
        } after: { tasks async throws in
            await #expect(throws: CancellationError.self) { try await tasks[0].value }
            #expect(try await tasks[1].value == 25)
        }
    }

    @Test func `an error reaches all callers, and the next read is a new one`() async throws {
        try await whileBusy { start async throws in
            for key in [13, 5] { _ = try await start(key, 1) }
        } after: { tasks async throws in
            for task in tasks { await #expect(throws: Squares.Trouble.self) { try await task.value } }
            let database = AccountDatabase(try .test(as: "waypost_api"), account: 1)
            #expect(try await squares.reads.value(of: 5, in: 1) { try await database.run($0) } == 25)
        }
    }

    @Test func `reads of another account, and those above 32, are other statements`() async throws {
        try await whileBusy { start async throws in
            for key in 14...46 { _ = try await start(key, 1) }
            _ = try await start(3, 2)
        } after: { tasks async throws in
            var values: [Int?] = []
            for task in tasks { values.append(try await task.value) }
            #expect(values == (14...46).map { $0 * $0 } + [18])
            #expect(squares.seen.withLock { Set($0) } == [Array(14...45), [46], [3]])
        }
    }

    @Test func `a read that begins after the statement gets a statement of its own`() async throws {
        let (ran, over) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let database = AccountDatabase(try .test(as: "waypost_api"), account: 1)
        let first = Task { [squares] in
            try await squares.reads.value(of: 3, in: 1) { body in
                try await database.run { connection in
                    let found = try body(connection)
                    ran.arriveAndWait()
                    over.arriveAndWait()
                    return found
                }
            }
        }
        await ran.arrive()
        #expect(try await squares.reads.value(of: 5, in: 1) { try await database.run($0) } == 25)
        await over.arrive()
        #expect(try await first.value == 9)
    }

    @Test func `a refusal reaches all callers, and the next read is a new one`() async throws {
        let (refusals, refuse) = AsyncStream.makeStream(of: Void.self)
        let tasks = [3, 5].map { [squares] key in
            Task {
                try await squares.reads.value(of: key, in: 1) { _ in
                    for await _ in refusals { break }
                    throw Squares.Trouble()
                }
            }
        }
        try await pollUntil { squares.reads.waiting(of: 1) == 2 }
        refuse.yield()
        for task in tasks { await #expect(throws: Squares.Trouble.self) { try await task.value } }
        let database = AccountDatabase(try .test(as: "waypost_api"), account: 1)
        #expect(try await squares.reads.value(of: 5, in: 1) { try await database.run($0) } == 25)
    }
}
