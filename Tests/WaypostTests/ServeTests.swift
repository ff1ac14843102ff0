import DatabaseTesting
import Foundation
import Glibc
import HTTP
import HTTPTesting
import Polling
import Postgres
import Processes
import Queue
import Testing

@testable import waypost

@Suite(.database)
struct ServeTests {
    private let program = Program()

    /// Runs a coordinator that serves the API.
    private func served(
        _ environment: [String: String] = [:], _ body: (HTTPURL, HTTPClient, Program) async throws -> Void
    ) async throws {
        var settings = ["DATABASE_URL": try Database.testURL, "WAYPOST_LISTEN": "127.0.0.1:0"]
        settings.merge(environment) { _, new in new }
        let running = try RunningProgram(program, "coordinator", environment: settings)
        let line = try await running.wait(for: "serving the API")
        let address = try #require(line.split(separator: " ").first { $0.hasPrefix("address=") }?.dropFirst(8))
        let client = HTTPClient(.init(userAgent: "tests"))
        do { try await body(#require(HTTPURL("http://\(address)")), client, program) } catch {
            await client.close()
            throw error
        }
        await client.close()
        kill(running.process.pid, SIGTERM)
        _ = await running.process.exit()
    }

    private func status(_ url: HTTPURL, _ client: HTTPClient, token: String? = nil) async throws -> Int {
        let headers: HTTPHeaders = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
        return try await client.send(HTTPRequest(.get, url, headers: headers)).status
    }

    /// Members whose values depend on the moment, on the reader, or on the process that answers.
    private static let moving: Set = [
        "age_seconds", "silent_seconds", "oldest_seconds", "oldest_wait_seconds", "idle_seconds", "memory_bytes",
        "counted_at", "as_of",
        "since", "start", "seconds", "done_in_seconds", "tokens", "is_own", "sentence", "throughput", "steps",
    ]

    /// `json` with a constant in place of each value that moves.
    private static func steady(_ json: Any) -> Any {
        if let list = json as? [Any] { return list.map(steady) }
        guard let object = json as? [String: Any] else { return json }
        return Dictionary(uniqueKeysWithValues: object.map { ($0, moving.contains($0) ? "" : steady($1)) })
    }

    @Test func `a command and the route of its resource print the same members and values`() async throws {
        try await served { url, client, program in
            let database = ["DATABASE_URL": try Database.testURL]
            let made = try await program.run(
                "tokens create all --account default --scope admin --scope locate", environment: database)
            let token = String(made.output.prefix { $0 != "\n" })
            _ = try await program.run("lanes limit gazetteer 20/s", environment: database)
            _ = try await program.run("lanes set gazetteer --price", "5 EUR", environment: database)
            _ = try await program.run("trackers start ada --since 2026-11-01", environment: database)
            try program.write("name,street,city,country\nAda,1 Main St,Reno,US\n", to: "f.csv")
            _ = try await program.run("import f.csv", environment: database)
            let jobs = try await Database.test.transaction { db in
                _ = try JobQueue().change("gazetteer", on: db) { $0.batch = 1 }
                _ = try ProcessRegistry().register(
                    .worker, name: "ada", host: "here", pid: 7, lanes: ["gazetteer"], on: db)
                // The worker sends no heartbeats, and this test may last longer than a worker may be silent.
                try db.query("UPDATE workers SET seen_at = now() + interval '1 hour'")
                try db.run(
                    script: """
                        INSERT INTO pending_locations (tracker, account, at, id, lat, lng, wait_time)
                        SELECT id, account, '2026-11-03 00:00Z', 'a', 60.17, 24.94, 120 FROM trackers;
                        UPDATE geocodes SET status = 'needs_review', job = NULL, confidence = 0.62,
                            provider = 'nominatim', geocoded_at = now(),
                            trail = '[{"lane": "gazetteer", "step": "structured", "result": "found city at 0.3"}]',
                            candidates = '[{"placemark": {"coordinate": {"latitude": 39.5, "longitude": -119.8},
                                                          "locality": "Reno", "countryCode": "US"},
                                            "precision": "city", "confidence": 0.62, "provider": "nominatim",
                                            "step": "free form", "isLent": false}]';
                        """)
                return try JobQueue().enqueue([9_001, 9_002], in: "gazetteer", on: db).map(\.id)
            }
            func route(_ path: String) async throws -> Any {
                let target = try #require(HTTPURL("\(url)/\(path)"))
                let headers: HTTPHeaders = ["Authorization": "Bearer \(token)"]
                let body = try await client.send(HTTPRequest(.get, target, headers: headers)).body
                let json = try JSONSerialization.jsonObject(with: Data(body))
                return (json as? [String: Any])?["data"] ?? json
            }
            for (words, path) in [
                ("lanes list", "lanes"), ("lanes show gazetteer", "lanes/gazetteer"), ("workers list", "workers"),
                ("lanes audit gazetteer", "lanes/gazetteer/audit"), ("jobs list", "jobs"),
                ("jobs show \(jobs[0])", "jobs/\(jobs[0])"), ("chains list", "chains"),
                ("chains show default", "chains/default"), ("cache stats", "cache"), ("tokens list", "tokens"),
                ("stats --history 1h", "throughput/history"), ("stats", "overview"), ("log", "log"),
                ("trackers list", "trackers"), ("trackers show ada", "trackers/ada"),
                ("locations list --user ada", "trackers/ada/locations"), ("review list", "review"),
                ("review show 1", "review/1"),
            ] {
                let command = try await program.run(
                    words.split(separator: " ").map(String.init) + ["--json"], environment: database)
                var shown = try JSONSerialization.jsonObject(with: Data(command.output.utf8))
                let answer = try await route("v1/\(path)")
                // The command prints the latest entry last.
                if words == "log" { shown = Array((shown as? [Any] ?? []).reversed()) }
                // These commands print more than the route.
                if ["stats", "trackers show ada"].contains(words), let all = shown as? [String: Any],
                    let answer = answer as? [String: Any]
                {
                    shown = all.filter { answer[$0.key] != nil }
                }
                let (one, other) = (Self.steady(shown), Self.steady(answer))
                #expect((one as? NSArray)?.count != 0, "\(words) prints nothing")
                #expect(one as? NSObject == other as? NSObject, "\(words): \(one) and \(other)")
            }
        }
    }

    /// Settings of a database or a role for the sake of other programs. `OddSettingsTests` has each by itself.
    private static let odd = [
        "array_nulls = off", "bytea_output = escape", "client_min_messages = error", "datestyle = SQL, DMY",
        "default_transaction_isolation = serializable", "default_transaction_deferrable = on",
        "extra_float_digits = -15",
        "escape_string_warning = off", "backslash_quote = off", "idle_session_timeout = '300ms'",
        "intervalstyle = sql_standard", "jit = on", "jit_above_cost = 0", "plan_cache_mode = force_custom_plan",
        "quote_all_identifiers = on", "row_security = off", "standard_conforming_strings = off",
        "timezone = 'Asia/Kathmandu'", "transform_null_equals = on", "constraint_exclusion = off",
        "enable_partition_pruning = off", "enable_indexscan = off", "work_mem = '64kB'", "xmloption = document",
        "plpgsql.extra_errors = 'all'", "check_function_bodies = off",
    ]

    @Test(arguments: [false, true])
    func `a cluster works in a database with odd settings`(isPooled: Bool) async throws {
        try await Database.test.run { db in
            let name: String = try db.query("SELECT current_database() AS name")[0].read("name")
            for setting in Self.odd { try db.run(script: "ALTER DATABASE \"\(name)\" SET \(setting)") }
        }
        guard isPooled else { return try await workOddly(["DATABASE_URL": Database.testURL]) }
        try await Database.pooled(sessions: 20) { _, url in try await workOddly(["DATABASE_URL": url]) }
    }

    private func workOddly(_ environment: [String: String]) async throws {
        try await served(environment) { url, client, program in
            let worker = try RunningProgram(program, "worker", environment: environment)
            func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> String {
                let words = ["-sS", "--fail-with-body", "-X", method, "-H", "Content-Type: application/json"]
                let answer = try await ChildProcess.output(
                    of: "/usr/bin/curl", words + (body.map { ["-d", $0] } ?? []) + ["\(url)/\(path)"])
                let text = String(decoding: answer.output, as: UTF8.self)
                #expect(answer.exit.isSuccess, "\(path): \(text)")
                return text
            }
            try await program.run("migrate", environment: environment).expect(0)
            try program.write("id,name,city,country\n1,Ada,Helsinki,FI\n2,\\d'é,Turku,FI\n", to: "a.csv")
            for words in [["import", "a.csv"], ["geocode", "a.csv", "-o", "b.csv"]] {
                try await program.run(words, environment: environment).expect(0)
            }
            #expect(try program.read("b.csv").contains(#"\d'é"#))
            let pinned =
                #"{"name":"Bob","addresses":[{"city":"Oulu","country":"FI","latitude":65.01236,"longitude":25.46816}]}"#
            #expect(try await send("PUT", "v1/feeds/crm/friends/7", pinned).contains("65.01236"))
            _ = try await send("POST", "v1/trackers/ada/start", #"{"since":"2023-11-14T00:00:00Z"}"#)
            let fixes = (0..<3).map {
                #"{"lat":60.1708333333333\#($0 + 1),"lng":24.9,"timestamp":\#(1_700_000_000 + $0 * 60)}"#
            }
            let taken = try await send("POST", "v1/trackers/ada/locations", "[\(fixes.joined(separator: ","))]")
            #expect(taken.contains(#""taken":3"#))
            #expect(try await send("GET", "v1/trackers/ada/locations").contains("60.17083333333331"))
            #expect(try await send("GET", "v1/trackers").contains(#""user":"ada""#))
            try await program.run("geocode", "Tampere, Finland", environment: environment).expect(0, has: "61.4")
            let doctor = try await program.run("doctor", environment: environment)
            #expect(!doctor.output.contains("FAILED") && doctor.code != 1, "\(doctor.output)")
            kill(worker.process.pid, SIGTERM)
            #expect(await worker.process.exit() == .code(0))
        }
    }

    @Test func `a coordinator serves the API to this machine without a token until the first token`() async throws {
        try await served { url, client, program in
            let friends = url.appending(path: "v1", "friends")
            #expect(try await status(friends, client) == 200)
            let made = try await program.run(
                "tokens create map --account default --scope read", environment: ["DATABASE_URL": try Database.testURL])
            let token = String(made.output.prefix { $0 != "\n" })
            #expect(try await status(friends, client) == 401)
            #expect(try await status(friends, client, token: token) == 200)

            // A request refused before its route has one error form for all paths.
            for path in ["/v1/friends", "/api/contacts"] {
                let connection = try RawConnection(to: url.port)
                defer { connection.close() }
                let head = "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                await connection.send(head + "1\nx\r\n")
                let answer = await connection.rest()
                #expect(
                    answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("Content-Type: application/problem+json"),
                    "\(answer)")
            }
        }
    }

    @Test func `an API open to other machines waits for the first token while the coordinator works`() async throws {
        let environment = ["DATABASE_URL": try Database.testURL, "WAYPOST_LISTEN": "0.0.0.0:0"]
        let running = try RunningProgram(program, "coordinator", environment: environment)
        let warning = try await running.wait(for: "there is no API token")
        #expect(warning.contains("waypost tokens create") && warning.contains("docker compose exec"), "\(warning)")
        let line = try await running.wait(for: "serving the API")
        let port = try #require(line.firstMatch(of: /address=0\.0\.0\.0:(\d+)/)?.1)
        let url = try #require(HTTPURL("http://127.0.0.1:\(port)"))
        let client = HTTPClient(.init(userAgent: "tests"))
        // Not even this machine is let in, because a proxy may run on it.
        #expect(try await status(url.appending(path: "v1", "friends"), client) == 401)
        #expect(try await status(url.appending(path: "livez"), client) == 200)
        try await pollUntil { try await status(url.appending(path: "readyz"), client) == 200 }
        let made = try await program.run("tokens create map --account default --scope read", environment: environment)
        let token = String(made.output.prefix { $0 != "\n" })
        #expect(try await status(url.appending(path: "v1", "friends"), client, token: token) == 200)
        await client.close()
        kill(running.process.pid, SIGTERM)
        #expect(await running.process.exit().isSuccess)
    }

    @Test func `SIGHUP reads the certificate again and ignores a broken one`() async throws {
        let (old, new) = (
            try await TLSServer.start(certifiedFor: "DNS:localhost"),
            try await TLSServer.start(certifiedFor: "DNS:localhost")
        )
        let folder = NSTemporaryDirectory() + "waypost-serve-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func place(_ file: String, of made: TLSServer) throws {
            let text = try String(
                contentsOfFile: made.certificate.replacingOccurrences(of: "certificate.pem", with: file),
                encoding: .utf8)
            try text.write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
            chmod("\(folder)/\(file)", 0o644)
        }
        try place("certificate.pem", of: old)
        try place("key.pem", of: old)
        let running = try RunningProgram(
            program, "coordinator",
            environment: [
                "DATABASE_URL": try Database.testURL, "WAYPOST_LISTEN": "127.0.0.1:0",
                "WAYPOST_TLS_CERTIFICATE": "\(folder)/certificate.pem", "WAYPOST_TLS_KEY": "\(folder)/key.pem",
            ])
        _ = try await running.wait(for: "other users of this machine may read the TLS key")
        let line = try await running.wait(for: "serving the API")
        let address = try #require(line.split(separator: " ").first { $0.hasPrefix("address=") }?.dropFirst(8))
        func shows(_ made: TLSServer) async throws -> Bool {
            try await ChildProcess.output(
                of: "curl",
                [
                    "-sf", "--cacert", made.certificate, "--connect-to", "localhost:443:\(address)",
                    "https://localhost/livez",
                ]
            ).exit.isSuccess
        }
        #expect(try await shows(old))
        try place("certificate.pem", of: new)
        kill(running.process.pid, SIGHUP)
        _ = try await running.wait(for: "the old one stays")
        #expect(try await shows(old))
        try place("key.pem", of: new)
        kill(running.process.pid, SIGHUP)
        _ = try await running.wait(for: "new certificate, valid until ")
        #expect(try await shows(new))
        #expect(try await !shows(old))
        // The new certificate is also read without a signal.
        try place("certificate.pem", of: old)
        try place("key.pem", of: old)
        try await pollUntil { try await shows(old) }
        kill(running.process.pid, SIGTERM)
        #expect(await running.process.exit().isSuccess)
        try await old.stop()
        try await new.stop()
    }

