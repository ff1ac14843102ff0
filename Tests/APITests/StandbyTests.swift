import DatabaseTesting
import Foundation
import HTTP
import JSON
import Polling
import Postgres
import Processes
import Testing

@testable import API

/// Reads from a real standby, whose replay the tests pause.
@Suite(.timeLimit(.minutes(15))) struct StandbyTests {
    private struct Scene {
        let client: APIClient
        let server: PrivateServer
        /// The standby, with all rights.
        let copy: Database
        let metrics: Metrics
        var standby: Standby { get throws { try #require(client.server.backend.standby) } }

        /// How many reads had this outcome.
        func reads(_ outcome: String) throws -> Int {
            let text = metrics.text.split(separator: "\n").first { $0.contains("reads_total{outcome=\"\(outcome)\"}") }
            return try #require(text?.split(separator: " ").last.flatMap { Int($0) })
        }

        /// Returns what `body` returns, and requires that the standby has answered.
        func fromStandby<Value>(_ body: () async throws -> Value) async throws -> Value {
            let before = try reads("answered")
            let value = try await body()
            #expect(try reads("answered") > before)
            return value
        }

        func put(_ key: String, _ name: String) async throws -> APIClient.Answer {
            try await client.send(.put, "/v1/feeds/crm/friends/\(key)", #"{"name":"\#(name)","addresses":[]}"#)
        }

        func name(_ key: String, headers: HTTPHeaders = [:]) async throws -> String? {
            try await client.get("/v1/feeds/crm/friends/\(key)", headers: headers).at("name")?.text
        }

        /// Waits until the standby has all that is committed now, and the API has noticed that.
        func catchUp() async throws {
            let now = try await Database.test.run { try LogPosition(on: $0) }
            try await pollUntil { try await copy.run { try LogPosition(on: $0) }.position >= now.position }
            let time = ContinuousClock.now
            try await pollUntil { try standby.state == .used && standby.lag.map { .now - $0 > time } ?? false }
        }

        func pause() async throws {
            try await catchUp()
            try await copy.run { try $0.query("SELECT pg_wal_replay_pause()") }
            try await pollUntil {
                try await copy.run { try rows("SELECT pg_get_wal_replay_pause_state() AS state", on: $0)[0] }
                    .read("state") == "paused"
            }
        }

        func resume() async throws {
            try await copy.run { try $0.query("SELECT pg_wal_replay_resume()") }
            try await catchUp()
        }
    }

    private func withStandby(
        longestLag: Duration = .seconds(600), patience: Duration = .seconds(600), _ body: (Scene) async throws -> Void
    ) async throws {
        try await Database.replicated { server in
            var options = Database.Options(size: 8)
            (options.role, options.plansOnce) = ("waypost_api", true)
            let database = Database(url: try Database.testURL, options: options)
            (options.applicationName, options.size) = ("standby test", 6)
            let (metrics, log) = (Metrics(), Log(format: .logfmt) { _ in })
            let standby = Standby(
                Database(url: server.url, options: options), longestLag: longestLag, log: log, metrics: metrics,
                patience: patience)
            let client = try await APIClient.test(log: log) {
                ($0.database, $0.standby) = (database, standby)
                ($0.requestLimit, $0.silenceLimit) = (.seconds(600), .seconds(600))
            }
            let copy = Database(url: server.url, options: Database.Options(size: 2))
            let scene = Scene(client: client, server: server, copy: copy, metrics: metrics)
            let watching = Task { await client.server.watchDatabase() }
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(scene)) } catch { outcome = .failure(error) }
            watching.cancel()
            await watching.value
            for database in [copy, standby.database, database] { await database.close() }
            try outcome.get()
        }
    }

    @Test func `contacts, places, progress and positions are read from the standby`() async throws {
        try await withStandby { scene in
            let body = #"{"name":"Ada","addresses":[{"city":"Reno"},{"city":"Ely"}]}"#
            let ada = try await scene.client.send(.put, "/v1/feeds/crm/friends/a", body)
            let id = Int(try #require(try ada.at("id")?.number))
            #expect(try await scene.client.send(.post, "/v1/trackers/ada/start").status == 200)
            try await scene.catchUp()
            for target in [
                "/v1/friends", "/v1/friends?query=ada", "/v1/friends/\(id)?waits_for=true&add=all",
                "/v1/feeds/crm/friends/a", "/v1/places?bbox=-180,-90,180,90&add=all", "/v1/places?near=39.5,-119.8",
                "/v1/progress", "/v1/progress?feed=crm", "/api/contacts", "/api/contacts?query=ada&page=2",
                "/api/contacts/\(id)", "/api/addresses", "/api/contacts/\(id)/addresses",
                "/v1/trackers?add=counts", "/v1/trackers/ada", "/v1/trackers/ada/locations",
                "/v1/trackers/ada/current", "/v1/trackers/ada/track.gpx",
            ] {
                let answer = try await scene.fromStandby { try await scene.client.get(target) }
                #expect(answer.status == 200)
                #expect(answer.headers["RateLimit-Policy"]?.contains("q=3;") == true)
            }
            let batch = try await scene.fromStandby {
                try await scene.client.send(.post, "/v1/friends/batch", #"{"ids":[\#(id)]}"#)
            }
            #expect(batch.status == 200 && batch.headers["Database-Position"] == nil)
            for outcome in ["behind", "unusable", "failed"] { #expect(try scene.reads(outcome) == 0) }
            let health = try await scene.client.get("/health")
            #expect(try health.at("standby", "state")?.text == "used")
            #expect(try #require(health.at("standby", "lag_seconds")?.number) < 600)
        }
    }

    @Test func `a client that sends the position of its write reads what it wrote`() async throws {
        try await withStandby { scene in
            _ = try await scene.put("a", "Ada")
            try await scene.pause()
            let position = try #require(try await scene.put("a", "Eve").headers["Database-Position"])
            #expect(try await scene.fromStandby { try await scene.name("a") } == "Ada")
            #expect(try await scene.name("a", headers: ["Database-Position": position]) == "Eve")
            #expect(try await scene.client.get("/v1/friends", headers: ["Database-Position": "x"]).status == 400)
            // Tokens are checked by the database.
            try await Database.test.query("UPDATE tokens SET revoked_at = now() WHERE name = 'reader'")
            let reader = scene.client.with(token: "reader")
            #expect(try await reader.get("/v1/friends").status == 401)
            try await scene.resume()
            #expect(
                try await scene.fromStandby { try await scene.name("a", headers: ["Database-Position": position]) }
                    == "Eve")
        }
    }

    @Test func `data older than the limit is not shown`() async throws {
        try await withStandby(longestLag: .seconds(2)) { scene in
            _ = try await scene.put("a", "Ada")
            try await scene.pause()
            _ = try await scene.put("a", "Eve")
            let written = ContinuousClock.now
            // Each reply with the old name began before the limit was over.
            var began = ContinuousClock.now
            while try await scene.name("a") == "Ada" {
                try #require(began - written < .seconds(2))
                began = .now
            }
            #expect(try scene.standby.state == .behind)
            #expect(try await scene.client.get("/health").at("standby", "state")?.text == "behind")
            try await scene.resume()
            #expect(try await scene.name("a") == "Eve")
        }
    }

    @Test func `no change is lost between pages of the standby and of the database`() async throws {
        try await withStandby { scene in
            func page(_ cursor: String, headers: HTTPHeaders = [:]) async throws -> (names: [String], next: String) {
                let answer = try await scene.client.get("/v1/friends?updated_since=\(cursor)", headers: headers)
                try #require(answer.status == 200, "\(answer.text)")
                let names = try answer.at("data")?.list?.compactMap { try $0.at(["name"])?.text } ?? []
                return (names, try #require(try answer.at("next_since")?.text))
            }
            _ = try await scene.put("a", "Ada")
            let first = try await page("0")
            #expect(first.names == ["Ada"])
            try await scene.pause()
            let position = try #require(try await scene.put("b", "Bob").headers["Database-Position"])
            // The standby does not have the change yet, and its cursor stays before it.
            let behind = try await scene.fromStandby { try await page(first.next) }
            #expect(behind.names == [] && behind.next == first.next)
            let second = try await page(behind.next, headers: ["Database-Position": position])
            #expect(second.names == ["Bob"])
            // The cursor of the database is beyond the standby, which must not report that changes are lost.
            _ = try await scene.put("c", "Cleo")
            let third = try await page(second.next)
            #expect(third.names == ["Cleo"])
            try await scene.resume()

            // The standby shows a commit that waits for another standby, and the database does not.
            let isWritten = Locked(false)
            let writing = Task {
                // The server needs a moment to read its settings.
                var number = 0
                while !isWritten.withLock({ $0 }) {
                    number += 1
                    _ = try await scene.put("d", "Dora \(number)")
                }
            }
            try await Database.test.run { db in
                try db.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
                try db.query("SELECT pg_reload_conf()")
            }
            var shown = ""
            func waits() async throws -> Bool {
                try await Database.test.run { db in
                    try !db.query("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'").isEmpty
                }
            }
            try await pollUntil(waits)
            isWritten.withLock { $0 = true }
            func newest(on database: Database) async throws -> String {
                try await database.run {
                    try rows("SELECT name FROM friends ORDER BY changed_in DESC LIMIT 1", on: $0)[0].read("name")
                }
            }
            try await pollUntil {
                shown = try await newest(on: scene.copy)
                return try await newest(on: .test) != shown
            }
            var last = third
            repeat { last = try await page(last.next) } while last.names != []
            try await Database.test.run { db in
                try db.query("ALTER SYSTEM RESET synchronous_standby_names")
                try db.query("SELECT pg_reload_conf()")
            }
            try await writing.value
            #expect(try await page(last.next).names == [shown])
            try await scene.catchUp()
            #expect(try await page(last.next).names == [shown])
        }
    }

    @Test func `the database answers if the standby is in conflict, frozen, foreign, promoted or gone`() async throws {
        try await withStandby(patience: .seconds(4)) { scene in
            let database = try Database.test
            _ = try await scene.put("a", "Ada")
            // A read on the standby waits for a lock that this test takes there.
            try await database.run(within: nil) {
                try $0.run(
                    script: """
                        CREATE FUNCTION slow() RETURNS boolean LANGUAGE plpgsql VOLATILE AS
                        $$ BEGIN
                            IF pg_is_in_recovery() THEN PERFORM pg_advisory_xact_lock_shared(4711); END IF;
                            RETURN true;
                        END $$;
                        GRANT EXECUTE ON FUNCTION slow() TO waypost_api;
                        CREATE POLICY slow ON friends AS RESTRICTIVE TO waypost_api USING (slow());
                        """)
            }
            try await scene.catchUp()
            #expect(try await scene.fromStandby { try await scene.name("a") } == "Ada")

            // The pool lends the same session again, because no two callers use it at once.
            try await scene.copy.run { try $0.query("SELECT pg_advisory_lock(4711)") }
            let failed = try scene.reads("failed")
            let reading = Task { try await scene.name("a") }
            try await pollUntil {
                try await !scene.copy.run {
                    try rows("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted", on: $0)
                }.isEmpty
            }
            try await database.transaction { try $0.query("LOCK TABLE friends IN ACCESS EXCLUSIVE MODE") }
            #expect(try await reading.value == "Ada")
            #expect(try scene.reads("failed") == failed + 1)
            try await scene.copy.run { try $0.query("SELECT pg_advisory_unlock_all()") }

            let frozen: [Int] = try await scene.copy.run {
                try $0.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'standby test'")
                    .map { try $0.read("pid") }
            }
            try #require(frozen.count >= 2)
            for pid in frozen { kill(pid_t(pid), SIGSTOP) }
            let name = try? await scene.name("a")
            for pid in frozen { kill(pid_t(pid), SIGCONT) }
            #expect(name == "Ada")
            #expect(try scene.reads("unusable") > 0)
            try await pollUntil { try scene.standby.state == .used }

            let other = Standby(
                Database(url: scene.server.url(of: "postgres"), options: Database.Options(size: 1)),
                longestLag: .seconds(600), log: Log(format: .logfmt) { _ in }, metrics: Metrics())
            let watching = Task { await other.watch.run() }
            try await database.run { other.note(ofPrimary: $0) }
            try await pollUntil { other.state == .foreign }
            #expect(other.target(after: nil) == nil)
            watching.cancel()

            try await scene.copy.run { db in
                try db.query("SELECT pg_promote()")
                try db.query("UPDATE friends SET name = 'Eve'")
            }
            #expect(try await scene.name("a") == "Ada")
            try await pollUntil { try scene.standby.state == .promoted }

            await scene.server.stop()
            #expect(try await scene.name("a") == "Ada")
            try await pollUntil { try scene.standby.state == .unreachable }
            #expect(try await scene.name("a") == "Ada")
        }
    }
}

@Suite struct ReplayNotesTests {
    private let start = ContinuousClock.now

    @Test func `a standby is used while it has all that was committed before the limit`() {
        var notes = ReplayNotes(longestLag: .seconds(5))
        notes.look(replayed: 90)
        #expect(notes.target(at: start) == nil)
        for second in 0...10 { notes.note(100 + second, at: start + .seconds(second), standby: 90) }
        // The note of second 4 is too old.
        notes.look(replayed: 104)
        #expect(notes.target(at: start + .seconds(10)) == nil)
        notes.look(replayed: 106)
        #expect(notes.currentAt == start + .seconds(6))
        #expect(notes.target(at: start + .seconds(10)) == 105)
        #expect(notes.target(at: start + .seconds(11)) == 106)
        #expect(notes.target(at: start + .seconds(12)) == nil)
    }

    @Test func `a standby that has more than the new primary is not used until it has a newer note`() {
        var notes = ReplayNotes(longestLag: .seconds(5))
        notes.note(100, at: start, standby: 0)
        notes.look(replayed: 100)
        #expect(notes.target(at: start) == 100)
        // The new primary has less than the standby, and then more.
        notes.note(80, at: start + .seconds(1), standby: 100)
        #expect(notes.target(at: start + .seconds(1)) == nil)
        notes.look(replayed: 100)
        notes.note(120, at: start + .seconds(2), standby: 100)
        notes.look(replayed: 100)
        #expect(notes.target(at: start + .seconds(2)) == nil)
        notes.look(replayed: 120)
        #expect(notes.target(at: start + .seconds(2)) == 120)
    }
}
