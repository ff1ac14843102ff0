import Cluster
import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Polling
import Postgres
import Processes
import Questions
import Queue
import Testing

/// Rematches by a worker that calls a recording provider. The results are checked at the friend, where a user sees
/// them.
@Suite(.database)
struct RematchTests {
    private let me = Author.user("ada", on: "here")

    /// The same answer for all addresses, coarser than the question.
    private let coarse = TestProvider { addresses in addresses.map { _ in .located(TestProvider.reno, .city) } }

    /// Stores friends with weak places. Their chain has only the gazetteer's lane.
    private func locate(_ count: Int, on database: Database) async throws {
        try await database.transaction { db in
            try ChainStore().set("default", to: Chain([.init("gazetteer")], located: 0.01, review: 0.001), on: db)
        }
        try await fill(database, with: count)
        try await with(worker(coarse, on: database)) { _ = try await waitForAnswers(database) }
    }

    private func rematch(
        _ selection: RematchSelection = RematchSelection(), on database: Database
    ) async throws -> Int {
        let rematch = Rematch(selection)
        return try await rematch.run(rematch.outlook(on: database), by: me, on: database)
    }

    /// `located city 39.5`: the place of the first friend in the API.
    private func place(on database: Database) async throws -> String {
        try await database.run { db in
            let account = try #require(try ContactStore().account(named: "default", on: db))
            let id: Int = try db.query("SELECT min(id) AS id FROM friends")[0].read("id")
            let address = try #require(try ContactStore().friend(id, account: account, on: db)?.addresses.first)
            return [
                address.status.rawValue, address.place.precision?.rawValue ?? "-",
                address.coordinate.map { "\($0.latitude)" } ?? "-",
            ].joined(separator: " ")
        }
    }

    private func text(_ sql: SQL, on database: Database) async throws -> String {
        try await database.run { try $0.query(sql)[0].readIfPresent("text") ?? "-" }
    }

    private func waitForShadows(_ database: Database) async throws {
        try await pollUntil { try await database.run { try GeocodeStore().countShadows(on: $0) } == 0 }
    }

