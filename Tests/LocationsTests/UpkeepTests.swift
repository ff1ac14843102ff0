import DatabaseTesting
import Locations
import Postgres
import Testing
import Tracking

@Suite(.database)
struct UpkeepTests {
    /// Ada was at five places, one day apart, with two fixes at each.
    private func fiveDays() async throws -> Int {
        let account = try await openAccount()
        try await Database.test.run { db throws in
            let now: Double = try db.query("SELECT trunc(extract(epoch FROM clock_timestamp())) AS now")[0].read("now")
            try TrackerStore().start("ada", since: 0, account: account, on: db)
            let fixes = (0..<10).map { number in
                let day = Double(number / 2)
                return Fix(
                    id: "\(number)", lat: 60 + day, lng: 24,
                    timestamp: now - (5 - day) * 86_400 + Double(number % 2) * 60)
            }
            _ = try recorded(fixes.map { UserFix($0, of: "ada") }, account, on: db)
        }
        return account
    }

    @Test func `each day has its partitions, and rows that waited for them move in`() async throws {
        let account = try await fiveDays()
        try await Database.test.run { db throws in
            let (made, dropped, _) = try TrackerStore().maintainPartitions(ahead: 3, retention: nil, on: db)
            #expect(made.count == 10)
            #expect(dropped.isEmpty)
            #expect(try TrackerStore().maintainPartitions(ahead: 3, retention: nil, on: db).made.isEmpty)
            // Yesterday's fixes now have their own partition.
            #expect(try rows("SELECT id FROM fixes_default", on: db).count == 8)
            #expect(try rows("SELECT id FROM fixes", on: db).count == 10)
            // The moved locations are unchanged and can still be extended.
            let now: Double = try db.query("SELECT trunc(extract(epoch FROM clock_timestamp())) AS now")[0].read("now")
            let fix = Fix(id: "now", lat: 64, lng: 24, timestamp: now)
            try db.query("UPDATE trackers SET longest_gap = 172800")
            #expect(try recorded([UserFix(fix, of: "ada")], account, on: db) == [.taken])
            #expect(try locations(of: "ada", account, on: db).map(\.id) == ["0", "2", "4", "6", "8"])
            #expect(try locations(of: "ada", account, on: db).last.map { $0.waitTime >= 86_400 } == true)
        }
    }

    @Test func `uploaded locations and their fixes are deleted after the retention, and no others`() async throws {
        let account = try await fiveDays()
        try await Database.test.run { db throws in
            try db.query("UPDATE pending_locations SET uploaded = id NOT IN ('2')")
            _ = try TrackerStore().maintainPartitions(retention: .seconds(86_400 * 2), on: db)
            // 0 and 4 are uploaded and old; 2 is not uploaded; 6 and 8 are newer.
            #expect(try locations(of: "ada", account, on: db).map(\.id) == ["2", "6", "8"])
            let kept: [String] = try db.query("SELECT id FROM fixes ORDER BY id").map { try $0.read("id") }
            #expect(kept == ["2", "3", "6", "7", "8", "9"])

            try db.query("UPDATE pending_locations SET uploaded = true")
            _ = try TrackerStore().maintainPartitions(retention: .seconds(86_400), on: db)
            // The newest location stays, because the next fix may extend it.
            #expect(try locations(of: "ada", account, on: db).map(\.id) == ["8"])
        }
    }

