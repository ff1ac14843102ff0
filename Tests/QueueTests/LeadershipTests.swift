import DatabaseTesting
import Postgres
import Queue
import Testing

@Suite(.database)
struct LeadershipTests {
    private let leadership = Leadership()

    private func register(on db: isolated Connection) throws -> Int {
        try ProcessRegistry().register(.coordinator, name: "c", host: "here", pid: 1, on: db)
    }

    private func take(_ coordinator: Int, on db: isolated Connection) throws -> Leadership.Term? {
        try leadership.acquire(for: coordinator, within: .seconds(10), on: db)
    }

    private func expire(on db: isolated Connection) throws {
        try db.query("UPDATE leadership SET until = now()")
    }

    @Test func `one coordinator leads and keeps its term by renewing`() async throws {
        try await Database.test.run { db throws in
            let (one, other) = (try register(on: db), try register(on: db))
            let term = try #require(try take(one, on: db))
            #expect(try take(other, on: db) == nil)
            #expect(try take(one, on: db) == term)
            try leadership.lock(term, on: db)
        }
    }

    @Test func `a leader whose term is over has lost the lead, even before it has a successor`() async throws {
        try await Database.test.run { db throws in
            let (one, other) = (try register(on: db), try register(on: db))
            let term = try #require(try take(one, on: db))
            try expire(on: db)
            #expect(throws: LostLeadership.self) { try Leadership().lock(term, on: db) }
            let next = try #require(try take(other, on: db))
            #expect(throws: LostLeadership.self) { try Leadership().lock(term, on: db) }
            try leadership.lock(next, on: db)
            #expect(try take(one, on: db) == nil)
        }
    }

    @Test func `an unregistered process can't lead`() async throws {
        try await Database.test.run { db throws in
            let one = try register(on: db)
            #expect(try take(one, on: db) != nil)
            try db.query("DELETE FROM coordinators")
            #expect(try take(one, on: db) == nil)
            #expect(try take(one + 1, on: db) == nil)
        }
    }

    @Test func `each change of leader raises the term`() async throws {
        try await Database.test.run { db throws in
            let coordinators = [try register(on: db), try register(on: db)]
            var numbers: [Int] = []
            for coordinator in coordinators + coordinators {
                numbers.append(try #require(try take(coordinator, on: db)).number)
                try expire(on: db)
            }
            #expect(numbers == [1, 2, 3, 4])
        }
    }

    @Test func `a leader that resigns is replaced at once, and a former leader can't resign for another`()
        async throws
    {
        try await Database.test.run { db throws in
            let (one, other) = (try register(on: db), try register(on: db))
            let term = try #require(try take(one, on: db))
            try leadership.resign(term, on: db)
            let next = try #require(try take(other, on: db))
            try leadership.resign(term, on: db)
            try leadership.lock(next, on: db)
        }
    }

    @Test func `a leader that was removed is replaced at once`() async throws {
        try await Database.test.run { db throws in
            let (one, other) = (try register(on: db), try register(on: db))
            _ = try take(one, on: db)
            try ProcessRegistry().leave(.coordinator, one, on: db)
            #expect(try take(other, on: db)?.number == 2)
        }
    }

    @Test func `a new leader waits until the old leader's act has ended`() async throws {
        let database = try Database.test
        let (one, other, term) = try await database.run { db throws in
            let (one, other) = (try register(on: db), try register(on: db))
            return (one, other, try #require(try take(one, on: db)))
        }
        _ = one
        let acting = Rendezvous(of: 2)
        let done = Rendezvous(of: 2)
        async let act: Void = database.transaction { db in
            try leadership.lock(term, on: db)
            acting.arriveAndWait()
            done.arriveAndWait()
        }
        await acting.arrive()
        await #expect(throws: DatabaseError.self) {
            try await database.transaction { db in
                try db.query("SET LOCAL lock_timeout = '50ms'")
                // Simulates a term that ends while the act is running.
                try db.query("UPDATE leadership SET until = now()")
            }
        }
        await done.arrive()
        try await act
        try await database.run { db throws in
            try expire(on: db)
            #expect(try take(other, on: db) != nil)
        }
    }
}
