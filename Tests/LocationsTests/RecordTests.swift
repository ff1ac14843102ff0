import DatabaseTesting
import Foundation
import Locations
import Postgres
import ServerTesting
import Testing
import Tracking
import TrackingTesting

/// The stored rows, compared with the rule for apps and with a walk through all fixes.
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

    @Test(arguments: [true, false])
    func `after each piece the rows are those of a walk through all fixes`(keepsDoubted: Bool) async throws {
        let account = try await openAccount()
        for seed in 1...60 {
            var dice = Dice(seed: UInt64(seed))
            let fixes = wandering(count: Int.random(in: 5...400, using: &dice), &dice)
            var order = fixes + fixes.shuffled(using: &dice).prefix(10)
            switch seed % 3 {
            case 0: order.shuffle(using: &dice)
            case 1: order.swapAt(Int.random(in: 0..<order.count, using: &dice), 0)
            default: break
            }
            let pieces = order.inPieces(of: Int.random(in: 1...60, using: &dice))
            let rule = TrackingRule(
                longestGap: seed % 2 == 0 ? 300 : 43_200, stops: seed % 5 == 0 ? [1_700_000_500] : [])
            var whole = WholeWalk(rule, keepsDoubted: keepsDoubted)
            let expected = pieces.map { whole.rows(after: $0) }
            try await Database.test.transaction { db throws in
                let settings = TrackerSettings(longestGap: rule.longestGap, keepsDoubted: keepsDoubted)
                let user = "user \(seed)"
                try TrackerStore().start(user, since: 0, with: settings, account: account, on: db)
                try setStops(rule.stops, of: user, on: db)
                for (number, piece) in pieces.enumerated() {
                    _ = try recorded(piece.map { UserFix($0, of: user) }, account, on: db)
                    let found = try WholeWalk.rows(of: user, on: db)
                    #expect(found == expected[number], "seed \(seed), piece \(number)")
                    if found != expected[number] { break }
                }
            }
        }
    }

    @Test func `new and late fixes of several users are stored in two round trips`() async throws {
        let account = try await openAccount()
        let distant = try DistantServer(to: Database.testURL, roundTrip: .zero)
        defer { distant.close() }
        let database = Database(url: distant.url, options: .init(size: 1))
        let users = (0..<3).map { "user \($0)" }
        try await database.run { db throws in
            for user in users { try TrackerStore().start(user, since: 0, account: account, on: db) }
        }
        for times in [[100.0, 200], [300], [150, 250, 400]] {
            let before = distant.piecesSent
            let fixes = users.flatMap { user in
                times.map { UserFix(Fix(lat: 60, lng: 24, timestamp: 1_700_000_000 + $0), of: user) }
            }
            let fates = try await database.run { try recorded(fixes, account, on: $0) }
            #expect(fates.allSatisfy { $0 == .taken })
            #expect(distant.piecesSent - before == 2)
        }
        await database.close()
    }

    /// The fourth fix begins a location at the second one, because it comes too late after it. The fifth lies between
    /// them in time, and shows that the second and the third are strays.
    @Test func `a fix that is late, but newer than the start of the newest location, can turn it into strays`()
        async throws
    {
        let account = try await openAccount()
        let fixes = [(0.0, 60.0), (1, 60.01), (2, 60.01), (523, 60.02), (61, 60)].enumerated().map { number, fix in
            Fix(id: "\(number)", lat: fix.1, lng: 24, timestamp: 1_700_000_000 + fix.0)
        }
        try await Database.test.transaction { db throws in
            for (number, order) in permutations(of: fixes).enumerated() {
                let user = "user \(number)"
                try TrackerStore().start(user, since: 0, account: account, on: db)
                for fix in order { _ = try recorded([UserFix(fix, of: user)], account, on: db) }
                let found = try locations(of: user, account, on: db)
                #expect(found.map { "\($0.id) \($0.waitTime)" } == ["0 61.0", "3 0.0"], "\(order.map(\.id))")
            }
        }
    }

    @Test func `new fixes many days apart are merged among thousands of stored ones`() async throws {
        let account = try await openAccount()
        var dice = Dice(seed: 5)
        // A fix each ten minutes for 30 days, at a place for an hour and a half.
        let fixes = (0..<4_320).map { number in
            Fix(
                id: "\(number)", lat: 60 + Double(number / 9 % 40) * 0.01, lng: 24,
                timestamp: 1_700_000_000 + Double(number) * 600)
        }
        let late = fixes.filter { _ in Int.random(in: 0..<700, using: &dice) == 0 }
        let first = fixes.filter { fix in !late.contains(fix) }
        var whole = WholeWalk(TrackingRule(), keepsDoubted: true)
        _ = whole.rows(after: first)
        let expected = whole.rows(after: late)
        let found = try await Database.test.transaction { db throws in
            try TrackerStore().start("ada", since: 0, account: account, on: db)
            _ = try recorded(first.map { UserFix($0, of: "ada") }, account, on: db)
            let fates = try recorded((late + first.suffix(3)).map { UserFix($0, of: "ada") }, account, on: db)
            #expect(fates == late.map { _ in .taken } + [.repeated, .repeated, .repeated])
            return try WholeWalk.rows(of: "ada", on: db)
        }
        #expect(late.count > 3)
        #expect(found == expected)
    }

    @Test func `two days of nine stays, out of order, give the same stays as in Swift`() async throws {
        let account = try await openAccount()
        var dice = Dice(seed: 4)
        let fixes = twoDaysOfNineStays(seed: 4)
        var walk = TrackWalk(rule: TrackingRule())
        for fix in fixes { walk.add(fix) }
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

            #expect(try recorded([UserFix(here, of: "ada")], account, on: db) == [.refused(.noTracker)])
            try store.start("ada", since: 0, account: account, on: db)
            #expect(
                try recorded([UserFix(here, of: "ada"), UserFix(here, of: "bob")], account, on: db) == [
                    .taken, .refused(.noTracker),
                ])
            #expect(
                try recorded([UserFix(here, of: "ada"), UserFix(far, of: "ada")], account, on: db) == [
                    .repeated, .doubted,
                ])
            #expect(try store.stop("ada", account: account, on: db))
            let later = Fix(id: "3", lat: 60, lng: 24, timestamp: 1_700_000_020)
            #expect(try recorded([UserFix(later, of: "ada")], account, on: db) == [.refused(.off)])
            #expect(try rows("SELECT id FROM fixes", on: db).count == 2)
            try store.start("ada", since: 0, with: TrackerSettings(keepsDoubted: false), account: account, on: db)
            let farther = Fix(id: "4", lat: 65, lng: 24, timestamp: 1_700_000_020)
            #expect(
                try recorded([UserFix(farther, of: "ada"), UserFix(later, of: "ada")], account, on: db) == [
                    .refused(.tooFast), .taken,
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
            // The first moment of a period counts, and the moment of its end does not.
            let fixes = [-601, -600, -401, -400, -399, -101, -100, 0].map {
                UserFix(Fix(lat: 60, lng: 24, timestamp: now + $0), of: "ada")
            }
            let expected: [FixFate] = [
                .refused(.untracked), .taken, .taken, .refused(.untracked), .refused(.untracked), .refused(.untracked),
                .taken, .taken,
            ]
            #expect(try recorded(fixes, account, on: db) == expected)
            // Starting again does not change the time since which tracking is on.
            let state = try store.tracker(of: "ada", account: account, on: db)
            try store.start("ada", account: account, on: db)
            #expect(try store.tracker(of: "ada", account: account, on: db)?.switchedAt == state?.switchedAt)
        }
    }

    @Test func `an uploaded or refused location that changes is due again`() async throws {
        let account = try await openAccount()
        try await Database.test.run { db throws in
            let store = TrackerStore()
            try store.start("ada", since: 0, account: account, on: db)
            let first = UserFix(Fix(id: "1", lat: 60, lng: 24, timestamp: 1_700_000_000), of: "ada")
            let second = UserFix(Fix(id: "2", lat: 60, lng: 24, timestamp: 1_700_000_010), of: "ada")
            #expect(try recorded([first], account, on: db) == [.taken])
            try db.query("UPDATE pending_locations SET uploaded = true, refusal = 'too long'")
            #expect(try recorded([first], account, on: db) == [.repeated])
            #expect(try locations(of: "ada", account, on: db).map(\.uploaded) == [true])
            #expect(try recorded([second], account, on: db) == [.taken])
            #expect(try locations(of: "ada", account, on: db).map(\.uploaded) == [false])
            #expect(try db.query("SELECT FROM pending_locations WHERE refusal IS NOT NULL").isEmpty)
        }
    }
}

private func permutations(of fixes: [Fix]) -> [[Fix]] {
    if fixes.isEmpty { return [[]] }
    return fixes.indices.flatMap { index in
        var rest = fixes
        let fix = rest.remove(at: index)
        return permutations(of: rest).map { [fix] + $0 }
    }
}
