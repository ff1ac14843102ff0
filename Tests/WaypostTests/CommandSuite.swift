import DatabaseTesting
import Foundation
import Postgres

/// Tests that run commands on the test's database.
protocol CommandSuite {
    var program: Program { get }
}

extension CommandSuite {
    func waypost(_ words: String...) async throws -> Program.Outcome {
        try await waypost(words)
    }

    func waypost(_ words: [String]) async throws -> Program.Outcome {
        try await program.run(words, environment: ["DATABASE_URL": Database.testURL])
    }

    /// The output of a command with `--json`.
    func json(_ words: String...) async throws -> Any {
        let outcome = try await waypost(words + ["--json"])
        return try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    }
}
