import DatabaseTesting
import Foundation
import Glibc
import HTTPTesting
import Polling
import Postgres
import Processes
import Testing

@Suite(.database)
struct ImportCommandTests: CommandSuite {
    let program = Program()

    private func imported(_ words: String...) async throws -> [String: Any] {
        let outcome = try await waypost(["import"] + words + ["--json"])
        let json = try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        return try #require(json, "\(outcome.error)")
    }

    private func keys() async throws -> [String] {
        try await Database.test.query("SELECT source_key FROM friends WHERE deleted_at IS NULL ORDER BY source_key").map
        { try $0.read("source_key") }
    }

    @Test func `the summary counts changes, and with --complete also removals`() async throws {
        try program.write("id,name,city,country\n1,Ada,Reno,US\n2,Bob,Ely,UK\n3,Cy,Oslo,NO\n", to: "a.csv")
        #expect(
            try await waypost("import a.csv --complete").output == """
                3 contacts added, 0 changed, 0 unchanged, 0 removed.
                They have 3 addresses, of which 3 had not been asked before.

                """)
        try program.write("id,name,city,country\n1,Ada,Reno,US\n2,Bob,Bonn,DE\n4,Di,Reno,US\n", to: "a.csv")
        let again = try await imported("a.csv", "--complete")
        let numbers = ["contacts": 3, "added": 1, "changed": 1, "unchanged": 1, "removed": 1, "questions": 1]
        for (member, number) in numbers { #expect(again[member] as? Int == number, "\(member)") }
        #expect(try await keys() == ["id:1", "id:2", "id:4"])
    }

    @Test func `a removal that is held back is reported with the reason`() async throws {
        try program.write("id,name,city\n1,Ada,Reno\n2,Bob,Ely\n", to: "a.csv")
        _ = try await waypost("import a.csv --complete")
        try program.write("id,name,city\n1,Ada,Reno\n3,\"C\"y,Ely\n", to: "a.csv")
        try await waypost("import a.csv --complete").expect(
            1, error: "a.csv, line 3: there is text after a closing quote\nNobody was removed")
        try program.write("id,name,city\n", to: "a.csv")
        try await waypost("import a.csv --complete").expect(1, error: "use --allow-empty")
        #expect(try await keys() == ["id:1", "id:2"])
        try await waypost("import a.csv --complete --allow-empty").expect(0, has: "2 removed.")
        #expect(try await keys().isEmpty)
    }

    @Test func `two files with one name are two feeds`() async throws {
        for (folder, id) in [("a", 1), ("b", 2)] {
            try FileManager.default.createDirectory(
                atPath: "\(program.folder)/\(folder)", withIntermediateDirectories: true)
            try program.write("id,name,city\n\(id),Ada,Reno\n", to: "\(folder)/c.csv")
            try await waypost("import", "\(folder)/c.csv", "--complete").expect(0)
        }
        #expect(try await keys() == ["id:1", "id:2"])
        // The same file by another path.
        #expect(try await imported("./a/../a/c.csv", "--complete")["unchanged"] as? Int == 1)
    }

    @Test func `the first refused contacts are printed, and the report has all`() async throws {
        let bad = (1...30).map { _ in "\"a\"b,Reno\n" }.joined()
        try program.write("name,city\nAda,Reno\n" + bad, to: "a.csv")
        let outcome = try await waypost("import a.csv --report bad.csv").expect(1)
        // On a slow machine the progress is printed too.
        let told = outcome.error.split(separator: "\n").filter { !$0.hasPrefix("Importing") }
        #expect(told.count == 25 && told[0].hasPrefix("Database: "))
        #expect(told[1...3] == ["a.csv is read as utf-8, with , between columns:", "  name → name", "  city → town"])
        #expect(outcome.error.contains("a.csv, line 22:") && !outcome.error.contains("a.csv, line 23:"))
        #expect(outcome.error.hasSuffix("and 10 more: bad.csv lists all\n"), "\(outcome.error)")
        let report = try program.read("bad.csv").split(separator: "\n")
        #expect(report.count == 31)
        #expect(report[0] == "line,what,reason" && report[30].hasPrefix("32,refused,"))
        try program.write("name,city\nAda,Reno\n", to: "a.csv")
        try await waypost("import a.csv --report bad.csv").expect(0)
        #expect(try program.read("bad.csv") == "line,what,reason\n")
    }

