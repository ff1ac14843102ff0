import DatabaseTesting
import Locations
import Postgres
import Testing
import Tracking

/// The account conditions of the statements, run by the owner of the tables, for whom row-level security does not
/// apply.
@Suite(.database)
struct AccountTests {
    private let store = TrackerStore()

    @Test func `an account reads its own trackers, not another account's tracker of the same user`()
        async throws
    {
        let own = try await openAccount()
        try await Database.test.run { db throws in
            let other: Int = try db.query("INSERT INTO accounts (name) VALUES ('other') RETURNING id")[0].read("id")
            try store.start("ada", since: 0, with: TrackerSettings(radius: 70), account: own, on: db)
            try store.start("bob", since: 0, account: own, on: db)
            let fix = Fix(id: "1", lat: 60, lng: 24, timestamp: 1_700_000_000)
            _ = try recorded([UserFix(fix, of: "ada")], own, on: db)
            try hold("ada", on: db)
            #expect(try store.trackers(account: own, on: db).map(\.user) == ["ada", "bob"])
            #expect(try store.trackers(account: other, on: db).isEmpty)
            #expect(try store.tracker(of: "ada", account: other, on: db) == nil)
            #expect(try store.isBeingUploaded("ada", account: own, on: db))
            #expect(try !store.isBeingUploaded("ada", account: other, on: db))

            try store.start("ada", since: 0, account: other, on: db)
            #expect(try store.trackers(account: other, on: db).map(\.user) == ["ada"])
            #expect(try store.tracker(of: "ada", account: other, on: db)?.rule.radius == 50)
            #expect(try !store.isBeingUploaded("ada", account: other, on: db))
            #expect(try locations(of: "ada", own, on: db).count == 1)
            #expect(try locations(of: "ada", other, on: db).isEmpty)
            #expect(try store.lastFix(of: "ada", account: other, on: db) == nil)
            #expect(try store.count(of: "ada", account: other, on: db)?.fixes == 0)
            #expect(try store.stop("ada", account: other, on: db))
            #expect(try store.tracker(of: "ada", account: own, on: db)?.isOn == true)
        }
    }

    @Test func `another account's tracker is not counted, locked, erased or given a refused fix`() async throws {
        let own = try await openAccount()
        try await Database.test.run { db throws in
            let other: Int = try db.query("INSERT INTO accounts (name) VALUES ('other') RETURNING id")[0].read("id")
            try store.start("ada", since: 0, account: own, on: db)
            let fix = Fix(id: "1", lat: 60, lng: 24, timestamp: 1_700_000_000)
            _ = try recorded([UserFix(fix, of: "ada")], own, on: db)

            #expect(try store.newestLocation(of: "ada", account: own, on: db) != nil)
            #expect(try store.newestLocation(of: "ada", account: other, on: db) == nil)
            #expect(try store.countLocations(of: ["ada"], account: own, on: db)["ada"]?.locations == 1)
            #expect(try store.countLocations(of: ["ada"], account: other, on: db).isEmpty)
            #expect(try store.counts(ofAccount: own, on: db) == (trackers: 1, fixes: 1, locations: 1))
            #expect(try store.counts(ofAccount: other, on: db) == (trackers: 0, fixes: 0, locations: 0))
            #expect(try store.lock("ada", account: own, on: db))
            #expect(try !store.lock("ada", account: other, on: db))
            #expect(try store.count(refused: [RefusedFix(.tooOld)], of: "ada", account: other, on: db).tracker == nil)
            #expect(try store.count(refused: [RefusedFix(.tooOld)], of: "ada", account: own, on: db).tracker != nil)
            #expect(try store.erase("ada", account: other, on: db) == nil)
            #expect(try store.erase("ada", account: own, on: db)?.fixes == 1)
        }
    }

    @Test func `a tracker gets a sink of its own account only, and keeps it when another account changes its own`()
        async throws
    {
        let own = try await openAccount()
        try await Database.test.run { db throws in
            let other: Int = try db.query("INSERT INTO accounts (name) VALUES ('other') RETURNING id")[0].read("id")
            try db.query("INSERT INTO lanes (name, kind) VALUES ('upload:test', 'upload')")
            try db.query(
                """
                INSERT INTO sinks (account, name, kind, lane, is_default)
                SELECT \(own), 'test', 'webhook', id, true FROM lanes WHERE name = 'upload:test'
                """)
            try store.start("ada", since: 0, account: own, on: db)
            #expect(try store.tracker(of: "ada", account: own, on: db)?.sink == "test")
            try store.start("ada", since: 0, account: other, on: db)
            #expect(try store.tracker(of: "ada", account: other, on: db)?.sink == nil)
            #expect(throws: NoSuchSink(name: "test")) {
                try store.start("ada", with: TrackerSettings(sink: .sink(named: "test")), account: other, on: db)
            }
            try store.start("ada", with: TrackerSettings(sink: .nowhere), account: other, on: db)
            #expect(try store.tracker(of: "ada", account: own, on: db)?.sink == "test")
        }
    }

    /// Makes a job with the user's tracker, held by a worker.
    private func hold(_ user: String, on db: isolated Connection) throws {
        try db.query("INSERT INTO lanes (name, kind) VALUES ('upload:test', 'upload')")
        try db.query("INSERT INTO workers (name, host, pid, lanes) VALUES ('ada', 'here', 1, '{upload:test}')")
        try db.query(
            """
            INSERT INTO jobs (lane, subjects, worker, lease, starts_at)
            SELECT lanes.id, ARRAY[trackers.id], workers.id, 1, now()
            FROM lanes, trackers, workers
            WHERE lanes.name = 'upload:test' AND user_id = \(user)
            """)
    }
}
