import DatabaseTesting
import Locations
import Postgres
import Testing
import Tracking
import TrackingTesting

/// The rows made by a history, compared with the rows that the fixes of a phone make.
@Suite(.database)
struct HistoryMergeTests {
    @Test(arguments: TrackVector.all)
    func `a history's fixes become the locations of the vectors`(_ vector: TrackVector) async throws {
        let account = try await openAccount()
        let settings = TrackerSettings(
            radius: vector.radius, topSpeed: vector.top_speed, longestGap: vector.longest_gap)
        var dice = Dice(seed: 3)
        for order in 0..<6 {
            let user = "user \(order)"
            let fixes = order == 0 ? vector.fixes : (vector.fixes + vector.fixes.prefix(order)).shuffled(using: &dice)
            let pieces = fixes.inPieces(of: [fixes.count, 1, 2, 3, 1, fixes.count][order])
            let (found, doubted) = try await Database.test.run { db throws in
                try TrackerStore().start(user, with: settings, account: account, on: db)
                try setStops(vector.stops ?? [], of: user, on: db)
                for piece in pieces { try record(piece, of: user, account, on: db) }
                return (try locations(of: user, account, on: db), try doubtedFixes(of: user, on: db))
            }
            #expect(found.map { .init(id: $0.id, wait_time: $0.waitTime) } == vector.locations, "order \(order)")
            #expect(doubted == vector.doubted.sorted(), "order \(order)")
        }
    }

    @Test(arguments: [true, false], [true, false])
    func `a history imported in any parts between live fixes gives the rows of live fixes alone`(
        keepsDoubted: Bool, hasSink: Bool
    ) async throws {
        let account = try await openAccount()
        var settings = TrackerSettings(keepsDoubted: keepsDoubted)
        if hasSink {
            try await openSink(account)
            settings.sink = .sink(named: "sink")
        }
        for seed in 1...60 {
            var dice = Dice(seed: UInt64(seed))
            let fixes = wandering(count: Int.random(in: 5...120, using: &dice), &dice)
            // In order, almost in order, or shuffled. Some fixes are repeated.
            var order = fixes + fixes.shuffled(using: &dice).prefix(10)
            switch seed % 3 {
            case 0: order.shuffle(using: &dice)
            case 1: order.swapAt(Int.random(in: 0..<order.count, using: &dice), 0)
            default: break
            }
            // Chooses the parts that are recorded live, for both users.
            let pieces = order.inPieces(of: Int.random(in: 1...60, using: &dice)).map { (live: dice.throwsHeads(), $0) }
            let (one, other) = ("live \(seed)", "history \(seed)")
            settings.longestGap = seed % 2 == 0 ? 300 : nil
            let rows = try await Database.test.transaction { [settings] db throws in
                for user in [one, other] {
                    try TrackerStore().start(user, since: 0, with: settings, account: account, on: db)
                    try setStops(seed % 5 == 0 ? [1_700_000_500] : [], of: user, on: db)
                }
                for (number, (isLive, piece)) in pieces.enumerated() {
                    if number % 3 == 1 {
                        try db.query("UPDATE pending_locations SET uploaded = true WHERE NOT removed")
                    }
                    _ = try recorded(piece.map { UserFix($0, of: one) }, account, on: db)
                    if isLive {
                        _ = try recorded(piece.map { UserFix($0, of: other) }, account, on: db)
                    } else {
                        try record(piece, of: other, account, on: db)
                    }
                }
                return (try stored(of: one, on: db), try stored(of: other, on: db))
            }
            #expect(rows.0 == rows.1, "seed \(seed)")
            #expect(!rows.0.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `a history between fixes of long stays gives the rows of live fixes alone`(keepsDoubted: Bool) async throws {
        let account = try await openAccount()
        var dice = Dice(seed: 9)
        // Ten stays of 150 fixes, far more than one read of the table returns.
        let fixes = (0..<1_500).map { number in
            Fix(
                id: "\(number)", lat: 60 + Double(number / 150) * 0.01 + Double.random(in: 0..<0.000_3, using: &dice),
                lng: 24, timestamp: 1_700_000_000 + Double(number) * 7)
        }
        let first = fixes.filter { _ in dice.throwsHeads() }
        let rest = Array((fixes + first.prefix(200)).shuffled(using: &dice).prefix(900))
        for (number, size) in [13, 150, 900].enumerated() {
            let rows = try await Database.test.transaction { db throws in
                for user in ["live \(number)", "history \(number)"] {
                    let settings = TrackerSettings(keepsDoubted: keepsDoubted)
                    try TrackerStore().start(user, since: 0, with: settings, account: account, on: db)
                }
                for piece in [first] + rest.inPieces(of: size) {
                    _ = try recorded(piece.map { UserFix($0, of: "live \(number)") }, account, on: db)
                    try record(piece, of: "history \(number)", account, on: db)
                }
                return (
                    try stored(of: "live \(number)", on: db), try stored(of: "history \(number)", on: db)
                )
            }
            #expect(rows.0 == rows.1, "pieces of \(size)")
        }
    }

    @Test func `the counts of a history equal those of live fixes`() async throws {
        let account = try await openAccount()
        for seed in 1...20 {
            var dice = Dice(seed: UInt64(seed))
            let fixes = wandering(count: 60, &dice)
            let settings = TrackerSettings(keepsDoubted: seed % 2 == 0)
            try await Database.test.transaction { db throws in
                for user in ["live \(seed)", "history \(seed)"] {
                    try TrackerStore().start(user, since: 0, with: settings, account: account, on: db)
                }
                for piece in (fixes + fixes.prefix(5)).inPieces(of: 13) {
                    let fates = try recorded(piece.map { UserFix($0, of: "live \(seed)") }, account, on: db)
                    let counts = try record(piece, of: "history \(seed)", account, on: db)
                    #expect(counts == Dictionary(grouping: fates, by: \.self).mapValues(\.count), "seed \(seed)")
                }
            }
        }
    }
}

@discardableResult
func record(
    _ fixes: [Fix], of user: String, _ account: Int, on database: isolated Connection
) throws -> [FixFate: Int] {
    try TrackerStore().recordHistory(fixes, of: user, account: account, on: database)
}

private func openSink(_ account: Int) async throws {
    try await Database.test.run { db throws in
        try db.query(
            """
            WITH lane AS (INSERT INTO lanes (name, batch, kind) VALUES ('upload', 1, 'upload') RETURNING id)
            INSERT INTO sinks (account, name, kind, lane) SELECT \(account)::integer, 'sink', 'file', id FROM lane
            """)
    }
}

/// All stored rows of a user, except the tracker's id and the times of changes.
func stored(of user: String, on database: isolated Connection) throws -> [String] {
    let tables: [SQL] = [
        """
        SELECT (to_jsonb(f) - 'tracker')::text AS row
        FROM fixes AS f JOIN trackers ON trackers.id = tracker WHERE user_id = \(user) ORDER BY at, f.id
        """,
        """
        SELECT (to_jsonb(l) - 'tracker' - 'changed_at')::text AS row
        FROM pending_locations AS l JOIN trackers ON trackers.id = tracker WHERE user_id = \(user) ORDER BY at, l.id
        """,
        """
        SELECT (to_jsonb(t) - 'id' - 'user_id' - 'on_times' || jsonb_build_object('job', job IS NOT NULL))::text AS row
        FROM trackers AS t WHERE user_id = \(user)
        """,
    ]
    return try tables.flatMap { try database.query($0).map { try $0.read("row", as: String.self) } }
}
