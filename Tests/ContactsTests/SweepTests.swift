import Contacts
import DatabaseTesting
import Geocoding
import Postgres
import Questions
import Testing

@Suite(.database)
struct SweepTests {
    private let writer = ContactWriter()

    /// Inserts questions like another program: waiting and without a job.
    private func write(_ count: Int, on db: isolated Connection) throws {
        try db.query(
            """
            INSERT INTO geocodes (hash, street, city, region, postcode, country)
            SELECT sha256(n::text::bytea), '', 'City ' || n, '', '', '' FROM generate_series(1, \(count)) AS n
            """)
    }

    private func queued(on db: isolated Connection) throws -> [Int] {
        try rows("SELECT unnest(subjects) AS id FROM jobs", on: db).map { try $0.read("id") }
    }

    @Test(arguments: [1, 4, 500]) func `waiting questions are queued in full batches and refer to their job`(batch: Int)
        async throws
    {
        try await Database.test.run { db throws in
            try db.query("UPDATE lanes SET batch = \(batch)")
            try write(10, on: db)
            #expect(try QuestionQueue().enqueueWaiting(100, on: db) == 10)
            #expect(try rows("SELECT FROM jobs", on: db).count == (10 + batch - 1) / batch)
            #expect(
                try rows("SELECT FROM geocodes JOIN jobs ON jobs.id = job AND geocodes.id = ANY (subjects)", on: db)
                    .count == 10)
            #expect(try QuestionQueue().enqueueWaiting(100, on: db) == 0)
            #expect(try queued(on: db).count == 10)
        }
    }

    @Test func `a step takes at most its limit, and the next step continues`() async throws {
        try await Database.test.run { db throws in
            try write(10, on: db)
            #expect(try [4, 4, 4, 4].map { try QuestionQueue().enqueueWaiting($0, on: db) } == [4, 4, 2, 0])
            #expect(try Set(queued(on: db)).count == 10)
        }
    }

    @Test func `a note about a question already answered or queued is ignored`() async throws {
        try await Database.test.run { db throws in
            try write(3, on: db)
            try db.query("INSERT INTO unqueued_geocodes SELECT id FROM geocodes")
            try db.query("UPDATE geocodes SET status = 'not_found' WHERE city = 'City 1'")
            try db.query("UPDATE geocodes SET job = 77 WHERE city = 'City 2'")
            #expect(try QuestionQueue().enqueueWaiting(100, on: db) == 6)
            #expect(try queued(on: db).count == 1)
        }
    }

    @Test func `two concurrent sweeps enqueue each question once`() async throws {
        let database = try Database.test
        try await database.run { db throws in
            try write(2_000, on: db)
            // Notes each question twice, so that both sweeps find the same ones.
            try db.query("INSERT INTO unqueued_geocodes SELECT id FROM geocodes")
        }
        @Sendable func sweep() async throws {
            while try await database.transaction({ try QuestionQueue().enqueueWaiting(300, on: $0) }) > 0 {}
        }
        async let one: Void = sweep()
        async let other: Void = sweep()
        _ = try await (one, other)
        try await database.run { db throws in
            let subjects = try queued(on: db)
            #expect(subjects.count == 2_000)
            #expect(Set(subjects).count == 2_000)
        }
    }

    @Test func `an expired answer is forgotten and asked again once`() async throws {
        try await Database.test.run { db throws in
            try write(4, on: db)
            try db.query(
                """
                UPDATE geocodes
                SET status = 'located', latitude = 1, longitude = 1, precision = 'city', placemark = '{}',
                    provider = 'test', geocoded_at = now()
                """)
            try db.query("DELETE FROM unqueued_geocodes")
            try db.query(
                """
                UPDATE geocodes
                SET expires_at = now() + CASE city WHEN 'City 1' THEN interval '1 hour' ELSE '-1 second' END
                WHERE city <> 'City 4'
                """)
            #expect(try GeocodeStore().expire(100, on: db) == 2)
            #expect(try GeocodeStore().expire(100, on: db) == 0)
            #expect(try QuestionQueue().enqueueWaiting(100, on: db) == 2)
            #expect(try GeocodeStore().counts(on: db).byStatus == [.located: 2, .waiting: 2])
            #expect(try rows("SELECT FROM geocodes JOIN jobs ON jobs.id = job", on: db).count == 2)
            #expect(try rows("SELECT FROM unqueued_geocodes", on: db).isEmpty)
        }
    }
}