    @Test(arguments: [("worker", "ready"), ("coordinator", "serving the API")])
    func `SIGHUP ends neither a worker nor a coordinator without TLS`(command: String, line: String) async throws {
        let running = try RunningProgram(
            program, command,
            environment: ["DATABASE_URL": try Database.testURL, "WAYPOST_LISTEN": "127.0.0.1:0"])
        _ = try await running.wait(for: line)
        kill(running.process.pid, SIGHUP)
        kill(running.process.pid, SIGTERM)
        #expect(await running.process.exit().isSuccess)
    }

    @Test(arguments: [
        ("WAYPOST_LISTEN", "here", "an address in digits and a port"),
        ("WAYPOST_TLS_KEY", "/nonexistent", "can't be read"),
        ("WAYPOST_MAP_TILES", "http://tiles.example.org/{z}/{x}/{y}.png", "WAYPOST_MAP_TILES takes an https address"),
    ]) func `a wrong setting is reported`(name: String, value: String, sentence: String) async throws {
        try await program.run("coordinator", environment: [name: value]).expect(2, error: sentence)
    }
}

struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1:8080"), ("localhost:1", "127.0.0.1:1"), ("[::1]:80", "[::1]:80"),
        ("0.0.0.0:0", "0.0.0.0:0"),
    ]) func `an address and a port are parsed`(text: String, meaning: String) {
        #expect(ListenAddress(text)?.description == meaning)
    }

    @Test(arguments: ["", "8080", "127.0.0.1", "here:80", "127.0.0.1:65536", "127.0.0.1:-1", "1.2.3:80"])
    func `a text that is not an address is refused`(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test func `only addresses of this machine are loopback`() {
        #expect(["127.0.0.1:1", "127.9.9.9:1", "[::1]:1"].allSatisfy { ListenAddress($0)?.isLoopback == true })
        #expect(["0.0.0.0:1", "[::]:1", "10.0.0.1:1"].allSatisfy { ListenAddress($0)?.isLoopback == false })
    }
}

