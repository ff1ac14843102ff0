import DatabaseTesting
import Foundation
import Locations
import Postgres
import Testing
import Tracking
import TrackingTesting

/// The SQL function, compared with the rule in Swift.
@Suite(.database)
struct RecordTests {
    @Test(arguments: TrackVector.all)
    func `fixes become the locations of the vectors`(_ vector: TrackVector) async throws {
        let account = try await openAccount()
        let settings = TrackerSettings(
            radius: vector.radius, topSpeed: vector.top_speed, longestGap: vector.longest_gap)
        var dice = Dice(seed: 3)
        for order in 0..<6 {
            let user = "user \(order)"
            let fixes = order == 0 ? vector.fixes : (vector.fixes + vector.fixes.prefix(order)).shuffled(using: &dice)
            // All at once, one by one, and in parts.
            let pieces = fixes.inPieces(of: [fixes.count, 1, 2, 3, 1, fixes.count][order])
            let (found, doubted) = try await Database.test.run { db throws in
                try TrackerStore().start(user, since: 0, with: settings, account: account, on: db)
                try setStops(vector.stops ?? [], of: user, on: db)
                for piece in pieces {
                    _ = try TrackerStore().record(piece.map { UserFix($0, of: user) }, account: account, on: db)
                }
                return (try locations(of: user, account, on: db), try doubtedFixes(of: user, on: db))
            }
            #expect(found.map { .init(id: $0.id, wait_time: $0.waitTime) } == vector.locations, "order \(order)")
            #expect(doubted == vector.doubted.sorted(), "order \(order)")
        }
    }

    @Test func `in any order, repetition and splitting, fixes give the same rows as in Swift`()
        async throws
    {
        let account = try await openAccount()
        for seed in 1...40 {
            var dice = Dice(seed: UInt64(seed))
            let fixes = wandering(count: 25, &dice)
            let rule = TrackingRule(
                longestGap: seed % 2 == 0 ? 300 : 43_200, stops: seed % 3 == 0 ? [1_700_000_500] : [])
            var expected: [PendingLocation] = []
            for fix in fixes {
                rule.appendOrUpdate(fix, user: "ada", pending: &expected, now: 1_800_000_000)
            }
            let shown = expected.filter { !$0.removed }.map { "\($0.id) \($0.timestamp) \($0.lat) \($0.waitTime)" }
            let user = "user \(seed)"
            let size = Int.random(in: 1...10, using: &dice)
            let pieces = (fixes + fixes.prefix(8)).shuffled(using: &dice).inPieces(of: size)
            let found = try await Database.test.run { db throws in
                let settings = TrackerSettings(longestGap: rule.longestGap)
                try TrackerStore().start(user, since: 0, with: settings, account: account, on: db)
                try setStops(rule.stops, of: user, on: db)
                for piece in pieces {
                    _ = try TrackerStore().record(piece.map { UserFix($0, of: user) }, account: account, on: db)
                }
                return try locations(of: user, account, on: db)
            }
            #expect(found.map { "\($0.id) \($0.timestamp) \($0.lat) \($0.waitTime)" } == shown, "seed \(seed)")
        }
    }

    @Test func `two days of nine stays, out of order, give the same stays as in Swift`() async throws {
        let account = try await openAccount()
        var dice = Dice(seed: 4)
        let fixes = twoDaysOfNineStays(seed: 4)
        var walk = TrackWalk(rule: TrackingRule())
        for fix in fixes { walk.take(fix) }
        // Bursts of up to two minutes in mixed order, with a part of the second day before the rest.
        var order = fixes.inPieces(of: 6).map { $0.shuffled(using: &dice) }
        order.swapAt(order.count - 1, order.count / 2)
        let user = "ada"
        let found = try await Database.test.transaction { [order] db throws in
            try TrackerStore().start(user, since: 0, account: account, on: db)
            for piece in order { _ = try recorded(piece.map { UserFix($0, of: user) }, account, on: db) }
            return try TrackerStore().locations(of: user, limit: 10_000, account: account, on: db)
        }
        #expect(found.map { "\($0.id) \($0.waitTime)" } == walk.stays.map { "\($0.start.id) \($0.waitTime)" })
        #expect((9...12).contains(found.count { $0.waitTime >= 600 }))
    }

    @Test func `a stay ends where tracking was turned off`() async throws {
        let account = try await openAccount()
        try await Database.test.run { db throws in
            let store = TrackerStore()
            let now: Double = try db.query("SELECT trunc(extract(epoch FROM clock_timestamp())) AS now")[0].read("now")
            func fix(_ time: Double) -> UserFix { UserFix(Fix(lat: 60, lng: 24, timestamp: now + time), of: "ada") }
            try store.start("ada", since: now - 600, account: account, on: db)
            // The last fix is slightly in the future, as with a fast phone clock.
            _ = try recorded([fix(-60), fix(-50), fix(100)], account, on: db)
            _ = try store.stop("ada", account: account, on: db)
            try store.start("ada", account: account, on: db)
            _ = try recorded([fix(200), fix(-40)], account, on: db)
            #expect(try locations(of: "ada", account, on: db).map(\.waitTime) == [160, 0])
            #expect(try store.lastFix(of: "ada", account: account, on: db)?.timestamp == now + 200)
        }
    }

