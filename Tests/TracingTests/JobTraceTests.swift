import DatabaseTesting
import Polling
import Postgres
import Processes
import Questions
import Queue
import Testing

@testable import Cluster
@testable import HTTP

/// The trace of a job, in the queue and in a worker.
@Suite(.database)
struct JobTraceTests {
    private let queue = JobQueue()
    private let first = SpanContext(trace: TraceID(high: 1, low: 1), isSampled: true, state: "a=1,b=2")
    private let second = SpanContext(trace: TraceID(high: 2, low: 2), isSampled: true)

    private func traces(on database: isolated Connection) throws -> [String?] {
        try database.query("SELECT trace FROM jobs ORDER BY id").map { try $0.readIfPresent("trace") }
    }

    private func worker(on database: isolated Connection) throws -> WorkerID {
        try ProcessRegistry().register(.worker, name: "ada", host: "here", pid: 1, on: database)
    }

    @Test func `jobs belong to the trace in which they are enqueued, in every way`() async throws {
        try await Database.test.run { db throws in
            try db.query("UPDATE lanes SET batch = 2, calls_per_worker = NULL WHERE name = 'gazetteer'")
            _ = try queue.enqueue([1], in: "gazetteer", on: db)
            try db.queueJobs(inTrace: first.text)
            _ = try queue.enqueue([2, 3, 4], in: "gazetteer", on: db)
            try db.queueJobs(inTrace: second.text)
            let number = try queue.reserve(forAtMost: 1, in: "gazetteer", on: db).jobs[0]
            try queue.enqueue([(job: number, subject: 5)], in: "gazetteer", on: db)
            try db.queueJobs(inTrace: nil)
            _ = try queue.enqueue([6], in: "gazetteer", on: db)
            #expect(try traces(on: db) == [nil, first.text, first.text, second.text, nil])
            let claim = try queue.claim(10, from: "gazetteer", for: worker(on: db), on: db)
            #expect(
                claim.jobs.sorted { $0.id < $1.id }.map(\.trace) == [nil, first.text, first.text, second.text, nil])
        }
    }

    @Test func `the successors of a job keep its trace, whoever ends it`() async throws {
        let registry = ProcessRegistry(silenceLimit: .zero)
        try await Database.test.run { db throws in
            try queue.prepareLane("other", batch: 10, limits: [], attribution: "", on: db)
            try db.query("UPDATE lanes SET batch = 4 WHERE name = 'gazetteer'")
            try db.queueJobs(inTrace: first.text)
            _ = try queue.enqueue([1, 2, 3, 4], in: "gazetteer", on: db)
            // The worker has no trace, or another one.
            try db.queueJobs(inTrace: second.text)
            let ada = try worker(on: db)
            let job = try #require(try queue.claim(1, from: "gazetteer", for: ada, on: db).jobs.first)
            let report = JobReport(job, .moved([LeftOver(1, lane: "other"), LeftOver(2), LeftOver(3), LeftOver(4)]))
            _ = try queue.finish([report], in: "gazetteer", by: ada, on: db)
            #expect(try traces(on: db) == [first.text, first.text])
            // The worker vanishes with a job of three subjects, which is split.
            _ = try queue.claim(1, from: "gazetteer", for: ada, on: db)
            try db.query("DELETE FROM workers")
            _ = try registry.rescue(on: db)
            #expect(try traces(on: db) == [first.text, first.text, first.text])
        }
    }

    /// The spans of a worker that answers all questions of these jobs.
    private func spans(
        of jobs: [(SpanContext?, [Int])], batch: Int, tracer: Tracer = Tracer()
    ) async throws -> [Span] {
        let database = try Database.test
        try await database.run { db throws in
            try db.query("UPDATE lanes SET batch = \(batch)::integer, calls_per_worker = NULL WHERE name = 'gazetteer'")
            for (trace, subjects) in jobs {
                try db.queueJobs(inTrace: trace?.text)
                _ = try queue.enqueue(subjects, in: "gazetteer", on: db)
            }
        }
        let worker = Worker(
            name: "ada", database: database, works: [Echo()], registry: ProcessRegistry(), callsAtOnce: 1_000,
            log: Log(format: .logfmt) { _ in }, tracer: tracer)
        let working = Task { try await worker.run {} }
        try await pollUntil { try await database.run { try $0.query("SELECT FROM jobs").isEmpty } }
        working.cancel()
        try await working.value
        var spans: [Span] = []
        while case let more = tracer.drain(), !more.isEmpty { spans += more }
        return spans
    }

    @Test func `a call with five hundred questions is one call`() async throws {
        let spans = try await spans(of: [(first, Array(1...500))], batch: 500)
        #expect(Set(spans.map(\.name)) == Set(["wait", "job", "claim", "call", "record"].map { "\($0) gazetteer" }))
        #expect(spans.count == 5)
        #expect(spans.allSatisfy { $0.links.isEmpty && $0.context.state == "a=1,b=2" })
        let job = try #require(spans.first { $0.name == "job gazetteer" })
        #expect(job.attributes.contains { $0.name == "waypost.job.questions" && $0.value == 500 })
    }

    @Test func `jobs claimed and recorded together are linked, up to a bound`() async throws {
        let others = (3..<40).map { SpanContext(trace: TraceID(high: 0, low: $0), isSampled: true) }
        let jobs = [(first, [1])] + others.enumerated().map { ($1, [$0 + 2]) }
        // The first claim takes one job: the one without a trace.
        let spans = try await spans(of: [(nil, [100])] + jobs, batch: 1)
        #expect(spans.count == 38 * 5)
        let claim = try #require(spans.first { $0.name == "claim gazetteer" && $0.context.trace == first.trace })
        #expect(claim.links.count == JobTrace.mostLinks)
        let own = Set(spans.filter { $0.name == "job gazetteer" }.map(\.context.span))
        #expect(claim.links.allSatisfy { own.contains($0.span) && $0.trace != first.trace })
    }

    @Test func `a trace of very many jobs is traced up to a bound`() async throws {
        let spans = try await spans(of: [(first, Array(1...400)), (second, [500])], batch: 1)
        #expect(spans.count { $0.name == "job gazetteer" && $0.context.trace == first.trace } == FanOut.most)
        #expect(spans.count { $0.name == "job gazetteer" && $0.context.trace == second.trace } == 1)
    }

    @Test func `an invalid trace in a job's row does no harm`() async throws {
        try await Database.test.run { try $0.queueJobs(inTrace: nil) }
        let database = try Database.test
        try await database.run { db throws in
            _ = try queue.enqueue([1, 2], in: "gazetteer", on: db)
            try db.query("UPDATE jobs SET trace = 'rubbish'")
        }
        #expect(try await spans(of: [], batch: 1).isEmpty)
    }
}

/// Work whose calls end at once.
private struct Echo: LaneWork {
    let lane = "gazetteer"

    func questions(of jobs: [Job], on database: isolated Connection) throws -> [Job.ID: [Int]] {
        Dictionary(uniqueKeysWithValues: jobs.map { ($0.id, $0.subjects) })
    }

    func call(_ question: [Int], _ departure: Departure) async -> Reply<[Int]> {
        departure.leave() ? Reply(.done(), answer: question) : Reply(.void)
    }

    func store(
        _ ends: [JobEnd<[Int]>], successors: [QueuedJob], givenUp: [Int], on database: isolated Connection
    ) throws {}
}
