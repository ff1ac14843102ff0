import Foundation
import Postgres
import Processes

/// A program that fills a queue and empties it.
protocol Drain {
    var name: String { get }

    func drain(by processes: Int, in scratch: Scratch) async throws -> Drained
}

struct Drained {
    let jobs: Int
    let seconds: Double
    /// CPU time, where it was measured. On a shared machine it is more reliable than the rate.
    var clientTime: Double?
    var serverTime: Double?

    var rate: Double { Double(jobs) / seconds }

    func microseconds(_ time: Double?) -> Double? { time.map { $0 / Double(jobs) * 1e6 } }
}

struct OurDrain: Drain {
    var name: String { isMeasured ? "ours" : "ours, without metrics" }
    let jobs: Int
    var batch = 1
    let callsAtOnce: Int
    var isMeasured = true

    func drain(by processes: Int, in scratch: Scratch) async throws -> Drained {
        try await scratch.openLane(batch: batch)
        try await scratch.fill(jobs: jobs, batch: batch)
        let crew = try await BenchCrew.start(
            processes, callsAtOnce: callsAtOnce, in: scratch, isMeasured: isMeasured)
        try await scratch.resumeLane()
        let took = try await scratch.wait(until: jobs)
        let drained = Drained(
            jobs: jobs, seconds: took / .seconds(1), clientTime: crew.cpuTime,
            serverTime: try await scratch.serverTime)
        await crew.stop()
        return drained
    }
}

/// The same two statements, from a client with almost no cost of its own.
struct PgbenchDrain: Drain {
    var name: String { "pgbench, \(batch) at once" }
    let jobs: Int
    let batch: Int

    func drain(by processes: Int, in scratch: Scratch) async throws -> Drained {
        try await scratch.openLane(batch: 1)
        try await scratch.fill(jobs: jobs, batch: 1)
        try await scratch.enlist(workers: processes)
        try await scratch.resumeLane()
        async let end: Void = Pgbench.runUntilItFails(script, callers: processes, url: scratch.url)
        let took = try await scratch.wait(until: jobs)
        try await end
        return Drained(jobs: jobs, seconds: took / .seconds(1))
    }

    private var script: String {
        """
        \\set worker :client_id + 1
        SELECT array_agg((job, lease, 'done', extract(epoch FROM now()), 0.1, '0 s', NULL, NULL)::job_report) AS reports \
        FROM claim_jobs('\(Scratch.lane)', :worker, \(batch)) WHERE job IS NOT NULL HAVING count(job) > 0 \\gset
        SELECT count(*) FROM finish_jobs('\(Scratch.lane)', :worker, :reports::job_report[]);

        """
    }
}

/// PGMQ (https://github.com/pgmq/pgmq), read 100 and delete 100, from the same light client. PGMQ has no leases, no
/// attempts and no log.
struct PGMQDrain: Drain {
    let name = "PGMQ by pgbench"
    let jobs: Int
    /// The file with PGMQ's SQL, which is not part of this project.
    let file: String

    func drain(by processes: Int, in scratch: Scratch) async throws -> Drained {
        try await scratch.run(script: String(contentsOfFile: file, encoding: .utf8))
        try await scratch.run(
            script: """
                SELECT pgmq.create('bench');
                SELECT count(*) FROM pgmq.send_batch('bench', array_fill('{"t":0}'::jsonb, ARRAY[\(jobs)]))
                """)
        try await scratch.run(script: "VACUUM (FREEZE, ANALYZE)")
        try await scratch.run(script: "CHECKPOINT")
        let start = ContinuousClock.now
        try await Pgbench.runUntilItFails(
            """
            SELECT array_agg(msg_id) AS ids FROM pgmq.read('bench', 60, 100) HAVING count(*) > 0 \\gset
            SELECT count(*) FROM pgmq.delete('bench', :ids::bigint[]);

            """, callers: processes, url: scratch.url)
        return Drained(jobs: jobs, seconds: seconds(since: start))
    }
}

/// pgqueuer (https://pypi.org/project/pgqueuer) with its own client.
struct PgqueuerDrain: Drain {
    let name = "pgqueuer"
    let jobs: Int
    /// A Python interpreter with pgqueuer installed.
    let python: String

    func drain(by processes: Int, in scratch: Scratch) async throws -> Drained {
        let script = "Benchmarks/peers/pgqueuer_worker.py"
        var environment = ProcessEnvironment.current
        environment["DATABASE_URL"] = scratch.url
        try await output(of: python, [script, "fill", "\(jobs)"], environment: environment)
        try await scratch.run(script: "VACUUM (FREEZE, ANALYZE)")
        try await scratch.run(script: "CHECKPOINT")
        let (lines, said) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
        let workers = try (0..<processes).map { _ in
            try ChildProcess(
                python, [script, "drain"], environment: environment, output: .lines { _ in said.yield(.now) })
        }
        // Counted from the first output line, to leave out the start of Python.
        var first: ContinuousClock.Instant?
        var count = 0
        for await moment in lines {
            first = first ?? moment
            count += 1
            if count >= jobs / 1_000 - processes { break }
        }
        while try await scratch.number("SELECT count(*) AS number FROM pgqueuer") > 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        let took = seconds(since: first ?? .now)
        for worker in workers { worker.send(SIGKILL) }
        for worker in workers { _ = await worker.exit() }
        return Drained(jobs: jobs - 1_000, seconds: took)
    }
}
