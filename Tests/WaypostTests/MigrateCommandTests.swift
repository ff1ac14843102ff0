import DatabaseTesting
import Foundation
import Glibc
import HTTP
import HTTPTesting
import Polling
import Postgres
import Processes
import Testing

@Suite(.database)
struct MigrateCommandTests: CommandSuite {
    let program = Program()

    private static let damages = [
        ("DROP FUNCTION retry_wait", "function retry_wait(", "is missing"),
        (
            "CREATE OR REPLACE FUNCTION clock_creep() RETURNS float8 LANGUAGE sql RETURN 1.0::float8",
            "function clock_creep()", "is another"
        ),
        ("ALTER FUNCTION bearer_of_token(integer, bytea) RESET search_path", "function bearer_of_token", "is another"),
        (
            "ALTER TABLE friends DISABLE TRIGGER friends_added", "trigger friends_added on friends",
            "is another"
        ),
        ("DROP POLICY own_friends ON friends", "policy own_friends on friends", "is missing"),
    ]

    @Test(arguments: damages)
    func `the doctor finds objects dropped or replaced by hand, and migrate repairs them`(
        damage: String, object: String, verdict: String
    ) async throws {
        try await waypost("doctor").expect(has: "ok       schema: has all migrations and functions")
        try await Database.test.run(script: damage)
        let ill = try await waypost("doctor").expect(1)
        let line = ill.output.split(separator: "\n").first { $0.hasPrefix("problem  schema:") }
        #expect(line?.contains(object) == true && line?.contains(verdict) == true, "\(ill.output)")
        #expect(line?.contains("; run: waypost migrate; see ") == true, "\(ill.output)")
        let migrated = try await waypost("migrate")
        #expect(migrated.output.hasPrefix("Applied all functions."), "\(migrated.output) \(migrated.error)")
        try await waypost("doctor").expect(has: "ok       schema: has all migrations and functions")
        #expect(try await waypost("migrate").output.hasPrefix("The schema is up to date."))
    }

    @Test func `a restored dump calls no provider next to the original, until it is the cluster's own`() async throws {
        let server = try ScriptedServer { _ in .json("[]") }
        defer { server.stop() }
        let (url, copy) = (try Database.testURL, "copy_" + UUID().uuidString.lowercased().replacing("-", with: ""))
        let copyURL = url.replacing(/\/waypost_test_\w+/, with: "/\(copy)")
        var environment = ["DATABASE_URL": url, "WAYPOST_NOMINATIM_URL": server.url]
        func run(_ words: String) async throws -> Program.Outcome {
            let outcome = try await program.run(words.split(separator: " ").map(String.init), environment: environment)
            #expect(outcome.code == 0 || words.hasPrefix("doctor"), "\(words): \(outcome)")
            return outcome
        }
        try await Database.test.query("SELECT settle_here()")
        for words in ["lanes add nominatim", "lanes limit nominatim 50/s", "chains set default nominatim"] {
            _ = try await run(words)
        }
        try program.write("name,street,city,country\nAda,1 Main St,Reno,US\n", to: "a.csv")
        _ = try await run("import a.csv")
        try await Database.test.run(script: "CREATE DATABASE \(copy)")
        let dump = try await ChildProcess.output(
            of: "/bin/sh", ["-c", "pg_dump -d '\(url)' | psql -q -v ON_ERROR_STOP=1 -d '\(copyURL)'"])
        #expect(dump.exit.isSuccess, "\(String(decoding: dump.error, as: UTF8.self))")

        environment["DATABASE_URL"] = copyURL
        let coordinator = try RunningProgram(program, "coordinator", environment: Program.environment(environment))
        let worker = try RunningProgram(program, "worker", environment: Program.environment(environment))
        #expect(try await run("lanes show nominatim").output.contains("this database is a copy"))
        let jobs = try await program.run("jobs list --json", environment: environment).output
        let job = try #require(jobs.firstMatch(of: /"id":\s*([0-9]+)/)?.1)
        #expect(try await run("jobs why \(job)").output.contains("this database is a copy"))
        #expect(try await run("doctor").output.contains("problem  copy: this database is a copy"))
        // The worker works in a lane without limits.
        _ = try await run("chains set default gazetteer")
        try program.write("name,city,country\nBob,Oulu,FI\n", to: "b.csv")
        _ = try await run("geocode b.csv -o c.csv")
        #expect(server.requests.isEmpty)

        _ = try await run("migrate --restored")
        try await pollUntil { !server.requests.isEmpty }
        #expect(try await !run("doctor").output.contains("  copy: "))
        for running in [worker, coordinator] {
            running.process.send(SIGTERM)
            _ = await running.process.exit()
        }
        try await Database.test.run(script: "DROP DATABASE \(copy) WITH (FORCE)")
    }