    @Test func `a source is read in the given format`() async throws {
        try program.write("# ours\nid = Nr\nname = Wer\ncity = Ort\n", to: "map.txt")
        try Data("Nr;Wer;Ort\n1;J\u{F6}rg;K\u{F6}ln\n".unicodeScalars.map { UInt8($0.value) })
            .write(to: URL(fileURLWithPath: "\(program.folder)/list"))
        try await waypost("import list --from csv --encoding windows-1252 --mapping map.txt --country Saksa").expect(0)
        let row = try await Database.test.query(
            "SELECT name, city, country, country_code FROM friends JOIN addresses ON friend = friends.id")[
                0]
        #expect(try row.read("name") == "Jörg")
        #expect(try row.read("city") == "Köln")
        #expect(try row.read("country_code") == "DE")
    }

    @Test func `a Monica server is a source, and its token comes from the environment`() async throws {
        let server = try ScriptedServer { _ in
            .json(#"{"data":[{"id":1,"first_name":"Ada","addresses":[]}],"links":{"next":null},"meta":{"total":1}}"#)
        }
        defer { server.stop() }
        try await waypost("import", server.url).expect(2, error: "WAYPOST_MONICA_TOKEN is not set")
        let environment = ["DATABASE_URL": try Database.testURL, "WAYPOST_MONICA_TOKEN": "secret"]
        let outcome = try await program.run("import", server.url, "--complete", environment: environment)
        #expect(outcome.output.hasPrefix("1 contact added"), "\(outcome.error)")
        #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer secret" })
        #expect(try await keys() == ["monica:#1"])
    }

    @Test func `an import is taken back: what it added goes, and what it removed is back`() async throws {
        try program.write("name,city,country\nAda,Reno,US\nBob,Ely,UK\n", to: "a.csv")
        try await waypost("import a.csv").expect(0)
        try program.write("name,city,country\nBob,Bonn,DE\nCid,Rome,IT\n", to: "a.csv")
        try await waypost("import a.csv --complete").expect(error: "--undo")
        func names() async throws -> [String] {
            try await Database.test.run {
                try $0.query("SELECT name FROM friends WHERE deleted_at IS NULL ORDER BY name").map {
                    try $0.read("name")
                }
            }
        }
        #expect(try await names() == ["Bob", "Cid"])
        try await waypost("import a.csv --undo").expect(
            0, has: "1 contact deleted, 1 restored", error: "1 contact that it changed keeps its new values")
        #expect(try await names() == ["Ada", "Bob"])
        try await waypost("log --verb import.undo").expect(has: "import.undo")
        try await waypost("import a.csv --undo").expect(has: "2 contacts deleted, 0 restored")
        #expect(try await names().isEmpty)
        try await waypost("import a.csv --undo").expect(2, error: "has no import of")
        try await waypost("import a.csv").expect(0)
        #expect(try await names() == ["Bob", "Cid"])
    }

    @Test func `an import that is killed and repeated ends as if it had not been killed`() async throws {
        let rows = (1...20_000).map { "\($0),Friend \($0),\($0 % 700) High St,Ely\n" }.joined()
        try program.write("id,name,street,city\n" + rows, to: "a.csv")
        try await waypost("import a.csv --account calm").expect(0)

        let environment = ["DATABASE_URL": try Database.testURL]
        let killed = try RunningProgram(program, "import", "a.csv", "--account", "rough", environment: environment)
        try await pollUntil {
            try await !Database.test.run { try $0.query("SELECT FROM import_batches LIMIT 1").isEmpty }
        }
        killed.process.send(SIGKILL)
        _ = await killed.process.exit()
        let stored = try await count(of: "rough")
        #expect(stored > 0 && stored < 20_000)

        let again = try await imported("a.csv", "--account", "rough")
        #expect(again["contacts"] as? Int == 20_000)
        #expect(again["added"] as? Int == 20_000)
        let differences = try await Database.test.query(
            """
            SELECT source_key, friends.name, street, city, hash
            FROM friends JOIN addresses ON friend = friends.id JOIN accounts ON accounts.id = account
            GROUP BY 1, 2, 3, 4, 5
            HAVING count(*) <> 2 OR count(DISTINCT accounts.name) <> 2
            """
        ).count
        #expect(differences == 0)
        #expect(try await count(of: "rough") == 20_000)
    }

    private func count(of account: String) async throws -> Int {
        try await Database.test.query(
            "SELECT count(*) AS count FROM friends JOIN accounts ON accounts.id = account WHERE accounts.name = \(account)"
        )[0].read("count")
    }
}
