import DatabaseTesting
import Foundation
import Glibc
import HTTPTesting
import Polling
import Postgres
import Processes
import Testing

/// Runs the worker in Python of docs/api.md as it stands there.
@Suite(.database)
struct PolyglotWorkerTests: CommandSuite {
    let program = Program()

    private static let repository = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardizedFileURL.path

    /// The text of the first block of this language in the section about workers.
    private func block(_ language: String) throws -> String {
        let page = try String(contentsOfFile: Self.repository + "/docs/api.md", encoding: .utf8)
        let section = try #require(page.range(of: "## A worker of your own"))
        let start = try #require(page.range(of: "```\(language)\n", range: section.upperBound..<page.endIndex))
        let end = try #require(page.range(of: "```", range: start.upperBound..<page.endIndex))
        return String(page[start.upperBound..<end.lowerBound])
    }

    @Test func `the worker of the page answers, waits, repeats and leaves`() async throws {
        let service = try ScriptedServer { request in
            switch request.query["q"] ?? "" {
            case let q where q.contains("Nowhere"): .json("null")
            case let q where q.contains("Broken"): .status(400)
            default: .json("[60.17, 24.94]")
            }
        }
        defer { service.stop() }
        let create = try block("sql")
        try await Database.test.run(script: create)
        try await waypost("chains set default my-service").expect(0)
        try program.write(
            "name,street,city,country\nAda,Main 1,Helsinki,FI\nBo,Nowhere 2,Helsinki,FI\nCy,Broken 3,Helsinki,FI\n",
            to: "friends.csv")
        try await waypost("import friends.csv").expect(0)
        try program.write(try block("python"), to: "worker.py")
        let tools = try await ChildProcess.output(of: Self.repository + "/.ci/python", [], directory: program.folder)
        let python = String(decoding: tools.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let worker = try ChildProcess(
            python + "/python", ["worker.py"],
            environment: Program.environment(["DATABASE_URL": Database.testURL, "SERVICE": service.url]),
            directory: program.folder, output: .discarded, error: .inherited)
        func answers() async throws -> [String] {
            try await Database.test.query("SELECT street, status::text AS status FROM geocodes ORDER BY street").map {
                "\(try $0.read("street", as: String.self)) \(try $0.read("status", as: String.self))"
            }
        }
        try await pollUntil { try await answers() == ["Broken 3 failed", "Main 1 located", "Nowhere 2 not_found"] }
        // It sleeps now, and is woken by a new job.
        try program.write("name,street,city,country\nDi,Main 4,Helsinki,FI\n", to: "more.csv")
        try await waypost("import more.csv").expect(0)
        try await pollUntil { try await answers().contains("Main 4 located") }
        worker.send(SIGTERM)
        #expect(await worker.exit().isSuccess)
        let (workers, calls) = try await Database.test.run { db in
            (
                try db.query("SELECT count(*) AS n FROM workers")[0].read("n", as: Int.self),
                try db.query("SELECT count(*) AS n FROM calls WHERE took IS NOT NULL")[0].read("n", as: Int.self)
            )
        }
        #expect(workers == 0)
        #expect(calls == 4 && service.requests.count == 4)
        try await waypost("lanes audit my-service").expect(0)
    }

    @Test func `an answer is stored only for the job in which the question waits`() async throws {
        try program.write("name,city\nAda,Helsinki\n", to: "friends.csv")
        try await waypost("import friends.csv").expect(0)
        let stored = try await Database.test.run { db in
            try [1, 0, 0].map { wrong in
                try db.query(
                    """
                    SELECT store_answer(id, job + \(wrong), 'mine', 'located', 60.17, 24.94, 'city') AS stored
                    FROM (SELECT id, coalesce(job, 0) AS job FROM geocodes) AS question
                    """)[0].read("stored", as: Bool.self)
            }
        }
        #expect(stored == [false, true, false])
        await #expect(throws: DatabaseError.self) {
            try await Database.test.query("SELECT store_answer(1, 1, 'mine', 'needs_review')")
        }
    }
}
