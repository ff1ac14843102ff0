import DatabaseTesting
import Locations
import Postgres
import Testing
import Tracking
import TrackingTesting

@Suite(.database)
struct HistoryImportTests {
    @Test func `a repeated import stores nothing twice, and an interrupted one resumes`() async throws {
        let account = try await openAccount()
        var dice = Dice(seed: 5)
        let fixes = wandering(count: 400, &dice)
        let database = try Database.test
        // The first import is interrupted in the middle of the file.
        await #expect(throws: Interrupted.self) {
            try await imported(fixes, failingAfter: 250, into: "ada", account)
        }
        let half = try await database.run { try rows("SELECT FROM fixes", on: $0).count }
        #expect(half > 0 && half < 400)
        let second = try await imported(fixes, into: "ada", account)
        #expect(second.counts[.repeated] == half && second.counts.values.reduce(0, +) == 400)
        #expect(second.counts[.refused(.tooFast)] == nil)
        let before = try await database.run { try stored(of: "ada", on: $0) }
        let written = try await database.run { try transactions(on: $0) }
        let third = try await imported(fixes, into: "ada", account)
        #expect(third.counts == [.repeated: 400])
        let after = try await database.run { try stored(of: "ada", on: $0) }
        #expect(before == after)
        #expect(try await database.run { try transactions(on: $0) } == written)
    }

    @Test func `a history does not turn a tracker on, and does not admit a phone's fixes of that time`() async throws {
        let account = try await openAccount()
        var dice = Dice(seed: 6)
        let fixes = wandering(count: 50, &dice)
        _ = try await imported(fixes, into: "ada", account)
        try await Database.test.run { db throws in
            let tracker = try #require(try TrackerStore().tracker(of: "ada", account: account, on: db))
            #expect(!tracker.isOn)
            let late = UserFix(Fix(id: "late", lat: 60, lng: 24, timestamp: fixes[10].timestamp), of: "ada")
            #expect(try recorded([late], account, on: db) == [.refused(.off)])
            try TrackerStore().start("ada", account: account, on: db)
            #expect(try recorded([late], account, on: db) == [.refused(.untracked)])
            #expect(try rows("SELECT FROM fixes", on: db).count == 50)
        }
    }

    @Test func `impossible fixes are refused with their reasons, and the others stored`() async throws {
        let account = try await openAccount()
        let good = Fix(id: "a", lat: 60, lng: 24, timestamp: 1_700_000_000)
        let bad = [
            Fix(lat: 0, lng: 0, timestamp: 1_700_000_000), Fix(lat: 91, lng: 0, timestamp: 1_700_000_000),
            Fix(lat: 60, lng: 24, timestamp: 10), Fix(lat: 60, lng: 24, timestamp: 4_000_000_000),
            Fix(lat: 60, lng: 24, timestamp: 1_700_000_000, waitTime: -1),
        ]
        var reasons: [String] = []
        let progress = try await imported([good] + bad, into: "ada", account) { reasons.append($1) }
        #expect(progress.refused == 5 && progress.counts == [.taken: 1])
        #expect(
            reasons
                == [
                    FixProblem.nullIsland, .notOnEarth, .tooOld, .inTheFuture, .invalidWaitTime,
                ].map(\.explanation))
    }

    @Test(arguments: FixProblem.allCases)
    func `each problem of a fix is a reason for a refusal`(_ problem: FixProblem) {
        #expect(FixRefusal(rawValue: problem.rawValue) != nil)
    }

    @Test func `live fixes are stored between two parts of a history`() async throws {
        let account = try await openAccount()
        var dice = Dice(seed: 7)
        let fixes = wandering(count: 2_000, &dice)
        let database = try Database.test
        try await database.run { db throws in
            for user in ["ada", "bob"] { try TrackerStore().start(user, since: 0, account: account, on: db) }
        }
        // Each part waits until both live fixes of its turn are stored. So no live fix waits for the end of the
        // history.
        let (turns, turn) = AsyncStream.makeStream(of: Int.self)
        let lives = Task {
            for await part in turns {
                let live = ["ada", "bob"].map {
                    UserFix(Fix(id: "live \(part)", lat: 60, lng: 24, timestamp: 1_710_000_000 + Double(part)), of: $0)
                }
                let fates = try await database.run { try recorded(live, account, on: $0) }
                #expect(fates == [.taken, .taken])
            }
        }
        var parts = 0
        _ = try await imported(fixes, into: "ada", account, partSize: 100) { _, _ in
        } onProgress: { _ in
            parts += 1
            turn.yield(parts)
        }
        turn.finish()
        try await lives.value
        let count = parts
        #expect(count >= 20)
        try await database.run { db throws in
            #expect(try rows("SELECT FROM fixes WHERE id LIKE 'live %'", on: db).count == count * 2)
        }
    }

    @Test func `while a part of a history is being stored, another user's fixes are stored at once`() async throws {
        let account = try await openAccount()
        let database = try Database.test
        try await database.run { db throws in
            for user in ["ada", "bob"] { try TrackerStore().start(user, since: 0, account: account, on: db) }
        }
        let (stored, over) = (Rendezvous(of: 2), Rendezvous(of: 2))
        async let part: Void = database.transaction { db throws in
            try record([Fix(id: "a", lat: 60, lng: 24, timestamp: 1_700_000_000)], of: "ada", account, on: db)
            stored.arriveAndWait()
            over.arriveAndWait()
        }
        await stored.arrive()
        let live = UserFix(Fix(id: "b", lat: 60, lng: 24, timestamp: 1_700_000_000), of: "bob")
        let fates = try await database.transaction { db throws in
            try db.run(script: "SET LOCAL lock_timeout = '2s'")
            return try recorded([live], account, on: db)
        }
        #expect(fates == [.taken])
        await over.arrive()
        try await part
    }
}

/// The transactions that wrote the rows.
private func transactions(on database: isolated Connection) throws -> [String] {
    try database.query(
        """
        SELECT xmin::text FROM fixes UNION SELECT xmin::text FROM pending_locations UNION SELECT xmin::text FROM trackers
        ORDER BY 1
        """
    ).map { try $0.read("xmin") }
}

/// Imports fixes as if they came from a file.
@discardableResult
private func imported(
    _ fixes: [Fix], failingAfter limit: Int? = nil, into user: String, _ account: Int, partSize: Int = 100,
    _ onRefusal: (Int, String) -> Void = { _, _ in }, onProgress: (HistoryImport.Progress) -> Void = { _ in }
) async throws -> HistoryImport.Progress {
    let database = try Database.test
    _ = try await database.run { try TrackerStore().makeTracker(of: user, account: account, on: $0) }
    var work = HistoryImport(into: user, account: account, database: database)
    work.partSize = partSize
    var reader: any HistoryReader = ListedHistory(fixes, failingAfter: limit)
    return try await work.run(&reader, onRefusal: onRefusal, onProgress: onProgress)
}

private struct Interrupted: Error {}

private struct ListedHistory: HistoryReader {
    private let fixes: [Fix]
    private let limit: Int?
    private var line = 0

    init(_ fixes: [Fix], failingAfter limit: Int?) { (self.fixes, self.limit) = (fixes, limit) }

    var bytesRead: Int { line }

    mutating func next() throws -> HistoryEntry? {
        if line == limit { throw Interrupted() }
        guard line < fixes.count else { return nil }
        line += 1
        return .fix(line: line, fixes[line - 1])
    }
}
