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
    let program: Program

    init() throws {
        program = try Program()
    }

    private func imported(_ words: String...) async throws -> [String: Any] {
        let outcome = try await waypost(["import"] + words + ["--json"])
        let json = try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        return try #require(json, "\(outcome.error)")
    }

    private func keys() async throws -> [String] {
        try await Database.test.run { db in
            try db.query("SELECT source_key FROM friends WHERE deleted_at IS NULL ORDER BY source_key")
                .map { try $0.read("source_key") }
        }
    }

    @Test func `the summary counts changes, and with --complete also removals`() async throws {
        defer { program.remove() }
        try program.write("id,name,city,country\n1,Ada,Reno,US\n2,Bob,Ely,UK\n3,Cy,Oslo,NO\n", to: "a.csv")
        #expect(
            try await waypost("import", "a.csv", "--complete").output == """
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
        defer { program.remove() }
        try program.write("id,name,city\n1,Ada,Reno\n2,Bob,Ely\n", to: "a.csv")
        _ = try await waypost("import", "a.csv", "--complete")
        try program.write("id,name,city\n1,Ada,Reno\n3,\"C\"y,Ely\n", to: "a.csv")
        let refused = try await waypost("import", "a.csv", "--complete")
        #expect(refused.code == 1)
        #expect(refused.error.contains("a.csv, line 3: there is text after a closing quote\nNobody was removed"))
        try program.write("id,name,city\n", to: "a.csv")
        let empty = try await waypost("import", "a.csv", "--complete")
        #expect(empty.code == 1)
        #expect(empty.error.contains("use --allow-empty"), "\(empty.error)")
        #expect(try await keys() == ["id:1", "id:2"])
        let meant = try await waypost("import", "a.csv", "--complete", "--allow-empty")
        #expect(meant.code == 0)
        #expect(meant.output.contains("2 removed."))
        #expect(try await keys().isEmpty)
    }

    @Test func `two files with one name are two feeds`() async throws {
        defer { program.remove() }
        for (folder, id) in [("a", 1), ("b", 2)] {
            try FileManager.default.createDirectory(
                atPath: "\(program.folder)/\(folder)", withIntermediateDirectories: true)
            try program.write("id,name,city\n\(id),Ada,Reno\n", to: "\(folder)/c.csv")
            #expect(try await waypost("import", "\(folder)/c.csv", "--complete").code == 0)
        }
        #expect(try await keys() == ["id:1", "id:2"])
        // The same file by another path.
        #expect(try await imported("./a/../a/c.csv", "--complete")["unchanged"] as? Int == 1)
    }

    @Test func `the first refused contacts are printed, and the report has all`() async throws {
        defer { program.remove() }
        let bad = (1...30).map { _ in "\"a\"b,Reno\n" }.joined()
        try program.write("name,city\nAda,Reno\n" + bad, to: "a.csv")
        let outcome = try await waypost("import", "a.csv", "--report", "bad.csv")
        #expect(outcome.code == 1)
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
        #expect(try await waypost("import", "a.csv", "--report", "bad.csv").code == 0)
        #expect(try program.read("bad.csv") == "line,what,reason\n")
    }

    @Test func `a source is read in the given format`() async throws {
        defer { program.remove() }
        try program.write("# ours\nid = Nr\nname = Wer\ncity = Ort\n", to: "map.txt")
        try Data("Nr;Wer;Ort\n1;J\u{F6}rg;K\u{F6}ln\n".unicodeScalars.map { UInt8($0.value) })
            .write(to: URL(fileURLWithPath: "\(program.folder)/list"))
        let outcome = try await waypost(
            "import", "list", "--from", "csv", "--encoding", "windows-1252", "--mapping", "map.txt", "--country",
            "Saksa")
        #expect(outcome.code == 0, "\(outcome.error)")
        let row = try await Database.test.run { db in
            try db.query("SELECT name, city, country, country_code FROM friends JOIN addresses ON friend = friends.id")[
                0]
        }
        #expect(try row.read("name") == "Jörg")
        #expect(try row.read("city") == "Köln")
        #expect(try row.read("country_code") == "DE")
    }

    @Test func `a Monica server is a source, and its token comes from the environment`() async throws {
        defer { program.remove() }
        let server = try ScriptedServer { _ in
            .json(#"{"data":[{"id":1,"first_name":"Ada","addresses":[]}],"links":{"next":null},"meta":{"total":1}}"#)
        }
        defer { server.stop() }
        let unset = try await waypost("import", server.url)
        #expect(unset.code == 2)
        #expect(unset.error.contains("WAYPOST_MONICA_TOKEN is not set"), "\(unset.error)")
        let environment = ["DATABASE_URL": try Database.testURL, "WAYPOST_MONICA_TOKEN": "secret"]
        let outcome = try await program.run("import", server.url, "--complete", environment: environment)
        #expect(outcome.output.hasPrefix("1 contact added"), "\(outcome.error)")
        #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer secret" })
        #expect(try await keys() == ["monica:#1"])
    }

    @Test func `an import is taken back: what it added goes, and what it removed is back`() async throws {
        defer { program.remove() }
        try program.write("name,city,country\nAda,Reno,US\nBob,Ely,UK\n", to: "a.csv")
        #expect(try await waypost("import", "a.csv").code == 0)
        try program.write("name,city,country\nBob,Bonn,DE\nCid,Rome,IT\n", to: "a.csv")
        let second = try await waypost("import", "a.csv", "--complete")
        #expect(second.error.contains("--undo"), "\(second)")
        func names() async throws -> [String] {
            try await Database.test.run {
                try $0.query("SELECT name FROM friends WHERE deleted_at IS NULL ORDER BY name").map {
                    try $0.read("name")
                }
            }
        }
        #expect(try await names() == ["Bob", "Cid"])
        let undo = try await waypost("import", "a.csv", "--undo")
        #expect(undo.code == 0 && undo.output.contains("1 contact deleted, 1 restored"), "\(undo)")
        #expect(undo.error.contains("1 contact that it changed keeps its new values"), "\(undo)")
        #expect(try await names() == ["Ada", "Bob"])
        #expect(try await waypost("log", "--verb", "import.undo").output.contains("import.undo"))
        let first = try await waypost("import", "a.csv", "--undo")
        #expect(first.output.contains("2 contacts deleted, 0 restored"), "\(first)")
        #expect(try await names().isEmpty)
        let none = try await waypost("import", "a.csv", "--undo")
        #expect(none.code == 2 && none.error.contains("has no import of"), "\(none)")
        #expect(try await waypost("import", "a.csv").code == 0)
        #expect(try await names() == ["Bob", "Cid"])
    }

    @Test func `an import that is killed and repeated ends as if it had not been killed`() async throws {
        defer { program.remove() }
        let rows = (1...20_000).map { "\($0),Friend \($0),\($0 % 700) High St,Ely\n" }.joined()
        try program.write("id,name,street,city\n" + rows, to: "a.csv")
        #expect(try await waypost("import", "a.csv", "--account", "calm").code == 0)

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
        let differences = try await Database.test.run { db in
            try db.query(
                """
                SELECT source_key, friends.name, street, city, hash
                FROM friends JOIN addresses ON friend = friends.id JOIN accounts ON accounts.id = account
                GROUP BY 1, 2, 3, 4, 5
                HAVING count(*) <> 2 OR count(DISTINCT accounts.name) <> 2
                """
            ).count
        }
        #expect(differences == 0)
        #expect(try await count(of: "rough") == 20_000)
    }

    private func count(of account: String) async throws -> Int {
        try await Database.test.run { db in
            try db.query(
                "SELECT count(*) AS count FROM friends JOIN accounts ON accounts.id = account WHERE accounts.name = \(account)"
            )[0].read("count")
        }
    }
}
