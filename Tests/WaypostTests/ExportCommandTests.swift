import DatabaseTesting
import Foundation
import Postgres
import Processes
import Testing

@Suite(.database)
struct ExportCommandTests: CommandSuite {
    let program = Program()

    /// Ada is located with certainty in Germany; Bob is not found in Finland; Cy is waiting.
    private func importSome() async throws {
        try program.write(
            """
            name,label,street,city,country
            Ada,home,Marienplatz 1,München,Deutschland
            Bob,work,Mannerheimintie 1,Helsinki,Finland
            Cy,home,1 Main St,Reno,US
            """, to: "contacts.csv")
        try await waypost("import contacts.csv").expect(0)
        try await Database.test.run(
            script: """
                UPDATE addresses SET country_code = CASE city WHEN 'München' THEN 'DE' WHEN 'Helsinki' THEN 'FI' END;
                UPDATE geocodes SET status = 'located', job = NULL, latitude = 48.1, longitude = 11.6,
                    precision = 'rooftop', confidence = 0.9, provider = 'gazetteer' WHERE city = 'München';
                UPDATE geocodes SET status = 'not_found', job = NULL, provider = 'gazetteer' WHERE city = 'Helsinki';
                UPDATE lanes SET attribution = '© the gazetteer';
                """)
    }

    @Test func `no output appears when one of several fails`() async throws {
        try await importSome()
        try FileManager.default.createSymbolicLink(
            atPath: "\(program.folder)/full.geojson", withDestinationPath: "/dev/full")
        let export = try await waypost("export -o a.csv -o full.geojson -o b.kml").expect(1)
        #expect(export.error.hasSuffix("waypost: full.geojson: no space left on the disk\n"))
        #expect(!program.exists("a.csv") && !program.exists("b.kml"))
        // One output is a copy of the source file, and no question is waiting.
        try await Database.test.query("UPDATE geocodes SET status = 'not_found', job = NULL WHERE status = 'waiting'")
        try await waypost("geocode contacts.csv --account default -o a.csv -o full.geojson").expect(1)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: program.folder).sorted() == [
                "contacts.csv", "full.geojson",
            ])
    }

    @Test func `one export writes all formats at once`() async throws {
        try await importSome()
        try await waypost("export -o a.csv -o a.geojson -o a.kml -o a.ndjson -o a.html").expect(0)
        #expect(try program.read("a.csv").split(separator: "\n").count == 4)
        #expect(try program.read("a.ndjson").split(separator: "\n").count == 3)
        let page = try program.read("a.html")
        for word in ["Ada", "Bob", "© the gazetteer", "not found"] {
            #expect(page.contains(word), "\(word)")
        }
        for name in ["a.geojson", "a.kml"] {
            let text = try program.read(name)
            #expect(text.contains("Ada") && !text.contains("Bob") && text.contains("© the gazetteer"), "\(name)")
        }
    }

    @Test func `filters select the exported places`() async throws {
        try await importSome()
        for (words, names) in [
            (["--country", "Suomi", "--country", "de"], ["Ada", "Bob"]), (["--status", "waiting"], ["Cy"]),
            (["--label", "HOME"], ["Ada", "Cy"]), (["--min-confidence", "0.9"], ["Ada"]),
            (["--account", "nobody"], []),
        ] {
            let outcome = try await program.run(
                ["export", "--format", "ndjson"] + words, environment: ["DATABASE_URL": Database.testURL]
            ).expect(0)
            let found = ["Ada", "Bob", "Cy"].filter { outcome.output.contains("\"name\":\"\($0)\"") }
            #expect(found == names, "\(words)")
        }
    }

    @Test func `a closed standard output is an error, whatever file gets its number`() async throws {
        try await importSome()
        let outcome = try await ChildProcess.output(
            of: "/bin/sh", ["-c", "exec \"$0\" export -o - <&- >&-", Program.path],
            environment: Program.environment(["DATABASE_URL": Database.testURL]), directory: program.folder)
        #expect(!outcome.exit.isSuccess)
        #expect(String(decoding: outcome.error, as: UTF8.self).contains("standard output: "))
    }

    @Test func `standard output is CSV, or the requested format`() async throws {
        try await importSome()
        let table = try await waypost("export -o -")
        #expect(table.output.hasPrefix("key,name,label"))
        let map = try await waypost("export -o - -o a.csv --format kml")
        #expect(map.output.hasPrefix("<?xml") && map.output.hasSuffix("</kml>\n"))
        #expect(try program.read("a.csv") == table.output)
    }
}
