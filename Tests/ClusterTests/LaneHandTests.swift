import DatabaseTesting
import HTTP
import Postgres
import Queue
import Testing

@testable import Cluster

@Suite(.database)
struct LaneHandTests {
    private let now = ContinuousClock.now

    /// Three jobs as a claim returns them.
    private func jobs() async throws -> [Job] {
        try await Database.test.run { db throws in
            try db.run(script: "UPDATE lanes SET batch = 1, calls_per_worker = NULL")
            let ada = try ProcessRegistry().register(.worker, name: "ada", host: "here", pid: 1, on: db)
            _ = try JobQueue().enqueue([1, 2, 3], in: "gazetteer", on: db)
            return try JobQueue().claim(3, from: "gazetteer", for: ada, on: db).jobs.sorted { $0.id < $1.id }
        }
    }

    private func waiting(_ job: Job, in delay: Duration) -> LaneHand.Call {
        LaneHand.Call(job: job, question: 0, opens: now + delay, closes: nil)
    }

    @Test func `calls are taken when their slots open, the earliest first`() async throws {
        let jobs = try await jobs()
        var hand = LaneHand(capacity: 10)
        hand.add([
            waiting(jobs[0], in: .seconds(3)), waiting(jobs[1], in: .seconds(1)), waiting(jobs[2], in: .seconds(2)),
        ])
        #expect(hand.nextOpening == now + .seconds(1))
        #expect(hand.takeDue(now).isEmpty)
        #expect(hand.takeDue(now + .seconds(2)).map(\.job) == [jobs[1], jobs[2]])
        #expect(hand.takeDue(now + .seconds(2)).isEmpty)
        #expect(hand.takeWaiting().map(\.job) == [jobs[0]])
        #expect(hand.nextOpening == nil)
    }

    @Test func `results that are being stored leave room for as many calls`() async throws {
        let jobs = try await jobs()
        var hand = LaneHand(capacity: 3)
        hand.add(jobs.map { waiting($0, in: .zero) })
        #expect(hand.room == 0)
        let calls = hand.takeDue(now)
        for call in calls { hand.begin(call, at: now) }
        #expect(hand.room == 0)
        #expect(hand.end(calls[0].job.id, calls[0].departure) != nil)
        hand.save(calls[0].job.id, keepsPlace: true)
        #expect(hand.room == 0)
        #expect(Set(hand.jobs) == Set(jobs.map(\.id)))
        hand.saved([calls[0].job.id])
        #expect(hand.room == 1)
        for other in 101...104 { hand.save(other, keepsPlace: false) }
        #expect(hand.room == 0)
        hand.saved([101, 102, 103])
        #expect(hand.room == 1)
        #expect(Set(hand.jobs) == [calls[1].job.id, calls[2].job.id, 104])
        hand.saved([104])
        #expect(hand.room == 1)
        #expect(!hand.isEmpty)
    }

    @Test func `an overdue call is taken once, and its late result is ignored`() async throws {
        let jobs = try await jobs()
        var hand = LaneHand(capacity: 3)
        let calls = jobs.map { waiting($0, in: .zero) }
        hand.begin(calls[0], at: now)
        hand.begin(calls[1], at: now + .seconds(5))
        #expect(hand.oldestBeginning == now)
        #expect(hand.takeOverdue(begunBefore: now + .seconds(1)).map(\.job) == [jobs[0]])
        #expect(hand.takeOverdue(begunBefore: now + .seconds(1)).isEmpty)
        #expect(hand.end(jobs[0].id, calls[0].departure) == nil)
        #expect(hand.end(jobs[1].id, calls[2].departure) == nil)
        #expect(hand.end(jobs[1].id, calls[1].departure) != nil)
    }
}
