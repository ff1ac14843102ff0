import DatabaseTesting
import Foundation
import Locations
import Polling
import Postgres
import Processes
import SinkTesting
import Testing
import Tracking

@Suite(.database)
struct SinksCommandTests: CommandSuite {
    let program = Program()
    private let key = String(repeating: "ab", count: 32)

    private func waypost(withKey words: String...) async throws -> Program.Outcome { try await waypost(withKey: words) }

    private func waypost(withKey words: [String]) async throws -> Program.Outcome {
        try await program.run(words, environment: ["DATABASE_URL": Database.testURL, "WAYPOST_SEALING_KEYS": key])
    }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = program.folder + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test(arguments: [
        (["sinks", "add", "a"], "--kind"),
        (["sinks", "add", "A b", "--kind", "webhook"], "NAME must be 1 to 50 small letters"),
        (["sinks", "add", "a", "--kind", "cloud"], "firestore"),
        (["sinks", "add", "a", "--kind", "file"], "firestore or webhook"),
        (["sinks", "add", "a", "--kind", "table"], "firestore or webhook"),
        (["sinks", "add", "a", "--kind", "webhook", "--project", "p"], "has no setting project"),
        (["sinks", "add", "a", "--kind", "webhook", "--url", "https://example.org"], "secret"),
        (
            ["sinks", "add", "a", "--kind", "webhook", "--url", "x", "--secret-file", "/nowhere"],
            "can't read the secret"
        ),
        (["sinks", "add", "a", "--kind", "firestore"], "id of a project"),
        (["sinks", "set", "a"], "there is nothing to change"),
        (
            ["sinks", "add", "a", "--kind", "webhook", "--url", "https://10.1.2.3/in", "--secret-file", "secret"],
            "--allow-private"
        ),
        (
            ["sinks", "add", "a", "--kind", "webhook", "--url", "https://localhost/in", "--secret-file", "secret"],
            "--allow-private"
        ),
        (
            ["sinks", "add", "a", "--kind", "webhook", "--url", "https://[::1]/in", "--secret-file", "secret"],
            "--allow-private"
        ),
        (["sinks", "set", "a", "--default", "--no-default"], "contradict"),
        (["sinks", "add", "a", "--kind", "firestore", "--places"], "--places needs --kind webhook"),
        (
            [
                "sinks", "add", "a", "--kind", "webhook", "--url", "https://example.org", "--secret-file", "secret",
                "--places", "--default",
            ], "leave --default out"
        ),
        (["trackers", "start", "ada", "--sink", "a", "--no-sink"], "contradict"),
    ])
    func `wrong usage is reported, exits with 2, and changes nothing`(_ words: [String], _ hint: String) async throws {
        _ = try file("secret", "0123456789abcdef0123456789abcdef")
        try await waypost(words).expect(2, error: hint)
        let made = try await Database.test.run { try rows("SELECT FROM lanes WHERE kind = 'upload'", on: $0).count }
        #expect(made == 0)
    }

    @Test func `a missing sink is named, and exits with 1`() async throws {
        for words in [
            ["sinks", "set", "none", "--default"], ["sinks", "remove", "none", "--yes"],
            ["trackers", "start", "ada", "--sink", "none"],
        ] {
            try await waypost(words).expect(1, error: "there is no sink called \"none\"")
        }
    }

    @Test func `no tracker can use a webhook about places`() async throws {
        let secret = try file("secret", "0123456789abcdef0123456789abcdef")
        try await waypost(
            withKey: "sinks", "add", "found", "--kind", "webhook", "--places", "--url", "https://localhost/in",
            "--allow-private", "--secret-file", secret
        ).expect(0)
        try await waypost(withKey: "trackers", "start", "ada", "--sink", "found").expect(1)
        try await waypost(withKey: "sinks", "set", "found", "--default").expect(2)
        try await waypost(withKey: "sinks", "list").expect(has: "webhook: https://localhost, about places")
    }