    @Test func `concurrent writers for one user lose nothing`() async throws {
        let account = try await openAccount()
        var dice = Dice(seed: 1)
        let fixes = wandering(count: 200, &dice).shuffled(using: &dice)
        try await Database.test.run { try TrackerStore().start("ada", since: 0, account: account, on: $0) }
        let database = try Database.test
        try await withThrowingTaskGroup { group in
            for piece in fixes.inPieces(of: 7) {
                group.addTask {
                    try await database.run { db throws in
                        _ = try TrackerStore().record(piece.map { UserFix($0, of: "ada") }, account: account, on: db)
                    }
                }
            }
            try await group.waitForAll()
        }
        var expected: [PendingLocation] = []
        for fix in fixes {
            TrackingRule().appendOrUpdate(fix, user: "ada", pending: &expected, now: 1_800_000_000)
        }
        let found = try await database.run { try locations(of: "ada", account, on: $0) }
        #expect(found.map(\.id) == expected.filter { !$0.removed }.map(\.id))
        #expect(found.map(\.waitTime) == expected.filter { !$0.removed }.map(\.waitTime))
    }

    @Test func `each fix gets its own result`() async throws {
        let account = try await openAccount()
        try await Database.test.run { db throws in
            let store = TrackerStore()
            let here = Fix(id: "1", lat: 60, lng: 24, timestamp: 1_700_000_000)
            let far = Fix(id: "2", lat: 62, lng: 24, timestamp: 1_700_000_010)

            #expect(try recorded([UserFix(here, of: "ada")], account, on: db) == [.unknown])
            try store.start("ada", since: 0, account: account, on: db)
            #expect(
                try recorded([UserFix(here, of: "ada"), UserFix(here, of: "bob")], account, on: db) == [
                    .taken, .unknown,
                ])
            #expect(
                try recorded([UserFix(here, of: "ada"), UserFix(far, of: "ada")], account, on: db) == [
                    .repeated, .doubted,
                ])
            #expect(try store.stop("ada", account: account, on: db))
            let later = Fix(id: "3", lat: 60, lng: 24, timestamp: 1_700_000_020)
            #expect(try recorded([UserFix(later, of: "ada")], account, on: db) == [.off])
            #expect(try rows("SELECT id FROM fixes", on: db).count == 2)
            try store.start("ada", since: 0, with: TrackerSettings(keepsDoubted: false), account: account, on: db)
            let farther = Fix(id: "4", lat: 65, lng: 24, timestamp: 1_700_000_020)
            #expect(
                try recorded([UserFix(farther, of: "ada"), UserFix(later, of: "ada")], account, on: db) == [
                    .tooFast, .taken,
                ])
            #expect(try rows("SELECT id FROM fixes", on: db).count == 3)
            #expect(try locations(of: "ada", account, on: db).map(\.waitTime) == [20])
        }
    }

    @Test(arguments: [[60.0, 600], [600, 60], [600, 0, 60, 600]])
    func `a fix that arrives several times keeps its longest stay`(stays: [Double]) async throws {
        let account = try await openAccount()
        let fixes = stays.map { Fix(id: "1", lat: 60, lng: 24, timestamp: 1_700_000_000, waitTime: $0) }
        try await Database.test.run { db throws in
            // All at once, and one by one.
            for (user, pieces) in [("ada", [fixes]), ("bob", fixes.inPieces(of: 1))] {
                try TrackerStore().start(user, since: 0, account: account, on: db)
                for piece in pieces { _ = try recorded(piece.map { UserFix($0, of: user) }, account, on: db) }
                #expect(try locations(of: user, account, on: db).map(\.waitTime) == [600])
            }
        }
        var pending: [PendingLocation] = []
        for fix in fixes { TrackingRule().appendOrUpdate(fix, user: "cy", pending: &pending, now: 1_800_000_000) }
        #expect(pending.map(\.waitTime) == [600])
    }

    @Test func `a fix from a time when tracking was off is not stored, whenever it arrives`() async throws {
        let account = try await openAccount()
        try await Database.test.run { db throws in
            let store = TrackerStore()
            let now: Double = try db.query("SELECT trunc(extract(epoch FROM clock_timestamp())) AS now")[0].read("now")
            try store.start("ada", since: now - 600, account: account, on: db)
            _ = try store.stop("ada", account: account, on: db)
            // Tracking was on from -600 to -400, and from -100 on.
            try db.query(
                "UPDATE trackers SET on_times = on_times - tstzmultirange(tstzrange(to_timestamp(\(now - 400)), NULL))")
            try store.start("ada", since: now - 100, account: account, on: db)
            let fixes = [-601, -600, -401, -399, -101, -99, 0].map {
                UserFix(Fix(lat: 60, lng: 24, timestamp: now + $0), of: "ada")
            }
            let expected: [FixFate] = [.untracked, .taken, .taken, .untracked, .untracked, .taken, .taken]
            #expect(try recorded(fixes, account, on: db) == expected)
            // Starting again does not change the time since which tracking is on.
            let state = try store.tracker(of: "ada", account: account, on: db)
            try store.start("ada", account: account, on: db)
            #expect(try store.tracker(of: "ada", account: account, on: db)?.switchedAt == state?.switchedAt)
        }
    }

    @Test func `an uploaded location that changes is due again`() async throws {
        let account = try await openAccount()
        try await Database.test.run { db throws in
            let store = TrackerStore()
            try store.start("ada", since: 0, account: account, on: db)
            let first = UserFix(Fix(id: "1", lat: 60, lng: 24, timestamp: 1_700_000_000), of: "ada")
            let second = UserFix(Fix(id: "2", lat: 60, lng: 24, timestamp: 1_700_000_010), of: "ada")
            #expect(try recorded([first], account, on: db) == [.taken])
            try db.query("UPDATE pending_locations SET uploaded = true")
            #expect(try recorded([first], account, on: db) == [.repeated])
            #expect(try locations(of: "ada", account, on: db).map(\.uploaded) == [true])
            #expect(try recorded([second], account, on: db) == [.taken])
            #expect(try locations(of: "ada", account, on: db).map(\.uploaded) == [false])
        }
    }
}
