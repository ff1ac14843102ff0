import Foundation
import Postgres
import Queue

/// How exact the forecast of a lane (DONE IN) is. Random imports, of chains whose questions take one to six calls, are
/// worked off in a real lane. The forecast is compared with the calls that were then really made.
///
///     Benchmarks forecast [--runs 100] [--seed 1]
///
/// Calls take no time. So only the numbers of calls are compared, and the load of the machine changes nothing: the time
/// of a limited lane is the number of calls by its rate.
enum ForecastBenchmark {
    static func run(_ options: Options) async throws {
        let runs = try options.integer("runs", 100)
        var random = SplitMix(state: UInt64(try options.integer("seed", 1)))
        var worst: [Double] = []
        var all: [Double] = []
        try await Scratch.with("forecast") { scratch in
            for _ in 0..<runs {
                try await scratch.openLane(batch: 1)
                let plan = ImportPlan(using: &random)
                let errors = try await scratch.database.transaction { db in
                    var run = ForecastRun(plan, worker: 1)
                    return try run.errors(on: db)
                }
                worst.append(errors.map(\.badness).max() ?? 0)
                all += errors.map(\.share)
            }
        }
        let good = worst.count { $0 <= 1 }
        all.sort()
        func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
        print(
            "forecast: \(good) of \(runs) runs within 15 % (or 1 % of the whole) at each look from a third on;",
            "\(all.count) looks, 5th to 95th percentile of their errors: \(percent(all[all.count / 20]))",
            "to \(percent(all[all.count * 19 / 20]))")
    }
}

/// A generator of the same numbers for the same seed.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// The imports of one run, in the order of their arrival.
private struct ImportPlan {
    struct Import {
        let chain: Int
        /// The share of the work that is done when it comes. Below zero: it was finished before, and only taught.
        let comesAt: Double
        /// The calls of each question.
        let calls: [Int]
    }

    private(set) var imports: [Import] = []
    /// The jobs that all workers hold together: the slots of the next seconds.
    let held: Int
    /// The most calls that end together.
    let together: Int

    init(using random: inout SplitMix) {
        held = Int.random(in: 1...120, using: &random)
        together = Int.random(in: 1...40, using: &random)
        // For each chain, the shares of first, second, … calls that another one follows.
        let chains = (1...3).map { _ in (1...5).map { _ in Double.random(in: 0...0.9, using: &random) } }
        for number in 0..<Int.random(in: 2...5, using: &random) {
            let chain = Int.random(in: 0..<3, using: &random)
            let comesAt = number == 0 ? 0 : Double.random(in: -0.6...0.3, using: &random)
            var calls: [Int] = []
            for _ in 0..<Int.random(in: 300...1_500, using: &random) {
                var number = 1
                while number <= 5, Double.random(in: 0...1, using: &random) < chains[chain][number - 1] { number += 1 }
                calls.append(number)
            }
            imports.append(Import(chain: chain + 1, comesAt: comesAt, calls: calls))
        }
        imports.sort { $0.comesAt < $1.comesAt }
    }
}

/// Works off the imports, and looks at the forecast now and then.
private struct ForecastRun {
    let plan: ImportPlan
    let worker: WorkerID
    private let queue = JobQueue()
    /// The calls that each question still needs, and in all.
    private var callsLeft: [Int] = []
    private var callsToCome = 0
    private var hand: [[Job]] = []
    private var made = 0

    init(_ plan: ImportPlan, worker: WorkerID) {
        (self.plan, self.worker) = (plan, worker)
    }

    struct Look {
        /// The error, as a share of the calls that were left.
        let share: Double
        /// At most 1 if the error is at most 15 % of the calls that were left, or 1 % of all: of the last few calls nobody
        /// can tell more.
        let badness: Double
    }

    mutating func errors(on db: isolated Connection) throws -> [Look] {
        try db.query(
            """
            INSERT INTO workers (id, name, host, pid, lanes) OVERRIDING SYSTEM VALUE
            VALUES (\(worker)::integer, 'nobody', 'here', 1, ARRAY[\(Scratch.lane)])
            """)
        try db.query("UPDATE lanes SET paused_at = NULL WHERE name = \(Scratch.lane)")
        for past in plan.imports where past.comesAt < 0 { try begin(past, on: db) }
        while callsToCome > 0 { try step(on: db) }
        made = 0
        var coming = plan.imports.filter { $0.comesAt >= 0 }
        let total = coming.flatMap(\.calls).reduce(0, +)
        var (errors, nextLook) = ([Look](), 1.0 / 3)
        while !coming.isEmpty || callsToCome > 0 {
            while let next = coming.first, next.comesAt * Double(total) <= Double(made) || callsToCome == 0 {
                try begin(next, on: db)
                coming.removeFirst()
            }
            try step(on: db)
            let progress = Double(made) / Double(total)
            guard progress >= nextLook, progress <= 0.95, coming.isEmpty else { continue }
            nextLook = progress + 0.05
            let held = hand.joined().count
            let forecast = try queue.lane(Scratch.lane, on: db).outlook.waiting + held
            let error = Double(forecast - callsToCome)
            let tolerance = max(0.15 * Double(callsToCome), 0.01 * Double(total))
            errors.append(Look(share: error / Double(callsToCome), badness: abs(error) / tolerance))
        }
        return errors
    }

    private mutating func begin(_ work: ImportPlan.Import, on db: isolated Connection) throws {
        let first = callsLeft.count
        let reserved = try queue.reserve(forAtMost: work.calls.count, in: Scratch.lane, on: db)
        let subjects = reserved.jobs.enumerated().map { (job: $1, subject: first + $0) }
        try queue.enqueue(subjects, of: work.chain, in: Scratch.lane, on: db)
        callsLeft += work.calls
        callsToCome += work.calls.reduce(0, +)
    }

    /// Claims as many jobs as fit into the hands of the workers, and ends the calls that were claimed first.
    private mutating func step(on db: isolated Connection) throws {
        let room = plan.held - hand.joined().count
        if room > 0 {
            let jobs = try queue.claim(min(room, plan.together), from: Scratch.lane, for: worker, on: db).jobs
            if !jobs.isEmpty {
                hand.append(jobs)
                // The hands are filled first.
                if room > jobs.count { return }
            }
        }
        guard !hand.isEmpty else { return }
        let now = Duration.seconds(Date.now.timeIntervalSince1970)
        let reports = hand.removeFirst().map { job in
            let subject = job.subjects[0]
            callsLeft[subject] -= 1
            let isOver = callsLeft[subject] == 0
            return JobReport(
                job, isOver ? .done() : .moved([LeftOver(subject, lane: Scratch.lane)]), startedAt: now,
                took: .milliseconds(1))
        }
        made += reports.count
        callsToCome -= reports.count
        _ = try queue.finish(reports, in: Scratch.lane, by: worker, on: db)
    }
}
