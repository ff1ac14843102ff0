import DatabaseTesting
import Foundation
import Locations
import Postgres
import Testing
import Tracking

@Suite(.timeLimit(.minutes(10)))
struct TrackersUsageTests {
    private let program = Program()

    @Test func `the help for tokens names each scope and its rights`() async throws {
        let help = try await program.run("tokens create --help").output
        for scope in ["read", "write", "track", "locate", "admin"] {
            #expect(help.contains(try Regex("\n *\(scope) +[a-z]")), "\(scope): \(help)")
        }
    }
}

@Suite(.database)
struct TrackersCommandTests: CommandSuite {
    let program = Program()

    /// Ada stayed at a place in Helsinki for two minutes on the 1st, and was in Turku on the 2nd. A fix in between is
    /// doubted.
    private func trackAda() async throws {
        try await waypost("trackers start ada --account app --since 2026-11-01 --radius 80").expect(
            0, prints: "Tracking is on; it began at 2026-11-01T00:00:00.000Z.\n")
        // From 10:00 UTC on the 1st to 08:00 on the 2nd.
        let fixes = [
            Fix(id: "a", lat: 60.17, lng: 24.94, accuracy: 5, timestamp: 1_793_527_200),
            Fix(id: "b", lat: 60.1701, lng: 24.94, timestamp: 1_793_527_320),
            Fix(id: "c", lat: 10, lng: 10, timestamp: 1_793_527_321),
            Fix(id: "d", lat: 60.45, lng: 22.27, timestamp: 1_793_606_400),
        ]
        let fates = try await Database.test.run { db throws in
            let account: Int = try db.query("SELECT id FROM accounts WHERE name = 'app'")[0].read("id")
            return try TrackerStore().record(fixes.map { UserFix($0, of: "ada") }, account: account, on: db)
        }
        #expect(fates == [.taken, .taken, .doubted, .taken])
    }

    @Test func `start creates a tracker or changes only the given settings, and stop turns it off`() async throws {
        try await waypost("trackers start ada --account app").expect(0)
        try await waypost("trackers start ada --account app --radius 80 --top-speed 60 --drop-doubted").expect(0)
        try await waypost("trackers start ada --account app").expect(0)
        let shown = try #require(try await json("trackers show ada --account app") as? [String: Any])
        #expect(shown["tracking"] as? Bool == true)
        #expect(shown["radius"] as? Double == 80 && shown["top_speed"] as? Double == 60)
        #expect(shown["keeps_doubted"] as? Bool == false)

        let stopped = try await waypost("trackers stop ada --account app")
        #expect(stopped.output.hasPrefix("Tracking is off."))
        #expect(try await waypost("trackers list --account app").output.contains(try Regex("ada +off")))
    }

    @Test func `list and show print no position unless requested`() async throws {
        try await trackAda()
        let list = try await waypost("trackers list --account app").expect(has: "2026-11-02T08:00:00.000Z", "80 m")
        let show = try await waypost("trackers show ada --account app")
        for text in [#"fixes +4"#, #"of them doubted +1"#, #"locations +2"#, #"tracking +on"#] {
            #expect(show.output.contains(try Regex(text)), "\(text): \(show.output)\(show.error)")
        }
        let listed = try await waypost("trackers list --account app --json")
        let shown = try await waypost("trackers show ada --account app --json")
        for outcome in [list, show, listed, shown] {
            #expect(outcome.code == 0)
            for degrees in ["60.17", "24.94", "60.45", "22.27"] { #expect(!outcome.output.contains(degrees)) }
        }
        try await waypost("trackers show ada --account app --coordinates").expect(has: "60.45,22.27")
    }

    @Test func `locations list shows those of a period, for one user and account`() async throws {
        try await trackAda()
        let all = try #require(try await json("locations list --user ada --account app") as? [[String: Any]])
        #expect(all.map { $0["id"] as? String } == ["a", "d"])
        #expect(all.map { $0["wait_time"] as? Double } == [120, 0])
        let first = try await waypost("locations list --user ada --account app --until 2026-11-02 --uploaded false")
        #expect(first.output.contains("2 min") && !first.output.contains("60.45"), "\(first.output)")
        try await waypost("locations list --user ada --account app --limit 1").expect(
            error: "There are more: --from 2026-11-02T08:00:00.000Z")
        try await waypost("locations list --user ada --account app --uploaded true").expect(
            prints: "No location of this user matches.\n")
    }

    @Test func `a track is exported whole, page by page, in the format of its name`() async throws {
        try await trackAda()
        // More than two pages of locations, a minute apart.
        try await Database.test.run(
            script: """
                INSERT INTO pending_locations (tracker, account, at, id, lat, lng, wait_time)
                SELECT id, account, '2026-11-03 00:00Z'::timestamptz + n * interval '1 minute', n, 50, n / 1000.0, 0
                FROM trackers, generate_series(1, 10001) AS n
                """)
        try await waypost("locations export --user ada --account app -o track.geojson").expect(
            0, error: "Wrote 10,003 locations to track.geojson.")
        let file = try JSONSerialization.jsonObject(with: Data(try program.read("track.geojson").utf8))
        let features = try #require((file as? [String: Any])?["features"] as? [[String: Any]])
        #expect(features.count == 10_003)
        #expect(Set(features.compactMap { $0["id"] as? String }).count == 10_003)

        try await waypost("locations export --user ada --account app --until 2026-11-03 -o track.gpx").expect(0)
        // A stay has one point for its beginning and one for its end.
        #expect(try program.read("track.gpx").components(separatedBy: "<trkpt ").count - 1 == 3)
        let streamed = try await waypost(
            "locations export --user ada --account app --until 2026-11-03 -o - --format gpx")
        #expect(try program.read("track.gpx") == streamed.output)
    }

    @Test func `erase asks first, deletes everything of the user and no others, and counts again`() async throws {
        try await trackAda()
        try await waypost("trackers start bob --account app").expect(0)
        try await waypost("trackers erase ada --account app").expect(
            2, error: "Delete 4 fixes and 2 locations of this user")
        try await waypost("trackers show ada --account app").expect(0)

        let erased = try await waypost("trackers erase ada --account app --yes").expect(0)
        #expect(
            erased.output == """
                Deleted the tracker, 4 fixes and 2 locations.
                Counted again: 0 rows are left.

                """)
        #expect(erased.error.contains("Backups and WAL archives"))
        try await Database.test.run { db throws in
            #expect(try rows("SELECT FROM fixes", on: db).isEmpty)
            #expect(try rows("SELECT FROM pending_locations", on: db).isEmpty)
            #expect(try rows("SELECT FROM trackers WHERE user_id = 'bob'", on: db).count == 1)
        }
    }

    @Test(arguments: [
        ["trackers", "show", "eve"], ["trackers", "stop", "eve"], ["trackers", "erase", "eve", "--yes"],
        ["locations", "list", "--user", "eve"], ["locations", "export", "--user", "eve", "-o", "eve.gpx"],
    ]) func `a user without a tracker is reported, and exits with 1`(_ words: [String]) async throws {
        try await waypost("trackers start ada --account app").expect(0)
        let user = try await waypost(words + ["--account", "app"]).expect(
            1, error: "this user has no tracker in account \"app\"")
        #expect(!user.error.contains("eve"))
        try await waypost(words + ["--account", "nobody"]).expect(1, error: "there is no account called \"nobody\"")
        #expect(!program.exists("eve.gpx"))
    }
}
