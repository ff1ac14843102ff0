import DatabaseTesting
import HTTP
import Polling
import Postgres
import Questions
import Queue
import Testing

@testable import Cluster

/// A call that only reports that it was made.
private struct Roll: LaneWork {
    let lane = "gazetteer"
    let called: AsyncStream<Int>.Continuation

    func questions(of jobs: [Job], on database: isolated Connection) throws -> [Job.ID: Int] {
        Dictionary(uniqueKeysWithValues: jobs.map { ($0.id, $0.subjects[0]) })
    }

    func call(_ subject: Int, _ departure: Departure) async -> Reply<Void> {
        guard departure.leave() else { return Reply(.void) }
        called.yield(subject)
        return Reply(.done())
    }

    func store(_ ends: [JobEnd<Void>], successors: [QueuedJob], givenUp: [Int], on database: isolated Connection) throws
    {}
}

@Suite(.database)
struct WakeUpTests {
    /// If `poll` is long, only a notification can wake the worker.
    private func idle(
        _ database: Database, _ called: AsyncStream<Int>.Continuation, named name: String,
        poll: Duration = .seconds(86_400)
    ) -> Worker {
        Worker(
            name: name, database: database, works: [Roll(called: called)], registry: ProcessRegistry(), callsAtOnce: 2,
            poll: poll, log: silent)
    }

    private func enqueue(_ subject: Int, in database: Database) async throws {
        for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
        _ = try await database.transaction { try JobQueue().enqueue([subject], in: "gazetteer", on: $0) }
    }

    @Test func `a worker that starts among many claims once, so that its statements are planned before there is work`()
        async throws
    {
        let database = try Database.test
        try await database.run { db throws in
            for number in 1...20 {
                _ = try ProcessRegistry().register(
                    .worker, name: "\(number)", host: "elsewhere", pid: number, lanes: ["gazetteer"], on: db)
            }
        }
        let (_, called) = AsyncStream.makeStream(of: Int.self)
        try await with(idle(database, called, named: "ada", poll: .seconds(1))) { () async throws in
            // A claim that finds nothing leaves a mark.
            try await pollUntil {
                try await database.run { try !$0.query("SELECT FROM sleepers").isEmpty }
            }
        }
    }

    @Test func `no wake-up is lost, in any order of enqueues, claims and sleep`() async throws {
        let database = try Database.test
        let clients = Database(url: try Database.testURL, options: .init(size: 3))
        try await setLane("batch = 1, calls_per_worker = NULL", on: database)
        let (calls, called) = AsyncStream.makeStream(of: Int.self)
        try await with(idle(database, called, named: "ada")) { () async throws in
            try await with(idle(database, called, named: "bob")) { () async throws in
                for round in 0..<100 {
                    let subjects = Set((1...3).map { round * 3 + $0 })
                    try await withThrowingTaskGroup { group in
                        for subject in subjects { group.addTask { try await enqueue(subject, in: clients) } }
                        try await group.waitForAll()
                    }
                    var missing = subjects
                    for await subject in calls {
                        missing.remove(subject)
                        if missing.isEmpty { break }
                    }
                }
            }
        }
        await clients.close()
    }

    @Test func `the lookout finds a job without a notification`() async throws {
        let database = try Database.test
        try await setLane("batch = 1, calls_per_worker = NULL", on: database)
        let (calls, called) = AsyncStream.makeStream(of: Int.self)
        try await with(idle(database, called, named: "ada", poll: .milliseconds(10))) { () async throws in
            try await pollUntil {
                try await database.run { try $0.query("SELECT FROM sleepers").count > 0 }
            }
            for subject in 1...5 {
                try await database.query(
                    """
                    INSERT INTO jobs (lane, subjects)
                    SELECT id, ARRAY[\(subject)::bigint] FROM lanes WHERE name = 'gazetteer'
                    """)
                for await found in calls where found == subject { break }
            }
        }
    }

    @Test func `workers that start together make their first looks one after another`() {
        // 200 workers that start after 200 others were killed: the dead ones count too.
        let waits = (0..<200).map { _ in Lookout.wait(in: 50, isFirst: true) }
        for second in 0..<10 {
            let looks = waits.count { Int($0) == second }
            #expect((2...60).contains(looks), "\(looks) looks in second \(second)")
        }
        #expect((0..<200).allSatisfy { _ in (5...15).contains(Lookout.wait(in: 50, isFirst: false)) })
    }

    @Test func `a worker without notifications looks often while it finds jobs, and then less and less often`() {
        var pace = Lookout.pace(after: 1, hasJobs: true)
        #expect(pace == 0.03125)
        for share in [0.0625, 0.125, 0.25, 0.5, 1, 1] {
            pace = Lookout.pace(after: pace, hasJobs: false)
            #expect(pace == share)
        }
    }

    @Test func `a job locked by another session is claimed when the lock is released`() async throws {
        let database = try Database.test
        try await setLane("batch = 1, calls_per_worker = NULL", on: database)
        let (calls, called) = AsyncStream.makeStream(of: Int.self)
        let (locked, over) = (Rendezvous(of: 2), Rendezvous(of: 2))
        try await enqueue(1, in: database)
        let stranger = Task {
            try await database.transaction { db in
                try db.query("SELECT FROM jobs FOR UPDATE")
                locked.arriveAndWait()
                over.arriveAndWait()
            }
        }
        await locked.arrive()
        try await with(idle(database, called, named: "ada")) { () async throws in
            await over.arrive()
            for await _ in calls { break }
        }
        try await stranger.value
    }
}