    @Test func `the old place is served during the call, and the better one after it`() async throws {
        let database = try Database.test
        try await locate(1, on: database)
        let before = try await text("SELECT max(changed_in)::text AS text FROM addresses", on: database)
        #expect(try await place(on: database) == "located city 39.5")
        #expect(try await rematch(on: database) == 1)
        // A second rematch asks nothing more.
        #expect(try await rematch(on: database) == 0)
        let (called, answer) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let asked = Locked<[Address]>([])
        let better = TestProvider { addresses in
            asked.withLock { $0 += addresses }
            await called.arrive()
            await answer.arrive()
            return addresses.map { address in
                guard case .found(let found) = TestProvider.house(address), var best = found.first else {
                    return .notFound
                }
                best.placemark.coordinate = Coordinate(latitude: 40.25, longitude: -119.8) ?? best.placemark.coordinate
                return .found([best])
            }
        }
        // The worker has only the rights of its role.
        let workerDatabase = try Database.test(as: "waypost_worker")
        try await with(worker(better, on: workerDatabase)) {
            await called.arrive()
            #expect(try await place(on: database) == "located city 39.5")
            #expect(try await counts(database).byStatus == [.located: 1])
            await answer.arrive()
            try await waitForShadows(database)
        }
        await workerDatabase.close()
        #expect(asked.withLock { $0.map(\.street) } == ["1 Main St"])
        #expect(try await place(on: database) == "located rooftop 40.25")
        #expect(
            try await text(
                "SELECT concat_ws(' ', count(*), count(job), count(shadow_of)) AS text FROM geocodes", on: database)
                == "1 0 0")
        #expect(try await text("SELECT count(*)::text AS text FROM jobs", on: database) == "0")
        // A reader of changes sees the change, and the tallies are updated.
        #expect(try await text("SELECT max(changed_in)::text AS text FROM addresses", on: database) != before)
        #expect(
            try await text(
                """
                SELECT string_agg(concat_ws(' ', status, precision, number), ', ') AS text
                FROM (
                    SELECT status, precision, sum(addresses) AS number FROM address_tallies GROUP BY 1, 2
                    HAVING sum(addresses) <> 0
                ) AS tally
                """, on: database) == "located rooftop 1")
        _ = try await database.run { try $0.query("SELECT settle_left_overs(100)") }
        #expect(try await text("SELECT count(*)::text AS text FROM unsettled_geocodes", on: database) == "0")
        #expect(
            try await text(
                "SELECT concat_ws(' ', verb, after ->> 'questions', author) AS text FROM audit_log", on: database)
                == "cache.rematch 1 ada")
    }

    @Test(arguments: ["none", "coarser", "failed", "doubtful", "cancelled"])
    func `an answer that is not better leaves the old place`(answer: String) async throws {
        let database = try Database.test
        try await locate(1, on: database)
        let row: SQL = "SELECT to_jsonb(geocodes)::text AS text FROM geocodes"
        let before = try await text(row, on: database)
        #expect(try await rematch(on: database) == 1)
        if answer == "cancelled" {
            let cancelled = try await QuestionQueue().cancel(JobSelection.all(lane: "gazetteer"), by: me, on: database)
            #expect(cancelled == 1)
        }
        try await setLane("most_failures = 1, breaker_after = 1000", on: database)
        if answer == "doubtful" {
            try await database.query(
                "UPDATE chains SET plan = plan || '{\"located\": 0.999, \"review\": 0.001}' WHERE is_current")
        }
        let provider = TestProvider { addresses throws(ProviderError) in
            if answer == "failed" { throw .unavailable(reason: "it is down") }
            return addresses.map { _ in
                switch answer {
                case "coarser": .located(TestProvider.reno, .country)
                case "doubtful":
                    .located(Placemark(coordinate: TestProvider.reno.coordinate, locality: "Rhino"), .rooftop)
                default: .notFound
                }
            }
        }
        try await with(worker(provider, on: database)) { try await waitForShadows(database) }
        #expect(try await text(row, on: database) == before)
        #expect(try await place(on: database) == "located city 39.5")
        #expect(try await text("SELECT count(*)::text AS text FROM dead_jobs", on: database) == "0")
        #expect(try await text("SELECT count(*)::text AS text FROM unqueued_geocodes", on: database) == "0")
    }

    @Test func `a worker that dies during a rematch leaves the old place, and another calls again`() async throws {
        let database = try Database.test
        try await locate(2, on: database)
        #expect(try await rematch(on: database) == 2)
        let registry = ProcessRegistry()
        try await database.transaction { db in
            let lost = try registry.register(.worker, name: "lost", host: "there", pid: 1, on: db)
            #expect(try JobQueue().claim(10, from: "gazetteer", for: lost, on: db).jobs.count == 2)
        }
        #expect(try await text("SELECT count(worker)::text AS text FROM jobs", on: database) == "2")
        #expect(try await place(on: database) == "located city 39.5")
        try await database.transaction { db in
            try db.query("DELETE FROM workers")
            try QuestionQueue().moveQuestions(after: registry.rescue(on: db), on: db)
        }
        try await with(worker(.everywhere, on: database)) { try await waitForShadows(database) }
        #expect(try await place(on: database) == "located rooftop 39.5")
        #expect(try await counts(database).byPrecision == [.rooftop: 2])
    }

    @Test func `a person's decision during a rematch stays, and its question is not called`() async throws {
        let database = try Database.test
        try await locate(1, on: database)
        #expect(try await rematch(on: database) == 1)
        let here = try #require(Coordinate(latitude: 50, longitude: 8))
        let pinned = try await database.transaction { db in
            let id: Int = try db.query("SELECT id FROM geocodes WHERE shadow_of IS NULL")[0].read("id")
            return try QuestionQueue().decide(.pin(here), of: id, by: me, on: db)
        }
        #expect(pinned)
        try await with(worker(.everywhere, on: database)) { try await waitForShadows(database) }
        #expect(try await place(on: database) == "located rooftop 50.0")
        #expect(try await rematch(on: database) == 0)
        // A candidate that a person accepted is not pinned if its provider only lends it.
        let lent = try await database.transaction { db in
            try db.query(
                """
                UPDATE geocodes SET pinned_at = NULL, expires_at = now() + interval '1 day', geocoded_at = now()
                """)
            try db.query(
                """
                INSERT INTO decisions (geocode, before, after)
                SELECT id, '{}', jsonb_build_object('geocoded_at', geocoded_at) FROM geocodes
                """)
            let id: Int = try db.query("SELECT id FROM geocodes")[0].read("id")
            return try QuestionQueue().rematch([(id: id, country: nil)], along: "default", priority: .idle, on: db)
        }
        #expect(lent == 0)
    }

    @Test func `a candidate that a person accepts during a rematch stays`() async throws {
        let database = try Database.test
        try await locate(1, on: database)
        #expect(try await rematch(on: database) == 1)
        let accepted = try await database.transaction { db in
            // The provider permits keeping it for thirty days only, so it is not pinned.
            let id: Int = try db.query(
                """
                UPDATE geocodes
                SET status = 'needs_review', is_weak = false, latitude = NULL, longitude = NULL, candidates = '[{
                    "placemark": {"coordinate": {"latitude": 50, "longitude": 8}}, "precision": "street",
                    "provider": "test", "step": "structured", "confidence": 0.5, "days": 30, "isLent": false}]'
                WHERE shadow_of IS NULL
                RETURNING id
                """)[0].read("id")
            return try QuestionQueue().decide(.accept(candidate: 1), of: id, by: me, on: db)
        }
        #expect(accepted)
        #expect(try await place(on: database) == "located street 50.0")
        // This worker's answer would be better.
        try await with(worker(.everywhere, on: database)) { try await waitForShadows(database) }
        #expect(try await place(on: database) == "located street 50.0")
    }

    @Test func `a question that shares an answer is not called and gets the better answer too`() async throws {
        let database = try Database.test
        try await locate(1, on: database)
        try await database.transaction { db in
            let own = Address(street: "1 Main Street", city: "Reno")
            let friend = Friend(sourceKey: "x", name: "X", addresses: [LabelledAddress(label: "", address: own)])
            let account = try ContactStore().openAccount(named: "default", on: db)
            _ = try ContactWriter().store([friend], account: account, on: db)
            // Our program does not share an answer that is only a town, so the test stores the shared answer itself.
            try db.query(
                """
                UPDATE geocodes AS other
                SET status = 'located', job = NULL, latitude = own.latitude, longitude = own.longitude,
                    precision = own.precision, provider = own.provider, placemark = own.placemark, confidence = 0.5,
                    is_weak = true, geocoded_at = now(), shared_from = own.id
                FROM geocodes AS own
                WHERE own.street = '1 Main St' AND other.street = '1 Main Street'
                """)
            try db.query("DELETE FROM jobs")
        }
        #expect(try await rematch(on: database) == 1)
        let asked = Locked<[Address]>([])
        let provider = TestProvider { addresses in
            asked.withLock { $0 += addresses }
            return addresses.map(TestProvider.house)
        }
        try await with(worker(provider, on: database)) { try await waitForShadows(database) }
        #expect(asked.withLock { $0.map(\.street) } == ["1 Main St"])
        #expect(try await counts(database).byPrecision == [.rooftop: 2])
        // It still shares the answer, so that the next rematch improves both again.
        #expect(
            try await text(
                """
                SELECT own.street AS text FROM geocodes AS other JOIN geocodes AS own ON own.id = other.shared_from
                WHERE other.street = '1 Main Street'
                """, on: database) == "1 Main St")
    }

    @Test func `a rematch asks only the selected questions, and a dry run gives the cost`() async throws {
        let database = try Database.test
        try await locate(5, on: database)
        try await database.transaction { db in
            try db.query(
                """
                UPDATE addresses SET country_code = 'DE' WHERE street = '1 Main St'
                """)
            // The confidence of the point of a town is a twentieth of it.
            try db.query("UPDATE geocodes SET confidence = 0.2 WHERE street = '2 Main St'")
            try db.query("UPDATE geocodes SET provider = 'other' WHERE street = '3 Main St'")
            try db.query("UPDATE geocodes SET geocoded_at = now() - interval '9 days' WHERE street = '4 Main St'")
            try db.query(
                "UPDATE lanes SET price_per_1000_calls = 5, currency = 'USD', batch = 1 WHERE name = 'gazetteer'")
            try db.query(
                """
                UPDATE geocodes SET status = 'failed', reason = 'no', latitude = NULL, longitude = NULL, precision = NULL,
                    confidence = NULL, is_weak = false
                WHERE street = '5 Main St'
                """)
            _ = try ContactStore().openAccount(named: "empty", on: db)
        }
        let empty = try #require(try await database.run { try ContactStore().account(named: "empty", on: $0) })
        let cases: [(RematchSelection, Int)] = [
            (RematchSelection(countries: ["DE"]), 1), (RematchSelection(AnswerFilter(below: 0.03)), 1),
            (RematchSelection(AnswerFilter(provider: "other")), 1),
            (RematchSelection(AnswerFilter(age: .seconds(8 * 86_400))), 1),
            (RematchSelection(AnswerFilter(precision: .city)), 4),
            (RematchSelection(AnswerFilter(precision: .street)), 0),
            (RematchSelection(AnswerFilter(status: .notFound)), 0), (RematchSelection(account: empty), 0),
            (RematchSelection(AnswerFilter(status: .failed, below: 0.1)), 1),
            (RematchSelection(limit: 3), 3), (RematchSelection(), 4),
        ]
        for (selection, count) in cases {
            let outlook = try await Rematch(selection).outlook(on: database)
            #expect(outlook.questions == count, "\(selection)")
            #expect(outlook.forecast.calls.lowerBound == count)
        }
        let outlook = try await Rematch(RematchSelection()).outlook(on: database)
        #expect(outlook.forecast.costs["USD"]?.lowerBound == 0.02)
        #expect(try await text("SELECT count(shadow_of)::text AS text FROM geocodes", on: database) == "0")
        #expect(try await rematch(RematchSelection(limit: 3), on: database) == 3)
        #expect(try await rematch(on: database) == 1)
        #expect(try await Rematch(RematchSelection()).outlook(on: database).underWay == 4)
        #expect(
            try await text("SELECT string_agg(DISTINCT priority::text, ' ') AS text FROM jobs", on: database) == "0")
    }
}
