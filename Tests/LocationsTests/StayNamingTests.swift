import DatabaseTesting
import Geocoding
import Locations
import Postgres
import Questions
import Testing
import Tracking
import TrackingTesting

@Suite(.database)
struct StayNamingTests {
    /// Days between three places, with a fix every minute: hours at each place, and minutes on the way.
    private func commute(days: Int) -> [Fix] {
        let places = [(60.170_1, 24.940_1), (60.200_1, 24.970_1), (60.180_1, 24.910_1)]
        return (0..<(days * 1_440)).map { minute in
            let (hour, rest) = ((minute / 60) % 24, minute % 60)
            let (from, to) = (places[hour / 8], places[(hour / 8 + 1) % 3])
            // In the last half of every eighth hour the user is on the way.
            let part = hour % 8 == 7 && rest >= 30 ? Double(rest - 30) / 30 : 0
            return Fix(
                id: "\(minute)", lat: from.0 + (to.0 - from.0) * part, lng: from.1 + (to.1 - from.1) * part,
                accuracy: 5, timestamp: 1_700_006_400 + Double(minute) * 60)
        }
    }

    @Test func `twenty thousand points become stays in three places, each asked once, as idle jobs`() async throws {
        let account = try await openAccount()
        let database = try Database.test
        let fixes = commute(days: 14)
        #expect(fixes.count == 20_160)
        for user in ["ada", "bob"] {
            _ = try await database.run { try TrackerStore().makeTracker(of: user, account: account, on: $0) }
            for part in fixes.inPieces(of: 4_000) {
                try await database.transaction { _ = try record(part, of: user, account, on: $0) }
            }
        }
        let naming = StayNaming(database: database, account: account)
        let first = try await naming.run(user: "ada")
        #expect(first == .init(stays: 42, places: 3, asked: 3))
        // Bob was at the same places.
        #expect(try await naming.run() == .init(stays: 84, places: 3, asked: 0))
        try await database.run { db throws in
            let jobs = try rows("SELECT priority, subjects FROM jobs", on: db).map {
                (priority: try $0.read("priority", as: Int.self), subjects: try $0.read("subjects", as: [Int].self))
            }
            // The gazetteer takes 500 questions in a call.
            #expect(jobs.count == 1 && jobs[0].priority == 0 && Set(jobs[0].subjects).count == 3)
            #expect(try rows("SELECT FROM geocodes", on: db).count == 3)
            #expect(try rows("SELECT FROM unqueued_geocodes", on: db).isEmpty)
        }
    }

    @Test func `a lane with a batch of one gets one job for each place`() async throws {
        let account = try await openAccount()
        let database = try Database.test
        try await database.run { db throws in
            try db.run(script: "UPDATE lanes SET batch = 1")
            _ = try TrackerStore().makeTracker(of: "ada", account: account, on: db)
            _ = try record(commute(days: 2), of: "ada", account, on: db)
        }
        let summary = try await StayNaming(database: database, account: account).run()
        #expect(summary.places == 3 && summary.asked == 3)
        #expect(try await database.run { try rows("SELECT FROM jobs", on: $0).count } == 3)
    }

    @Test func `only stays that last long enough are asked`() async throws {
        let account = try await openAccount()
        let database = try Database.test
        try await database.run { db throws in
            _ = try TrackerStore().makeTracker(of: "ada", account: account, on: db)
            let fixes = [0.0, 299, 1_000, 1_300].enumerated().map { number, time in
                Fix(id: "\(number)", lat: number < 2 ? 60 : 61, lng: 24, timestamp: 1_700_000_000 + time)
            }
            _ = try record(fixes, of: "ada", account, on: db)
        }
        #expect(try await StayNaming(database: database, account: account).run().stays == 1)
        let shorter = StayNaming(database: database, account: account, shortest: .seconds(299))
        #expect(try await shorter.run().stays == 2)
    }

    @Test func `a place is shown at all stays in its cell once it is known, to the API's role too`() async throws {
        let account = try await openAccount()
        let database = try Database.test
        try await database.run { db throws in
            _ = try TrackerStore().makeTracker(of: "ada", account: account, on: db)
            _ = try record(commute(days: 1), of: "ada", account, on: db)
        }
        _ = try await StayNaming(database: database, account: account).run()
        let before = try await database.run { db throws in
            try TrackerStore().places(of: locations(of: "ada", account, on: db), on: db)
        }
        #expect(before.allSatisfy { $0 == nil })
        try await database.run { db throws in
            try db.query(
                """
                UPDATE geocodes
                SET status = 'located', job = NULL, latitude = 60.1701, longitude = 24.9401, precision = 'city',
                    placemark = '{"locality": "Helsinki"}', provider = 'gazetteer'
                WHERE at_latitude = 60.17
                """)
        }
        let api = try Database.test(as: "waypost_api")
        let (found, places) = try await api.run { db throws in
            try db.keepAccount(account)
            let found = try locations(of: "ada", account, on: db)
            return (found, try TrackerStore().places(of: found, on: db))
        }
        await api.close()
        #expect(found.count > 3 && places.count == found.count)
        for (location, place) in zip(found, places) {
            #expect(place?.locality == (abs(location.lat - 60.170_1) < 0.000_2 ? "Helsinki" : nil))
        }
        #expect(places.contains { $0 != nil })
    }

    @Test func `an unknown chain is an error`() async throws {
        let account = try await openAccount()
        let database = try Database.test
        try await database.run { db throws in
            _ = try TrackerStore().makeTracker(of: "ada", account: account, on: db)
            _ = try record(commute(days: 1), of: "ada", account, on: db)
        }
        await #expect { try await StayNaming(database: database, account: account, chain: "none").run() } throws: {
            "\($0)" == "there is no chain called \"none\""
        }
    }
}

extension Connection {
    fileprivate func keepAccount(_ account: Int) throws {
        try query("SELECT set_config('waypost.account', \("\(account)"), false)")
    }
}
