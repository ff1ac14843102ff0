import DatabaseTesting
import Foundation
import Postgres
import Testing

@Suite(.database)
struct HistoryCommandTests: CommandSuite {
    let program = Program()

    /// Ten minutes at one place, and ten minutes at another one an hour later. One point has no time.
    private static let gpx: String = {
        func point(_ lat: Double, _ minute: Int) -> String {
            let time = String(format: "2023-05-01T%02d:%02d:00Z", 8 + minute / 60, minute % 60)
            return "<trkpt lat=\"\(lat)\" lon=\"24.94\"><time>\(time)</time></trkpt>"
        }
        let points = (0...10).map { point(60.17, $0) } + (60...70).map { point(60.45, $0) }
        return """
            <gpx version="1.1"><trk><trkseg>
            \(points.joined(separator: "\n"))
            <trkpt lat="60.5" lon="25"/>
            </trkseg></trk></gpx>
            """
    }()

    @Test func `a history is imported once, and its places are asked`() async throws {
        try program.write(Self.gpx, to: "may.gpx")
        let first = try await waypost("import may.gpx --tracker ada --account app --name-stays").expect(1)
        #expect(
            first.output == """
                22 fixes stored, 0 known already, 1 refused.
                The user had no tracker: one was created. It is off; 'waypost trackers start' lets a phone send fixes.
                2 stays in 2 places, of which 2 had not been asked before.

                """, "\(first.error)")
        #expect(first.error.contains("may.gpx, line 24: the fix has no time"))
        #expect(!(first.output + first.error).contains("60."))

        let again = try await waypost("import may.gpx --tracker ada --account app --json")
        let summary = try #require(
            try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any], "\(again.error)")
        #expect(summary["stored"] as? Int == 0 && summary["repeated"] as? Int == 22)
        #expect(summary["is_new_tracker"] as? Bool == false && summary["refusal_count"] as? Int == 1)
        let named = try #require(try await json("locations name --account app") as? [String: Int])
        #expect(named == ["stays": 2, "places": 2, "asked": 0])

        let show = try await waypost("trackers show ada --account app")
        #expect(show.output.contains(try Regex("tracking +off")))
        #expect(show.output.contains(try Regex("locations +2")))
    }

    @Test func `a known place is listed`() async throws {
        try program.write(Self.gpx, to: "may.gpx")
        _ = try await waypost("import may.gpx --tracker ada --account app --name-stays")
        try await Database.test.run(
            script: """
                UPDATE geocodes
                SET status = 'located', job = NULL, latitude = 60.45, longitude = 24.94, precision = 'city',
                    placemark = '{"locality": "Turku", "countryCode": "FI"}', provider = 'gazetteer'
                WHERE at_latitude > 60.4
                """)
        let list = try await waypost("locations list --user ada --account app")
        #expect(list.output.contains(try Regex("PLACE\n(.*\n)*.*24.94 .* TURKU")), "\(list.output)")
        let listed = try #require(try await json("locations list --user ada --account app") as? [[String: Any]])
        #expect((listed.last?["place"] as? String)?.contains("TURKU") == true)
        #expect(listed.first?["place"] is NSNull || listed.first?["place"] == nil)
    }

    @Test(arguments: [
        (["may.gpx"], 2, "may.gpx is a history of positions; say whose with --tracker USER"),
        (["may.gpx", "--tracker", ""], 2, "USER is empty"),
        (["may.gpx", "--tracker", "ada", "--feed", "x"], 2, "only --account, --report, --name-stays and --json"),
        (["may.gpx", "--tracker", "ada", "--from", "csv"], 2, "only --account, --report, --name-stays and --json"),
        (["contacts.csv", "--tracker", "ada"], 1, "contacts.csv: is not a history of positions; those are GPX"),
        (["nothing.gpx", "--tracker", "ada"], 1, "nothing.gpx: no such file"),
        (["contacts.csv", "--name-stays"], 2, "--name-stays is for --tracker"),
        (["half.gpx", "--tracker", "ada"], 1, "half.gpx: line 2: the XML ends in the middle"),
    ]) func `an unusable history is reported in one sentence`(_ words: [String], _ code: Int32, _ hint: String)
        async throws
    {
        try program.write(Self.gpx, to: "may.gpx")
        try program.write("<gpx><trk>\n", to: "half.gpx")
        try program.write("name,city,country\nAda,Reno,US\n", to: "contacts.csv")
        let outcome = try await waypost(["import"] + words)
        #expect(outcome.code == code && outcome.error.contains(hint), "\(outcome.code): \(outcome.error)")
    }
}