struct MapTilesTests {
    private func settings(_ template: String?, by maker: String? = "© Makers") -> ServerSettings? {
        var environment: [String: String] = [:]
        environment["WAYPOST_MAP_TILES"] = template
        environment["WAYPOST_MAP_ATTRIBUTION"] = maker
        return try? Settings(environment: environment).server
    }

    @Test(arguments: [
        "https://tiles.example.org/{z}/{x}/{y}.png", "https://tiles.example.org:8443/a/{z}/{y}/{x}?key=a%20b&c=~1",
        "http://127.0.0.1:8080/{z}/{x}/{y}.svg", "http://[::1]/{z}/{x}/{y}",
    ]) func `a map service is an address with a fixed host and three numbers`(template: String) {
        #expect(settings(template)?.tiles != nil)
        #expect(settings(template, by: nil) == nil)
    }

    @Test(arguments: [
        "http://tiles.example.org/{z}/{x}/{y}.png", "https://{s}.example.org/{z}/{x}/{y}.png",
        "https://tiles.example.org/{z}/{x}.png", "https://tiles.example.org/{z}/{x}/{y}/{y}", "https://{z}/{x}/{y}",
        "https://ada@tiles.example.org/{z}/{x}/{y}", "https://tiles.example.org/{z}/{x}/{y};script-src *",
        "https://tiles.example.org/{z}/{x}/{y}'", "javascript:{z}{x}{y}", "//tiles.example.org/{z}/{x}/{y}",
        "https://tiles.example.org/{z}/{x}/{y}/{", "https://127.0.0.1.example.org;x/{z}/{x}/{y}",
        "http://127.0.0.1.example.org/{z}/{x}/{y}", "https://*/{z}/{x}/{y}",
    ]) func `a template that could open the policy to another host is refused`(template: String) {
        #expect(settings(template) == nil)
    }

    @Test func `the map service needs a template, and an attribution alone is refused`() {
        #expect(settings(nil, by: nil).map { $0.tiles == nil } == true)
        #expect(settings(nil) == nil)
    }
}
