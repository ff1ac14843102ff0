import DatabaseTesting
import Postgres
import Testing

@testable import Queue

/// A copy of the cluster's database next to the original.
@Suite(.database)
struct CopyTests {
    private let scene = Scene()

    /// A dump in another server, and one in the same server.
    @Test(arguments: ["server = server + 1", "database = 7"])
    func `in a copy, a lane with limits rests until the database is the cluster's own`(change: String) async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1, 2, 3, 4], on: db)
            let ada = try scene.worker(on: db)
            try db.query("SELECT settle_here()")
            try scene.limit("10/s", on: db)
            #expect(try scene.queue.claim(1, from: scene.lane, for: ada, on: db).jobs.count == 1)
            #expect(try Doctor().copy(on: db).isEmpty)

            try db.run(script: "UPDATE home_database SET \(change)")
            #expect(try scene.queue.claim(1, from: scene.lane, for: ada, on: db).obstacle == .copied)
            guard case .stopped(_, let because) = try scene.queue.lane(scene.lane, on: db).condition else {
                Issue.record("the lane is not stopped")
                return
            }
            #expect(because.contains("migrate --restored"))
            let job: Int = try db.query("SELECT min(id) AS id FROM jobs WHERE worker IS NULL")[0].read("id")
            let circumstances = try #require(try scene.queue.circumstances(of: job, on: db))
            #expect(WhyJobWaits(circumstances).sentence(job: job, lane: circumstances.lane).contains("is a copy"))
            let findings = try Doctor().examine(on: db)
            #expect(findings.first { $0.check == "copy" }?.verdict == .problem)
            #expect(!findings.contains { $0.check == "lane \(scene.lane)" && $0.verdict == .problem })

            // The workers of the backup are removed.
            try scene.queue.beginAfterRestore(on: db)
            let bob = try scene.worker("bob", on: db)
            #expect(try scene.queue.claim(1, from: scene.lane, for: bob, on: db).obstacle != .copied)
            try scene.limit("10/s", on: db)
            #expect(try scene.queue.claim(1, from: scene.lane, for: bob, on: db).jobs.count == 1)
        }
    }

    @Test func `in a copy, a lane without limits works, and one that uploads rests`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1, 2], on: db)
            let ada = try scene.worker(on: db)
            try db.run(script: "SELECT settle_here(); UPDATE home_database SET database = 7")
            #expect(try scene.queue.claim(1, from: scene.lane, for: ada, on: db).jobs.count == 1)
            try db.query("UPDATE lanes SET kind = 'upload'")
            #expect(try scene.queue.claim(1, from: scene.lane, for: ada, on: db).obstacle == .copied)
        }
    }

    /// A managed server may not permit it.
    @Test func `without the right to read the server's number, nothing is taken for a copy`() async throws {
        try await Database.test.run { db throws in
            try db.query("SELECT settle_here()")
            try db.run(
                script: """
                    BEGIN;
                    CREATE ROLE stranger_to_the_number;
                    REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC;
                    GRANT SELECT ON home_database TO stranger_to_the_number;
                    SET LOCAL ROLE stranger_to_the_number
                    """)
            #expect(try db.query("SELECT server_number() IS NULL AND NOT is_copy() AS is_right")[0].read("is_right"))
            try db.run(script: "ROLLBACK")
        }
    }
}
