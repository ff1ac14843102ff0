import Foundation
import Testing
import TrackingTesting

@testable import Tracking

@Suite struct TrackTests {
    static let now = 1_800_000_000.0

    @Test(arguments: TrackVector.all)
    func `fixes become the locations of the vectors`(_ vector: TrackVector) {
        let (pending, outcomes) = track(vector.fixes, by: vector.rule)
        #expect(pending.map { .init(id: $0.id, wait_time: $0.waitTime) } == vector.locations)
        // Checks the outcome of the last fix. Earlier fixes may have been believed until a later one came.
        if let last = vector.fixes.last, outcomes.last == .doubted { #expect(vector.doubted.contains(last.id)) }
    }

    @Test(arguments: TrackVector.all)
    func `fixes in any order and repetition give the same locations`(_ vector: TrackVector) {
        var dice = Dice(seed: 7)
        for _ in 0..<50 {
            let fixes = (vector.fixes + vector.fixes.filter { _ in dice.throwsHeads() }).shuffled(using: &dice)
            #expect(shown(track(fixes, by: vector.rule).pending) == shown(track(vector.fixes, by: vector.rule).pending))
        }
    }

    @Test func `any order of a wandering phone's fixes gives the same locations and loses no time`() {
        for seed in 1...200 {
            var dice = Dice(seed: UInt64(seed))
            let fixes = wandering(count: 30, &dice)
            // The longest gap is a time for which wandering phones are sometimes silent.
            let rule = TrackingRule(
                longestGap: seed % 2 == 0 ? 300 : 43_200, stops: seed % 3 == 0 ? [1_700_000_500] : [])
            let expected = track(fixes, by: rule).pending
            for _ in 0..<5 {
                let shuffled = (fixes + fixes.prefix(6)).shuffled(using: &dice)
                let found = track(shuffled, by: rule).pending
                #expect(shown(found) == shown(expected), "seed \(seed)")
                #expect(found.reduce(0) { $0 + $1.waitTime } == expected.reduce(0) { $0 + $1.waitTime })
            }
            // A location ends before the next one begins, unless the phone itself reported a wait time.
            guard !fixes.contains(where: { $0.waitTime > 0 }) else { continue }
            for (one, next) in zip(expected, expected.dropFirst()) {
                #expect(one.timestamp + one.waitTime <= next.timestamp)
            }
        }
    }

    @Test(arguments: 1...5)
    func `two days of nine stays give at most twelve, whatever noise and strays there are`(_ seed: UInt64) {
        let fixes = twoDaysOfNineStays(seed: seed)
        var walk = TrackWalk(rule: TrackingRule())
        for fix in fixes { walk.add(fix) }
        #expect((9...12).contains(walk.stays.count { $0.waitTime >= 600 }))
    }

    @Test func `a repeated fix with a longer wait extends it`() {
        var pending: [PendingLocation] = []
        let rule = TrackingRule()
        rule.appendOrUpdate(fix(0, wait: 10), user: "ada", pending: &pending, now: Self.now)
        #expect(rule.appendOrUpdate(fix(0, wait: 10), user: "ada", pending: &pending, now: Self.now) == .repeated)
        #expect(rule.appendOrUpdate(fix(0, wait: 30), user: "ada", pending: &pending, now: Self.now) == .taken)
        #expect(rule.appendOrUpdate(fix(0, wait: 20), user: "ada", pending: &pending, now: Self.now) == .repeated)
        #expect(pending.map(\.waitTime) == [30])
    }

    @Test func `a changed location is due again, and an unchanged one is not`() {
        var pending = track([fix(0), fix(60, lat: 60.1)]).pending
        for location in pending { pending.confirm(location) }
        #expect(pending.due.isEmpty)

        TrackingRule().appendOrUpdate(fix(90, lat: 60.1), user: "ada", pending: &pending, now: Self.now)
        #expect(pending.map(\.uploaded) == [true, false])
    }

    @Test func `a location that changed during its upload stays due`() {
        var pending = track([fix(0)]).pending
        let sent = pending[0]
        TrackingRule().appendOrUpdate(fix(30), user: "ada", pending: &pending, now: Self.now)
        pending.confirm(sent)
        #expect(pending.map(\.uploaded) == [false])
        pending.confirm(pending[0])
        #expect(pending.map(\.uploaded) == [true])
    }

    @Test func `a location replaced by an earlier beginning is deleted at the backend`() throws {
        var pending = track([fix(0), fix(100, lat: 60.1)]).pending
        for location in pending { pending.confirm(location) }
        TrackingRule().appendOrUpdate(fix(90, lat: 60.1), user: "ada", pending: &pending, now: Self.now)

        #expect(pending.map(\.removed) == [false, false, true])
        #expect(pending.due.map(\.timestamp) == [1_700_000_090, 1_700_000_100])
        pending.confirm(try #require(pending.last))
        #expect(pending.map(\.timestamp) == [1_700_000_000, 1_700_000_090])
        #expect(pending.last?.waitTime == 10)
    }

    @Test func `uploaded locations are deleted, except the last`() {
        var pending = track([fix(0), fix(1_000, lat: 60.1), fix(2_000), fix(3_000, lat: 60.1)]).pending
        for location in pending where location.timestamp != 1_700_001_000 { pending.confirm(location) }
        pending.forgetUploaded(before: 1_800_000_000)
        #expect(pending.map(\.timestamp) == [1_700_001_000, 1_700_003_000])
    }

    @Test func `a location that turned out to be a stray is deleted at the backend`() throws {
        var pending = track([fix(0), fix(60, lat: 60.1)]).pending
        for location in pending { pending.confirm(location) }
        TrackingRule().appendOrUpdate(fix(120), user: "ada", pending: &pending, now: Self.now)
        #expect(pending.map(\.removed) == [false, true])
        #expect(pending.map(\.waitTime).first == 120)
        #expect(pending.due.count == 2)
    }

    @Test func `a pending location is read from the cluster's JSON, with its time as text`() throws {
        let json = """
            [{"id":"a","user":"ada","lat":60.17,"lng":24.94,"accuracy":5,"timestamp":"2023-11-14T22:13:20.250Z","wait_time":90,
              "uploaded":true,"place":"Aleksanterinkatu"}]
            """
        let read = try JSONDecoder().decode([PendingLocation].self, from: Data(json.utf8))
        #expect(read.map(\.timestamp) == [1_700_000_000.25])
        #expect(read.map(\.waitTime) == [90])
        let again = try JSONDecoder().decode([PendingLocation].self, from: JSONEncoder().encode(read))
        #expect(again == read)
    }

    @Test(arguments: [
        (Fix(lat: .nan, lng: 0, timestamp: 1_700_000_000), FixProblem.notOnEarth),
        (Fix(lat: 91, lng: 0, timestamp: 1_700_000_000), .notOnEarth),
        (Fix(lat: 0, lng: -.infinity, timestamp: 1_700_000_000), .notOnEarth),
        (Fix(lat: 0, lng: 0, timestamp: 1_700_000_000), .nullIsland),
        (Fix(lat: 1, lng: 1, accuracy: -1, timestamp: 1_700_000_000), .invalidAccuracy),
        (Fix(lat: 1, lng: 1, accuracy: .nan, timestamp: 1_700_000_000), .invalidAccuracy),
        (Fix(lat: 1, lng: 1, timestamp: 0), .tooOld),
        (Fix(lat: 1, lng: 1, timestamp: .nan), .tooOld),
        (Fix(lat: 1, lng: 1, timestamp: 1_800_000_301), .inTheFuture),
        (Fix(lat: 1, lng: 1, timestamp: .infinity), .inTheFuture),
        (Fix(lat: 1, lng: 1, timestamp: 1_700_000_000, waitTime: -1), .invalidWaitTime),
        (Fix(lat: 1, lng: 1, timestamp: 1_700_000_000, waitTime: .nan), .invalidWaitTime),
        (Fix(lat: 1, lng: 1, timestamp: 1_700_000_000, waitTime: 100_000_301), .invalidWaitTime),
    ])
    func `an impossible fix is refused`(_ fix: Fix, _ problem: FixProblem) {
        var pending: [PendingLocation] = []
        let outcome = TrackingRule().appendOrUpdate(fix, user: "ada", pending: &pending, now: Self.now)
        #expect(outcome == .refused(problem))
        #expect(pending.isEmpty)
    }

    @Test func `a fix without an id gets one from the user, the time and the place`() {
        let fix = Fix(lat: 1, lng: 2, timestamp: 1_700_000_000)
        let id = fix.derivedID(user: "ada")
        // The id is stored, so it must never change.
        #expect(id == "OMD645nKSnfMqNMpuUsH")
        #expect(id.utf8.count == 20)
        #expect(id == Fix(lat: 1, lng: 2, timestamp: 1_700_000_000).derivedID(user: "ada"))
        let others = [
            fix.derivedID(user: "bob"), Fix(lat: 2, lng: 2, timestamp: 1_700_000_000).derivedID(user: "ada"),
            Fix(lat: 1, lng: 3, timestamp: 1_700_000_000).derivedID(user: "ada"),
            Fix(lat: 1, lng: 2, timestamp: 1_700_000_001).derivedID(user: "ada"),
        ]
        #expect(Set(others + [id]).count == 5)
    }

    // MARK: - What the tests share

    private func fix(_ time: Double, lat: Double = 60, wait: Double = 0) -> Fix {
        Fix(lat: lat, lng: 24, timestamp: 1_700_000_000 + time, waitTime: wait)
    }

    private func track(
        _ fixes: [Fix], by rule: TrackingRule = TrackingRule()
    ) -> (pending: [PendingLocation], outcomes: [FixOutcome]) {
        var pending: [PendingLocation] = []
        let outcomes = fixes.map { rule.appendOrUpdate($0, user: "ada", pending: &pending, now: Self.now) }
        // Nothing was uploaded meanwhile. Locations that got an earlier beginning are deleted at the backend.
        return (pending.filter { !$0.removed }, outcomes)
    }

    private func shown(_ pending: [PendingLocation]) -> [[String]] {
        pending.map {
            ["\($0.id)", "\($0.lat)", "\($0.lng)", "\($0.timestamp)", "\($0.waitTime)", "\($0.fixes.map(\.id))"]
        }
    }
}
