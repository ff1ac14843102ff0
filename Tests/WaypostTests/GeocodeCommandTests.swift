import DatabaseTesting
import Foundation
import Glibc
import HTTPTesting
import Polling
import Postgres
import Processes
import Testing

/// On a cluster in which the test plays the worker.
@Suite(.database)
struct GeocodeCommandTests: CommandSuite {
    let program = Program()

    private func start(_ words: String...) throws -> RunningProgram {
        try RunningProgram(
            program, ["geocode"] + words + ["--timeout", "10m"], environment: ["DATABASE_URL": Database.testURL])
    }

    private func waitForImports(_ count: Int) async throws {
        try await pollUntil {
            try await Database.test.query("SELECT FROM imports WHERE finished_at IS NOT NULL").count >= count
        }
    }

    /// Answers the only waiting question.
    private func locate(_ city: String, as precision: String = "rooftop") async throws {
        let located = try await Database.test.query(
            """
            UPDATE geocodes
            SET status = 'located', job = NULL, latitude = 48.1, longitude = 11.6, precision = \(precision),
                is_weak = (street <> '' AND \(precision) = 'city'), confidence = 0.9, provider = 'gazetteer',
                geocoded_at = now()
            WHERE city = \(city) AND status = 'waiting'
            """
        ).affected
        #expect(located == 1)
    }

