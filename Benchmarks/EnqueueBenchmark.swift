import Foundation
import Postgres
import Questions

/// The sweep over waiting addresses, next to a bare `INSERT … SELECT` of the same number of jobs.
enum EnqueueBenchmark {
    static func run(_ options: Options) async throws {
        let addresses = try options.integer("addresses", 1_000_000)
        print(title("\(addresses) addresses, seconds"), "bare insert   sweep    ratio")
        try await Scratch.with("enqueue") { scratch in
            try await scratch.openLane(batch: 1)
            try await scratch.run(
                script:
                    "UPDATE chains SET plan = '{\"links\": [{\"lane\": \"\(Scratch.lane)\"}]}' WHERE name = 'default'")
            try await scratch.ask(addresses)
            for batch in [1, 500] {
                try await scratch.run(script: "UPDATE lanes SET batch = \(batch) WHERE name = '\(Scratch.lane)'")
                try await scratch.run(script: "TRUNCATE jobs; CHECKPOINT")
                var start = ContinuousClock.now
                try await scratch.insert(jobs: addresses / batch, batch: batch)
                let bare = seconds(since: start)
                try await scratch.run(script: "TRUNCATE jobs; UPDATE geocodes SET job = NULL WHERE job IS NOT NULL")
                try await scratch.run(script: "VACUUM ANALYZE geocodes")
                try await scratch.run(script: "CHECKPOINT")
                start = .now
                try await sweep(scratch)
                let swept = seconds(since: start)
                print(title("batch \(batch)"), ratio(bare), "      ", ratio(swept), " ", ratio(swept / bare))
                fflush(nil)
            }
        }
    }

    private static func sweep(_ scratch: Scratch) async throws {
        while try await scratch.database.run({ try QuestionQueue().enqueueWaiting(5_000, on: $0) }) > 0 {}
    }
}

extension Scratch {
    /// Makes up waiting addresses without a job.
    func ask(_ count: Int) async throws {
        try await run(
            script: """
                INSERT INTO geocodes (hash, street, city, region, postcode, country)
                SELECT sha256(int8send(n)), 'Aleksanterinkatu ' || n, 'Helsinki', '', '00100', 'FI'
                FROM generate_series(1, \(count)) AS n
                """)
        try await run(script: "VACUUM ANALYZE geocodes")
    }
}
