import DatabaseTesting
import Foundation
import Postgres
import Processes
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AskUsageTests {
    private let program = Program()

    @Test func `an existing file counts as a file, whatever its name`() async throws {
        try program.write("colour\nred\n", to: "contacts")
        try await program.run("geocode contacts").expect(error: "there is no output")
    }
}

@Suite(.timeLimit(.minutes(10)))
struct AskAloneTests {
    private let program = Program()

    @Test func `without any setting, an address becomes a place, and on request nothing is left behind`() async throws {
        let outcome = try await program.run(
            "geocode", "Mannerheimintie 1, 00100 Helsinki, Finland", "--temporary", "-v"
        ).expect(0)
        for text in [
            "address          Mannerheimintie 1, Helsinki, 00100, Finland\n", "status           located\n",
            "precision        roughly: postcode\n", "found by         gazetteer, structured\n",
            "confidence       0.05\n", "area confidence  1.0\n", "coordinate       60.",
        ] {
            #expect(outcome.output.contains(text), "\(outcome.output)\(outcome.error)")
        }
        // A fast worker may answer before the first look, so only the answer is sure to be printed.
        #expect(outcome.error.contains("gazetteer, structured: found postcode"), "\(outcome.error)")
        #expect(!outcome.error.contains("Helsinki"))
        #expect(!program.exists(".waypost"))
    }

    @Test func `an unknown chain is one clear error`() async throws {
        let outcome = try await program.run("geocode Reno --chain nowhere --temporary").expect(1)
        #expect(outcome.error == "waypost: there is no chain called \"nowhere\"; 'waypost chains list' shows all\n")
    }
}

/// On a cluster in which the test plays the worker.
@Suite(.database)
struct AskCommandTests {
    private let program = Program()
    private let environment: [String: String]

    init() throws {
        environment = ["DATABASE_URL": try Database.testURL]
    }

    private func json(_ words: String...) async throws -> (code: Int32?, [String: Any]) {
        let outcome = try await program.run(words + ["--json"], environment: environment)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return (outcome.code, try #require(object as? [String: Any]))
    }

    /// Asks a question, lets `answer` answer it once the command waits, and returns the output.
    private func ask(_ words: [String], answer: SQL) async throws -> (exit: ChildProcess.Exit, error: [String]) {
        let asking = try RunningProgram(program, words + ["-v"], environment: environment)
        let first = try await asking.wait(for: "asking gazetteer")
        let why = try await asking.wait(for: "Job 1")
        try await Database.test.query(answer)
        let last = try await asking.wait(for: "gazetteer")
        return (await asking.process.exit(), [first, why, last])
    }

    @Test func `a question goes first in its chain's lane, and the reason of its wait is printed`() async throws {
        let asked = try await ask(
            ["geocode", "1 Main St, Reno, NV 89501"],
            answer: """
                UPDATE geocodes SET status = 'located', job = NULL, latitude = 39.5, longitude = -119.8,
                    precision = 'city', placemark = '{}', confidence = 0.7, provider = 'gazetteer', geocoded_at = now()
                WHERE (SELECT priority FROM jobs WHERE jobs.id = job) > 0
                """)
        #expect(asked.exit == .code(0))
        #expect(asked.error[1].contains("no worker serves lane gazetteer"))
        #expect(asked.error[2] == "gazetteer: found city at 0.7")
        // A known answer costs nothing, in any spelling.
        let (code, known) = try await json("geocode", "1 MAIN ST, Reno NV 89501")
        #expect(code == 0)
        #expect(known["status"] as? String == "located")
        #expect((known["address"] as? [String: Any])?["postcode"] as? String == "89501")
        #expect((known["place"] as? [String: Any])?["confidence"] as? Double == 0.7)
        let count = try await Database.test.query("SELECT count(*) AS count FROM geocodes")[0]
        #expect(try count.read("count") == 1)
    }

    @Test func `a question that needs review is shown with its candidates, and exits with 1`() async throws {
        let asked = try await ask(
            ["geocode", "1 Main St, Reno"],
            answer: """
                UPDATE geocodes SET status = 'needs_review', job = NULL, provider = 'gazetteer', geocoded_at = now(),
                    candidates = '[{"placemark":{"coordinate":{"latitude":39.5,"longitude":-119.8}},"isLent":false,
                                    "precision":"city","confidence":0.2,"provider":"gazetteer"}]'
                """)
        #expect(asked.exit == .code(1))
        #expect(asked.error[2] == "gazetteer: needs review")
        try await program.run(["geocode", "1 Main St, Reno"], environment: environment).expect(
            1, has: "CANDIDATE", "39.5,-119.8")
    }

    @Test func `a coordinate is asked once for its cell`() async throws {
        let asked = try await ask(
            ["reverse", "60.17,24.94"],
            answer: """
                UPDATE geocodes SET status = 'located', job = NULL, latitude = 60.17, longitude = 24.94,
                    precision = 'rooftop', placemark = '{"locality": "Helsinki"}', confidence = 1,
                    provider = 'gazetteer', geocoded_at = now()
                """)
        #expect(asked.exit == .code(0))
        let (code, known) = try await json("reverse", "60.1700001,24.9400001")
        #expect(code == 0)
        #expect((known["place"] as? [String: Any])?["matched_address"] as? String == "Helsinki")
        #expect((known["coordinate"] as? [String: Any])?["latitude"] as? Double == 60.17)
        #expect(known["address"] is NSNull)
    }
}