    @Test func `migrate --check and --dry-run show what is due and change nothing`() async throws {
        try await waypost("migrate --check").expect(prints: "The schema is up to date.\n")
        try await waypost("migrate --dry-run").expect(prints: "The schema is up to date.\n")
        try await Database.test.run(script: "UPDATE schema_functions SET fingerprint = '0' WHERE name = 'slots'")
        try await waypost("migrate --check").expect(1, error: "function files (slots)", "waypost migrate")
        try await waypost("migrate --dry-run").expect(0, prints: "One transaction: 1 function file, and the roles\n")
        try await waypost("migrate --check").expect(1)
        let migrated = try await waypost("migrate")
        #expect(
            migrated.output.hasPrefix(
                "Applied the changed functions: slots.\nThe last transaction held locks for at most "))
        try await waypost("migrate --check").expect(0)
    }

    @Test func `migrate --restored empties the buckets, and is refused with --check`() async throws {
        try await Database.test.query(
            "INSERT INTO token_buckets (lane, per, refill, capacity) SELECT id, '1 minute', 1, 5 FROM lanes LIMIT 1"
        )
        try await waypost("migrate --restored").expect(has: "All limits begin without a token")
        let waits =
            try await Database.test.query("SELECT FROM token_buckets WHERE full_at > now() + interval '4 minutes'")
            .count == 1
        #expect(waits)
        try await waypost("migrate --restored --check").expect(2)
    }

    @Test(arguments: ["worker", "coordinator"])
    func `a breaking migration ends a running process with the error of new commands`(command: String) async throws {
        let environment = ["DATABASE_URL": try Database.testURL, "WAYPOST_SILENCE_LIMIT": "2s"]
        let running = try RunningProgram(program, command, environment: environment)
        try await running.wait(for: "ready")
        try await Database.test.query(
            "INSERT INTO schema_migrations (number, name, is_breaking) VALUES (901, 'next', true)")
        let line = try await running.wait(for: "migrated by a newer waypost")
        #expect(line.contains("level=error"), "\(line)")
        try await running.wait(for: "install the newer waypost")
        #expect(await running.process.exit() == .code(1))
        try await program.run(command, environment: environment).expect(1, error: "migrated by a newer waypost")
    }

    @Test func `a cluster runs with the rights of an ordinary owner of one database`() async throws {
        let name = "plain_" + UUID().uuidString.lowercased().replacing("-", with: "")
        // The roles exist, but this login is not a member.
        try await Database.test.run(script: "CREATE ROLE \(name) LOGIN")
        try await Database.test.run(script: "CREATE DATABASE \(name) OWNER \(name)")
        let url = try Database.testURL.replacing(/waypost_test_[0-9a-f]+/, with: name)
            .replacing("user=waypost", with: "user=\(name)")
        let environment = ["DATABASE_URL": url, "WAYPOST_LISTEN": "127.0.0.1:0"]
        let migrated = try await program.run("migrate", environment: environment).expect(0)
        let statement = "GRANT waypost_worker, waypost_api, waypost_admin TO \"\(name)\""
        #expect(migrated.output.contains(statement), "\(migrated.output)")

        let coordinator = try RunningProgram(program, "coordinator", environment: environment)
        let line = try await coordinator.wait(for: "serving the API")
        let worker = try RunningProgram(program, "worker", environment: environment)
        try await worker.wait(for: "ready")
        try program.write("name,city,country\nAda,Helsinki,FI\n", to: "ada.csv")
        try program.write("name,city,country\nBob,Espoo,FI\nEva,Turku,FI\n", to: "bob.csv")
        var friends: [String: Int] = [:]
        let address = try #require(line.firstMatch(of: /address=(\S+)/)?.1)
        let route = try #require(HTTPURL("http://\(address)/v1/friends"))
        let client = HTTPClient(.init(userAgent: "tests"))
        for account in ["ada", "bob"] {
            try await program.run("geocode", "\(account).csv", "-o", "\(account).ndjson", environment: environment)
                .expect(0)
            #expect(try program.read("\(account).ndjson").contains("located"))
            let made = try await program.run(
                "tokens create t --account", "\(account).csv", "--scope", "read", "--scope", "admin",
                environment: environment)
            let token = String(made.output.prefix { $0 != "\n" })
            let answer = try await client.send(HTTPRequest(.get, route, headers: ["Authorization": "Bearer \(token)"]))
            let json = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
            friends[account] = (json?["data"] as? [Any])?.count
        }
        #expect(friends == ["ada": 1, "bob": 2])
        // With row-level security, COPY would now refuse the owner's tables.
        try program.write(
            """
            <gpx><trk><trkseg><trkpt lat="60.17" lon="24.94"><time>2026-11-01T10:00:00Z</time></trkpt>\
            <trkpt lat="60.17" lon="24.94"><time>2026-11-01T10:10:00Z</time></trkpt></trkseg></trk></gpx>
            """, to: "walk.gpx")
        try await program.run("import walk.gpx --tracker ada --account ada.csv", environment: environment).expect(0)
        try await program.run("doctor", environment: environment).expect(
            0, has: "warning  roles: \(name) may not become waypost_worker", statement)
        await client.close()
        for process in [coordinator.process, worker.process] {
            process.send(SIGTERM)
            #expect(await process.exit().isSuccess)
        }
    }
}