    @Test func `partitions are created while phones send late fixes, and no request fails`() async throws {
        let account = try await openAccount()
        let now: Double = try await Database.test.run { db throws in
            for user in 0..<4 { try TrackerStore().start("\(user)", since: 0, account: account, on: db) }
            return try db.query("SELECT trunc(extract(epoch FROM clock_timestamp())) AS now")[0].read("now")
        }
        let database = try Database.test
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in 0..<4 {
                group.addTask {
                    for n in 0..<60 {
                        // Fixes of the last five days, in random order.
                        let fix = Fix(
                            id: "\(n)", lat: Double(n % 60), lng: 1, timestamp: now - Double(n * 7_919 % 400_000))
                        let fates = try await database.run {
                            try TrackerStore().record([UserFix(fix, of: "\(user)")], account: account, on: $0)
                        }
                        #expect(fates == [.taken] || fates == [.doubted])
                    }
                }
            }
            group.addTask {
                for days in 0..<10 {
                    _ = try await database.transaction {
                        try TrackerStore().maintainPartitions(ahead: days, retention: nil, on: $0)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.run { try rows("SELECT FROM fixes", on: $0).count } == 240)
    }

    /// Repeats the body as phones do after a 503, for example when it lost a deadlock.
    private func untilAccepted<Value>(_ body: () async throws -> Value) async throws -> Value {
        while true {
            do { return try await body() } catch let error as DatabaseError where error.isWorthRetrying {}
        }
    }

    @Test func `phones, two coordinators and an erasure at the same time lose nothing`() async throws {
        let account = try await openAccount()
        let now: Double = try await Database.test.run { db throws in
            for user in 0..<4 { try TrackerStore().start("\(user)", since: 0, account: account, on: db) }
            return try db.query("SELECT trunc(extract(epoch FROM clock_timestamp())) AS now")[0].read("now")
        }
        // Each fix comes from two phones.
        @Sendable func fix(_ number: Int, of phone: Int) -> Fix {
            let number = number + phone / 2 * 40
            return Fix(
                id: "\(number)", lat: 60 + Double(number % 7) / 100, lng: 1,
                timestamp: now - Double(number * 7_919 % 400_000))
        }
        let database = try Database.test
        try await withThrowingTaskGroup(of: Void.self) { group in
            for phone in 0..<4 {
                group.addTask {
                    for number in 0..<40 {
                        // Each phone has its own order of users.
                        let fixes = (0..<4).map { UserFix(fix(number, of: phone), of: "\(($0 + phone) % 4)") }
                        let fates = try await untilAccepted {
                            try await database.run { try recorded(fixes, account, on: $0) }
                        }
                        for (fix, fate) in zip(fixes, fates) {
                            #expect(
                                fate == .taken || fate == .repeated || fate == .refused(.noTracker) && fix.user == "3")
                        }
                        guard phone == 0, number == 20 else { continue }
                        _ = try await untilAccepted {
                            try await database.transaction { try TrackerStore().erase("3", account: account, on: $0) }
                        }
                    }
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    for days in 0..<6 {
                        _ = try await untilAccepted {
                            try await database.transaction {
                                try TrackerStore().maintainPartitions(ahead: days, retention: nil, on: $0)
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        var whole = WholeWalk(TrackingRule(), keepsDoubted: true)
        let expected = whole.rows(after: (0..<40).flatMap { [fix($0, of: 0), fix($0, of: 2)] })
        let found = try await database.run { db throws in
            try (0..<4).map { try WholeWalk.rows(of: "\($0)", on: db) }
        }
        #expect(found == [expected, expected, expected, []])
        #expect(try await database.run { try rows("SELECT FROM fixes", on: $0).count } == 240)
    }

    @Test func `a day's partitions are dropped when they are empty`() async throws {
        _ = try await fiveDays()
        try await Database.test.run { db throws in
            let made = try TrackerStore().maintainPartitions(ahead: 0, retention: nil, on: db).made
            try db.run(script: "UPDATE pending_locations SET uploaded = true; DELETE FROM fixes; DELETE FROM trackers")
            // Renames the partitions to a day in the past.
            for name in made where !name.isEmpty {
                let table = String(name.dropLast(8))
                let day = name.hasSuffix(try today(db)) ? "20200102" : "20200101"
                try db.run(
                    script:
                        "DELETE FROM \(table)default; DELETE FROM \(name); ALTER TABLE \(name) RENAME TO \(table)\(day)"
                )
            }
            let dropped = try TrackerStore().maintainPartitions(ahead: -2, retention: .seconds(86_400), on: db).dropped
            #expect(
                dropped.sorted() == [
                    "fixes_20200101", "fixes_20200102", "pending_locations_20200101", "pending_locations_20200102",
                ])
        }
    }

    private func today(_ database: isolated Connection) throws -> String {
        try database.query("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD') AS day")[0].read("day")
    }

    @Test func `erasing a user deletes all of their rows and no others`() async throws {
        let account = try await fiveDays()
        try await Database.test.run { db throws in
            let store = TrackerStore()
            _ = try store.maintainPartitions(retention: nil, on: db)
            try store.start("bob", since: 0, account: account, on: db)
            let fix = Fix(id: "b", lat: 1, lng: 1, timestamp: 1_700_000_000)
            _ = try recorded([UserFix(fix, of: "bob")], account, on: db)
            let other: Int = try db.query("INSERT INTO accounts (name) VALUES ('other') RETURNING id")[0].read("id")

            #expect(try db.transaction { try store.erase("ada", account: other, on: $0) } == nil)
            #expect(try db.transaction { try store.erase("ada", account: account, on: $0) }?.fixes == 10)
            #expect(try store.erase("ada", account: account, on: db) == nil)
            for table in ["trackers", "fixes", "pending_locations"] {
                #expect(try rows("SELECT FROM \(identifier: table)", on: db).count == 1, "\(table)")
            }
        }
    }
}

@Suite(.database)
struct RetentionTests {
    @Test func `old rows are deleted in steps`()
        async throws
    {
        let account = try await openAccount()
        try await Database.test.run { db throws in
            for user in ["ada", "ben"] { try TrackerStore().start(user, since: 0, account: account, on: db) }
            let fixes = (0..<2).flatMap { user in
                (0..<4_000).map { number in
                    UserFix(
                        Fix(
                            lat: number.isMultiple(of: 2) ? 60 : 61, lng: 24,
                            timestamp: 1_600_000_000 + Double(number) * 3_600),
                        of: user == 0 ? "ada" : "ben")
                }
            }
            _ = try recorded(fixes, account, on: db)
            try db.run(script: "UPDATE pending_locations SET uploaded = true")
        }
        let database = try Database.test
        let keep = {
            try await database.transaction {
                try TrackerStore().maintainPartitions(retention: .seconds(86_400), on: $0).isMore
            }
        }
        #expect(try await keep())
        #expect(try await !keep())
        // The newest location of each user stays with its fix, and so does the previous one, because the last fix may
        // be a stray.
        let (locations, fixes) = try await database.run { db throws in
            (try rows("SELECT FROM pending_locations", on: db).count, try rows("SELECT FROM fixes", on: db).count)
        }
        #expect(locations == 4 && fixes == 4)
    }
}
