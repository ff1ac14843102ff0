import DatabaseTesting
import Foundation
import Postgres

/// Tests that run commands on the test's database.
protocol CommandSuite {
    var program: Program { get }
}

extension CommandSuite {
    /// Runs a line of words. Those of `more` may contain spaces.
    func waypost(_ line: String, _ more: String...) async throws -> Program.Outcome {
        try await waypost(line.split(separator: " ").map(String.init) + more)
    }

    func waypost(_ words: [String]) async throws -> Program.Outcome {
        try await program.run(words, environment: ["DATABASE_URL": Database.testURL])
    }

    /// The output of a command with `--json`.
    func json(_ line: String, _ more: String...) async throws -> Any {
        let outcome = try await waypost(line.split(separator: " ").map(String.init) + more + ["--json"])
        return try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    }
}