    @Test func `a killed run that is repeated continues and makes no call twice`() async throws {
        try program.write("Nr,name,city,country\n7,Ada,Reno,US\n8,Bob,Ely,UK\n", to: "a.csv")
        let killed = try start("a.csv", "-o", "b.csv", "-o", "b.ndjson")
        try await waitForImports(1)
        try await locate("Reno")
        killed.process.send(SIGKILL)
        _ = await killed.process.exit()
        #expect(!program.exists("b.csv"))

        let again = try start("a.csv", "-o", "b.csv", "-o", "b.ndjson")
        try await waitForImports(2)
        let jobs = try await Database.test.query("SELECT cardinality(subjects) AS count FROM jobs").map {
            try $0.read("count", as: Int.self)
        }
        #expect(jobs.reduce(0, +) == 2)
        // If the first question were asked again, this would update two.
        try await locate("Ely")
        #expect(await again.process.exit() == .code(0))
        #expect(
            try program.read("b.csv") == """
                Nr,name,city,country,latitude,longitude,precision,confidence,area_confidence,provider,status,matched_address,weak,reason,attribution
                7,Ada,Reno,US,48.1,11.6,rooftop,0.9,0.9,gazetteer,located,,false,,
                8,Bob,Ely,UK,48.1,11.6,rooftop,0.9,0.9,gazetteer,located,,false,,

                """)
        #expect(try program.read("b.ndjson").split(separator: "\n").count == 2)
    }

    @Test func `a connection cut during the wait costs nothing`() async throws {
        try program.write("name,city\nAda,Reno\n", to: "a.csv")
        let running = try start("a.csv", "-o", "b.csv")
        try await waitForImports(1)
        try await Database.test.run { db in
            // The command reads the workers, waits for our lock, and is cut off during that wait.
            try db.transaction { db in
                try db.query("LOCK TABLE workers")
                while try db.query(
                    """
                    SELECT pg_terminate_backend(pid)
                    FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock'
                    """
                ).isEmpty { try db.query("SELECT pg_stat_clear_snapshot()") }
            }
        }
        try await locate("Reno")
        #expect(await running.process.exit() == .code(0))
        #expect(try program.read("b.csv").contains("48.1,11.6"))
    }

    @Test func `the output has the file's present friends, in spite of a bad row`() async throws {
        try program.write("name,city\nAda,Reno\nBob,Reno\n", to: "a.csv")
        let first = try start("a.csv", "-o", "b.ndjson")
        try await waitForImports(1)
        try await locate("Reno")
        #expect(await first.process.exit() == .code(0))
        // Another friend in the same account, which is neither waited for nor written.
        try program.write("name,city\nEve,Oslo\n", to: "c.csv")
        try await waypost("import c.csv --account a.csv").expect(0)
        try program.write("name,city\nAda,Reno\n\"C\"y,Reno\n", to: "a.csv")
        try await waypost("geocode a.csv -o b.ndjson --report bad.csv").expect(1)
        let lines = try program.read("b.ndjson").split(separator: "\n")
        #expect(lines.count == 1 && lines[0].contains("Ada"))
        #expect(try program.read("bad.csv").contains("3,refused,"))
    }

    @Test func `vCards are copied with their places`() async throws {
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nNOTE:x\r\nADR:;;1 Main St;Reno;;;US\r\nEND:VCARD\r\n"
        try program.write(card, to: "a.vcf")
        let running = try start("a.vcf", "-o", "b.vcf")
        try await waitForImports(1)
        try await locate("Reno")
        #expect(await running.process.exit() == .code(0))
        #expect(try program.read("b.vcf") == card.replacing("END:VCARD", with: "GEO:48.1;11.6\r\nEND:VCARD"))
    }

    @Test func `a dry run prints the cost and writes nothing`() async throws {
        try program.write("name,city\nAda,Reno\nBob,Reno\nCy,Ely\n", to: "a.csv")
        try await waypost("geocode a.csv --dry-run").expect(has: "2 of them distinct: 0 known, 2 to ask for")
        let json = try #require(try await json("geocode a.csv -n") as? [String: Any])
        #expect(json["new"] as? Int == 2)
        #expect((json["lanes"] as? [[String: Any]])?.first?["lane"] as? String == "gazetteer")
        let rows = try await Database.test.query(
            "SELECT FROM imports UNION ALL SELECT FROM friends UNION ALL SELECT FROM geocodes"
        ).count
        #expect(rows == 0)
        try await waypost("geocode a.csv -n -o b.csv").expect(2)

        try await program.run("geocode a.csv --dry-run").expect(0)
        #expect(!program.exists(".waypost"))
    }

    @Test func `the wait ends at its limit, and the answers so far are written`() async throws {
        try program.write("name,street,city\nAda,1 High St,Reno\nBob,,Ely\n", to: "a.csv")
        let running = try start("a.csv", "-o", "b.csv")
        try await waitForImports(1)
        try await Database.test.query("UPDATE lanes SET paused_at = now()")
        try await locate("Reno", as: "city")
        running.process.send(SIGINT)
        try await running.wait(for: "Run the same command again to go on")
        #expect(await running.process.exit() == .code(130))

        try await waypost("geocode a.csv -o b.csv --timeout 200ms").expect(
            1, has: "of them weak", "1 roughly: town", error: "1 of 2 addresses has no answer after 200 ms")
        let rows = try program.read("b.csv").split(separator: "\n")
        #expect(rows[1].contains("48.1,11.6") && rows[2].hasSuffix("waiting,,,no provider has answered yet,"))
        let json = try #require(try await json("geocode a.csv -o b.csv --timeout 0s") as? [String: Any])
        #expect(json["weak"] as? Int == 1)
        #expect((json["by_status"] as? [String: Int])?["waiting"] == 1)
        #expect((json["next"] as? [String])?.contains { $0.hasPrefix("Run the same command again") } == true)
    }

    @Test func `a provider that always fails does not prevent other answers, and its reason is shown`() async throws {
        let page = "<html><title>Maintenance</title></html>"
        let server = try ScriptedServer { _ in .json(page, type: "text/html") }
        defer { server.stop() }
        let environment = ["WAYPOST_NOMINATIM_URL": server.url]
        try program.write("name,street,city,country\nAda,Hamngatan 1,Stockholm,SE\n", to: "a.csv")
        let arguments = ["geocode", "a.csv", "-o", "b.csv", "-o", "b.geojson"]
        let running = try RunningProgram(program, arguments, environment: environment)
        try await running.wait(for: "nominatim answered 200 with an HTML page: maintenance")
        running.process.send(SIGINT)
        #expect(await running.process.exit() == .code(130))

        try await program.run(arguments + ["--timeout", "0s"], environment: environment).expect(
            1, has: "1 friend with 1 address\n", error: "for 1 of them the best place so far was written")
        let row = try program.read("b.csv").split(separator: "\n")[1]
        #expect(row.hasPrefix("Ada,Hamngatan 1,Stockholm,SE,59."), "\(row)")
        #expect(row.contains(",city,"))
        let reason = "roughly: town; still waiting for nominatim"
        #expect(row.contains(reason))
        #expect(try program.read("b.geojson").contains(#""reason":"\#(reason)""#))

        try await program.run("lanes list", environment: environment).expect(
            has: "nominatim answered 200 with an HTML page: maintenance")
        try await program.run("jobs list", environment: environment).expect(
            has: "nominatim answered 200 with an HTML page: maintenance")
    }

    @Test func `without --timeout the file is written when nothing has moved for twenty seconds`() async throws {
        try program.write("name,city,country\nAda,Reno,US\nBob,Ely,UK\n", to: "a.csv")
        _ = try await waypost("lanes pause gazetteer")
        try await waypost("geocode a.csv -o b.csv").expect(
            1, has: "Run the same command again", "--timeout 2h", error: "2 of 2 addresses have no answer after")
        #expect(try program.read("b.csv").split(separator: "\n").count == 3)
    }

    @Test(arguments: [false, true])
    func `a provider in the environment is called after the gazetteer, unless the chain was set`(
        isSet: Bool
    ) async throws {
        let place = """
            [{"lat": "59.33", "lon": "18.07", "category": "place", "type": "house", "osm_type": "node",
            "address": {"road": "Hamngatan", "house_number": "1", "city": "Stockholm", "country_code": "se"}}]
            """
        let server = try ScriptedServer { _ in .json(place) }
        defer { server.stop() }
        let environment = ["WAYPOST_NOMINATIM_URL": server.url]
        if isSet {
            // A chain can be set before a cluster exists: the folder's private server is started for it.
            try await program.run("chains set default gazetteer", environment: environment).expect(0)
        }
        try program.write("name,street,city,country\nAda,Hamngatan 1,Stockholm,SE\n", to: "a.csv")
        let outcome = try await program.run("geocode a.csv -o b.csv", environment: environment).expect(0)
        let requests = isSet ? "no requests: all offline" : "1 request to nominatim, the rest offline"
        #expect(outcome.output.contains("\(requests); 1 address, "), "\(outcome)")
        #expect(server.requests.isEmpty == isSet)
        #expect(try program.read("b.csv").contains(isSet ? ",city," : ",rooftop,"))
    }

    @Test func `an existing file is overwritten only on request, whatever it is called`() async throws {
        try program.write("Nr,city\n7,Reno\n", to: "a.csv")
        try FileManager.default.createSymbolicLink(atPath: "\(program.folder)/link.csv", withDestinationPath: "a.csv")
        for output in ["a.csv", "./a.csv", "link.csv"] {
            try await waypost("geocode a.csv -o", output).expect(2, error: "is the source itself")
        }
        try program.write(#"{"city":"Ely"}"# + "\n", to: "a.ndjson")
        try await waypost("geocode a.ndjson --in-place").expect(2)
        #expect(try program.read("a.csv") == "Nr,city\n7,Reno\n")
        let running = try start("a.csv", "--in-place")
        try await waitForImports(1)
        try await locate("Reno")
        #expect(await running.process.exit() == .code(0))
        #expect(try program.read("a.csv").hasPrefix("Nr,city,latitude,"))
    }

    @Test(arguments: ["nosuch.csv", "Berlin.pdf", "x.docx", "x.xlsx"])
    func `the name of a missing file is not taken for an address`(name: String) async throws {
        try await waypost("geocode", name).expect(1, error: "\(name): no such file")
    }
}