    @Test func `a secret is sealed and never shown`() async throws {
        let secret = try file("secret", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD\n")
        let words = [
            "sinks", "add", "hook", "--kind", "webhook", "--url", "https://example.org/in/token-in-path",
            "--secret-file",
            secret,
        ]
        try await waypost(words).expect(2, error: "openssl rand -hex 32")
        let added = try await program.run(
            words, environment: ["DATABASE_URL": Database.testURL, "WAYPOST_SEALING_KEYS": key]
        ).expect(0)
        let list = try await waypost(withKey: "sinks", "list")
        let listed = try await waypost(withKey: "sinks", "list", "--json")
        let dump: String = try await Database.test.query("SELECT encode(sealed, 'escape') AS sealed FROM sinks")[0]
            .read("sealed")
        for text in [added.output, added.error, list.output, listed.output, dump] {
            #expect(!text.contains("whsec") && !text.contains("token-in-path"), "\(text)")
        }
        try await waypost(withKey: "doctor").expect(has: "hook gets what it asks for")
        try await Database.test.query(
            "UPDATE lanes SET paused_at = now(), paused_because = 'the webhook answered 401' WHERE kind = 'upload'")
        let stopped = try await waypost(withKey: "doctor").expect(has: "hook gets nothing: the webhook answered 401")
        #expect(!stopped.output.contains("gets what it asks for"))
        try await waypost(withKey: "sinks", "list").expect(has: "stopped")
        try await program.run(
            ["doctor"],
            environment: ["DATABASE_URL": Database.testURL, "WAYPOST_SEALING_KEYS": String(repeating: "cd", count: 32)]
        ).expect(1, has: "the secret of hook can't be opened")
    }

    @Test func `a sink is added, used by new trackers, and removed`() async throws {
        let secret = try file("secret", "0123456789abcdef0123456789abcdef")
        let words = [
            "sinks", "add", "log", "--kind", "webhook", "--url", "https://example.org", "--secret-file", secret,
        ]
        try await waypost(withKey: words + ["--account", "app", "--default"]).expect(
            prints: "Added the sink log: webhook: https://example.org. Its lane is upload:log.\n")
        try await waypost("lanes show upload:log --json").expect(has: #""kind": "upload""#)
        try await waypost(withKey: words).expect(2)
        try await waypost("trackers start ada --account app --newest-first").expect(0)
        #expect(try await waypost("trackers show ada --account app").output.contains(try Regex("sink +log")))
        try await waypost("sinks set log --no-default --pause 1m").expect(0)
        try await waypost("trackers start ben --account app").expect(0)
        #expect(try await waypost("trackers show ben --account app").output.contains(try Regex("sink +none")))
        let sinks = try #require(try await json("sinks list --account app") as? [[String: Any]])
        #expect(sinks.count == 1 && sinks[0]["pause_seconds"] as? Double == 60 && sinks[0]["trackers"] as? Int == 1)
        try await waypost("locations retry --account app").expect(0)
        try await waypost("sinks remove log --yes").expect(0)
        #expect(try await waypost("sinks list").output.hasPrefix("There is no sink."))
    }

    @Test(arguments: ["file", "table"]) func `a sink of a kind that has left is named until it is removed`(
        _ kind: String
    ) async throws {
        let secret = try file("secret", "0123456789abcdef0123456789abcdef")
        try await waypost(
            withKey: "sinks", "add", "old", "--kind", "webhook", "--url", "https://example.org", "--secret-file", secret
        ).expect(0)
        try await Database.test.query("UPDATE sinks SET kind = \(kind), settings = '{\"path\": \"/tmp/x\"}'")
        let sentence = "old gets nothing: this version has no sinks of the kind \(kind)."
        for command in ["doctor", "migrate"] {
            let outcome = try await waypost(withKey: command).expect(has: sentence, "'waypost sinks remove old'")
            #expect(outcome.code == (command == "doctor" ? 1 : 0))
        }
        try await waypost("sinks list").expect(has: "\(kind): gone")
        try await waypost(withKey: "sinks", "set", "old", "--secret-file", secret).expect(2)
        try await waypost("sinks remove old --yes").expect(0)
        #expect(try await !waypost(withKey: "doctor").output.contains("this version has no sinks"))
    }

    @Test func `when workers are killed, each location is one document`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        server.cycle([
            .well, .internalError, .well, .lost, .well, .truncated, .well, .garbage, .well, .hangUp,
        ])
        try await waypost(
            withKey: "sinks", "add", "app", "--kind", "firestore", "--project", server.project, "--collection",
            "users/{user}/locations", "--server", server.url, "--token-server", server.url, "--allow-private",
            "--secret-file", try file("key", server.apiKey), "--account", "app", "--default", "--pause", "0s"
        ).expect(0)
        try await waypost("trackers start ada --account app --since 2026-01-01").expect(0)
        try await waypost(withKey: "doctor").expect(has: "1 tracker of app has no sign-in that holds")
        let auth = try JSONEncoder().encode(server.signIn("everybody", now: Date().timeIntervalSince1970))
        try await waypost(
            withKey: "sinks", "sign-in", "app", "--file", try file("auth", String(decoding: auth, as: UTF8.self))
        ).expect(0)
        // One tracker per call, so that a worker can be killed in many calls.
        try await waypost("lanes set upload:app --batch 1 --first-retry 10ms").expect(0)

        try await recordFixes(users: 40, minutes: 10)
        let environment = [
            "DATABASE_URL": try Database.testURL, "WAYPOST_SEALING_KEYS": key, "WAYPOST_SILENCE_LIMIT": "2s",
            "WAYPOST_LISTEN": "off",
        ]
        let coordinator = try RunningProgram(program, "coordinator", environment: environment)
        defer { coordinator.process.send(SIGKILL) }
        var arrivals = server.arrivals.makeAsyncIterator()
        for number in 0..<3 {
            let killed = try RunningProgram(program, "worker", environment: environment)
            for _ in 0..<4 { _ = await arrivals.next() }
            killed.process.send(SIGKILL)
            _ = await killed.process.exit()
            // If the service refused a new token too, the user would have to sign in again.
            if number == 1 { server.endTokens() }
        }
        let worker = try RunningProgram(program, "worker", environment: environment)
        defer { worker.process.send(SIGKILL) }
        try await pollUntil { try await left() == 0 }
        let stored = try await Database.test.query(
            "SELECT user_id, location.id FROM pending_locations AS location JOIN trackers ON trackers.id = tracker"
        ).map {
            "users/" + (try $0.read("user_id", as: String.self)) + "/locations/"
                + (try $0.read("id", as: String.self))
        }
        #expect(Set(stored) == Set(server.documents.keys))
        #expect(stored.count == 400)
        #expect(server.refreshes >= 1)
    }

    private func left() async throws -> Int {
        try await Database.test.run {
            try rows("SELECT FROM pending_locations WHERE NOT uploaded OR removed", on: $0).count
        }
    }

    /// Each fix is a kilometre from the previous one.
    private func recordFixes(users: Int, minutes: Int) async throws {
        try await Database.test.run {
            try $0.run(
                script: """
                    INSERT INTO trackers (account, user_id, is_on, on_times, sink)
                    SELECT accounts.id, 'user-' || n, true, '{[2020-01-01,)}', sinks.id
                    FROM accounts, sinks, generate_series(1, \(users)) AS n
                    WHERE accounts.name = 'app'
                    """)
            let account: Int = try $0.query("SELECT id FROM accounts WHERE name = 'app'")[0].read("id")
            let yesterday = Date().timeIntervalSince1970.rounded(.down) - 86_400
            let fixes = (1...users).flatMap { user in
                (1...minutes).map { minute in
                    let fix = Fix(
                        id: "fix-\(minute)", lat: 60 + Double(minute) / 100, lng: 24,
                        timestamp: yesterday + Double(minute) * 60)
                    return UserFix(fix, of: "user-\(user)")
                }
            }
            _ = try TrackerStore().record(fixes, account: account, on: $0)
        }
    }
}
