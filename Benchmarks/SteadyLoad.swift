import Foundation
import Postgres
import Queue

/// Jobs that are enqueued at a steady rate while worker processes drain them.
struct SteadyLoad {
    let scratch: Scratch
    let jobsPerSecond: Int

    /// Runs for `length`; `look` is called every 30 seconds.
    func run(for length: Duration, look: (Duration) async throws -> Void = { _ in }) async throws {
        let start = ContinuousClock.now
        var queued = 0
        var nextLook = start + .seconds(30)
        while start.duration(to: .now) < length {
            let due = Int(start.duration(to: .now) / .seconds(1) * Double(jobsPerSecond)) - queued
            if due > 0 {
                let subjects = Array(queued..<(queued + due))
                _ = try await scratch.database.run { database in
                    try JobQueue().enqueue(subjects, in: Scratch.lane, on: database).count
                }
                queued += due
            }
            if .now >= nextLook {
                try await look(start.duration(to: .now))
                nextLook += .seconds(30)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
