import Foundation
import Operations
import Postgres

/// How fast worker processes empty a lane of jobs whose calls take no time, beside `pgbench` running the same two
/// statements, in turns.
///
/// Everything is on that a cluster has on: durable commits, leases, the call log, the counters.
enum DrainBenchmark {
    static func run(_ options: Options) async throws {
        let jobs = try options.integer("jobs", 500_000)
        let rounds = try options.integer("rounds", 2)
        let callsAtOnce = try options.integer("calls", 400)
        print(title("\(jobs) jobs of one subject, jobs/s"), "     ours     pgbench   ratio")
        for processes in try options.integers("processes", [1, 2, 4]) {
            try await Scratch.with("drain") { scratch in
                var ours: [Double] = []
                var theirs: [Double] = []
                for _ in 0..<rounds {
                    ours.append(try await drain(jobs, 1, by: processes, callsAtOnce, in: scratch))
                    theirs.append(try await drainByPgbench(jobs, 1, by: processes, in: scratch))
                }
                print(
                    title("\(processes) processes"), column(median(ours)), column(median(theirs)),
                    "   ", ratio(median(ours) / median(theirs)))
                fflush(nil)
            }
        }
        try await batches(jobs / 10, callsAtOnce)
    }

    /// In a lane with large batches the queue costs next to nothing a subject.
    private static func batches(_ jobs: Int, _ callsAtOnce: Int) async throws {
        try await Scratch.with("drain") { scratch in
            let rate = try await drain(jobs, 500, by: 2, callsAtOnce, in: scratch)
            print(title("batch 500, 2 processes, subjects/s"), column(rate * 500))
        }
    }

    private static func drain(
        _ jobs: Int, _ batch: Int, by processes: Int, _ callsAtOnce: Int, in scratch: Scratch
    ) async throws -> Double {
        try await scratch.openLane(batch: batch)
        try await scratch.fill(jobs: jobs, batch: batch)
        let crew = try await BenchCrew.start(processes, callsAtOnce: callsAtOnce, in: scratch)
        try await scratch.resumeLane()
        let took = try await scratch.wait(until: jobs)
        await crew.stop()
        return Double(jobs) / (took / .seconds(1))
    }

    private static func drainByPgbench(
        _ jobs: Int, _ batch: Int, by processes: Int, in scratch: Scratch
    ) async throws -> Double {
        try await scratch.openLane(batch: batch)
        try await scratch.fill(jobs: jobs, batch: batch)
        try await scratch.run(
            script: """
                INSERT INTO workers (id, name, host, pid) OVERRIDING SYSTEM VALUE
                SELECT n, 'pgbench', 'here', n FROM generate_series(1, \(processes)) AS n
                """)
        try await scratch.resumeLane()
        async let end: Void = Pgbench.runUntilItFails(claimAndFinish, callers: processes, url: scratch.url)
        let took = try await scratch.wait(until: jobs)
        try await end
        return Double(jobs) / (took / .seconds(1))
    }

    static let claimAndFinish = """
        \\set worker :client_id + 1
        SELECT array_agg(job) AS jobs, array_agg(lease) AS leases, count(job) AS n \
        FROM claim_jobs('\(Scratch.lane)', :worker, 100) WHERE job IS NOT NULL HAVING count(job) > 0 \\gset
        SELECT count(*) FROM finish_jobs('\(Scratch.lane)', :worker, :jobs, :leases, \
        array_fill('done'::text, ARRAY[:n::int]), array_fill(extract(epoch FROM now())::float8, ARRAY[:n::int]), \
        array_fill(0.1::real, ARRAY[:n::int]), array_fill('0 s'::interval, ARRAY[:n::int]), \
        array_fill(NULL::text, ARRAY[:n::int]));

        """
}
