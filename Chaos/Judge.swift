import Foundation
import Postgres
import Queue

/// Judges the calls of a lane that a recorder saw in a time. Real workers made them, and another program disturbed their
/// database.
///
///     Chaos judge DATABASE_URL RECORDING LANE FROM TO
///
/// Prints one line of JSON, and a broken promise on standard error.
struct Judge {
    private let database: Database
    private let recording: String
    private let lane: String
    private let period: ClosedRange<Double>

    init(_ arguments: [String]) throws {
        guard arguments.count == 6, let from = Double(arguments[4]), let to = Double(arguments[5]), from <= to else {
            throw ChaosError("judge takes a URL, a recording, a lane, and two times in seconds since 1970")
        }
        database = Database(url: arguments[1], options: .init(size: 1))
        (recording, lane, period) = (arguments[2], arguments[3], from...to)
    }

    /// Returns true if all promises were kept.
    func run() async throws -> Bool {
        let lines = try String(contentsOfFile: recording, encoding: .utf8).split(separator: "\n").dropFirst()
        let calls = lines.compactMap { RecordedCall(line: $0) }
            .filter { $0.lane == lane && period.contains($0.at) }.sorted { $0.at < $1.at }
        let (known, log, audit, left) = try await database.transaction { [lane] db throws in
            (
                try Lane(named: lane, on: db), try CallLog(of: lane, on: db),
                try JobQueue().audit(lane, last: .seconds(86_400), on: db), try JobsLeft(in: lane, on: db)
            )
        }
        await database.close()
        let chronicle = Chronicle(longestOutage: 0)
        chronicle.note(.switchedOver, "the database", since: period.lowerBound, until: period.upperBound)
        let verdict = Verdict(
            known, calls, log, audit, Course(), chronicle, isCalm: false, jobs: [], left)
        let worst = verdict.worst.isFinite ? verdict.worst : 0
        print(#"{"calls":\#(calls.count),"repeated":\#(verdict.repeated),"worst":\#(worst),"slipped":\#(log.slipped)}"#)
        if verdict.faults.isEmpty { return true }
        FileHandle.standardError.write(Data("\(verdict.text)\n".utf8))
        return false
    }
}

extension Lane {
    /// A lane of a real cluster, with its present limits.
    fileprivate init(named name: String, on database: isolated Connection) throws {
        let rows = try database.query(
            """
            SELECT refill, extract(epoch FROM per)::double precision AS per, capacity,
                   extract(epoch FROM grace)::double precision AS grace
            FROM token_buckets JOIN lanes ON lanes.id = lane WHERE name = \(name)
            """)
        let limits = try rows.map {
            Limit(refill: try $0.read("refill"), per: try $0.read("per"), capacity: try $0.read("capacity"))
        }
        let grace = try rows.first?.read("grace", as: Double.self) ?? 0
        self.init(name: name, limits: limits, grace: grace * 1_000)
    }
}
