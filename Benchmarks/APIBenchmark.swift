import API
import Access
import Contacts
import Foundation
import HTTP
import Postgres
import Processes
import Queue
import Schema

/// Reads over HTTP by `wrk`, next to the same statements by pgbench. Then the delay of one caller while another one
/// asks for as much as possible, and while workers drain a queue at a limit.
///
/// The server is in this process, under its own role, like a coordinator's.
enum APIBenchmark {
    static func run(_ options: Options) async throws {
        let friends = try options.integer("friends", 100_000)
        let seconds = try options.integer("seconds", 5)
        let rate = try options.integer("rate", 500)
        let only = options.text("only")
        try await Scratch.with("api") { scratch in
            try await Schema.prepareRoles(in: scratch.database)
            let accounts = try await fill(scratch, friends: friends)
            let tokens = try await scratch.database.run { db in
                try accounts.map { try TokenStore().create(account: $0, name: "wrk", scopes: [.read], on: db).text }
            }
            let heard = Statements()
            // The first server is measured. The second one records the statements of its sessions.
            let served = try await Served.start(database(scratch.url))
            let told = try await Served.start(database(scratch.url, toldTo: heard))
            let url = served.url
            let wrk = Wrk(url: url, friends: friends, seconds: seconds, token: tokens[0])

            print(
                title("\(friends) friends, 16 connections", width: 40),
                "requests/s    p50 ms    p99 ms   pgbench    ratio")
            for (name, path) in routes(friends) where only.map(name.contains) ?? true {
                let statements = try await heard.listen(told.url + path, tokens[0])
                var wrk = wrk
                // With more connections the server would refuse some requests.
                if path.hasSuffix("limit=10000") { wrk.connections = 2 }
                let answers = try await wrk.run(path)
                let bare = try await bench(statements, scratch, account: accounts[0], seconds: seconds)
                print(
                    title(name, width: 40), column(answers.rate), "    ", ratio(answers.median), "  ",
                    ratio(answers.late), " ",
                    column(bare), "  ", ratio(answers.rate / bare))
                fflush(nil)
            }
            if only.map("neighbours".contains) ?? true {
                try await reportNeighbours(url, tokens, friends: friends, seconds: seconds)
            }
            if only == nil {
                try await scratch.openLane(batch: 1)
                try await scratch.resumeLane()
                let crew = try await BenchCrew.start(1, callsAtOnce: 100, in: scratch)
                async let load: Void = SteadyLoad(scratch: scratch, jobsPerSecond: rate).run(for: .seconds(seconds + 1))
                // The map's requests were long, and the server remembers their duration for a moment.
                var drained = wrk
                drained.mayFail = true
                report("a friend, while \(rate) jobs a second drain", try await drained.run(nil))
                try await load
                await crew.stop()
                report("a route that does nothing", try await wrk.run("/nothing"))
            }
            await served.stop()
            await told.stop()
        }
    }

    private static func routes(_ friends: Int) -> [(name: String, path: String)] {
        [
            ("a friend", "/v1/friends/\(friends / 2)"), ("friends, 100", "/v1/friends?after=\(friends / 2)"),
            ("friends, 1,000", "/v1/friends?limit=1000&after=\(friends / 2)"),
            ("friends, country", "/v1/friends?country=FI"), ("friends, label", "/v1/friends?label=summer"),
            ("friends, feed", "/v1/friends?feed=rare"), ("friends, status=not_found", "/v1/friends?status=not_found"),
            ("places, a box, 1,000", "/v1/places?bbox=20,20,60,60"),
            ("places, world, 10,000", "/v1/places?bbox=-180,-90,180,90&limit=10000"),
            ("contacts, 100", "/api/contacts?limit=100"), ("contacts, page 900", "/api/contacts?limit=100&page=900"),
            ("contacts, query", "/api/contacts?query=L123&limit=100"), ("progress", "/v1/progress"),
        ]
    }

    /// The delay of another account while 64 readers with one token read the whole map repeatedly.
    private static func reportNeighbours(_ url: String, _ tokens: [String], friends: Int, seconds: Int) async throws {
        print(title("beside 64 readers of all of the map", width: 40), "requests/s    p50 ms    p99 ms")
        let greedy = Wrk(
            url: url, friends: friends, seconds: 2 * seconds + 2, token: tokens[0], connections: 64, mayFail: true)
        async let map = greedy.run("/v1/places?bbox=-180,-90,180,90&limit=10000")
        try await Task.sleep(for: .seconds(1))
        let neighbour = Wrk(url: url, friends: friends, seconds: seconds, token: tokens[1], connections: 1)
        report("another account's friend, 1 connection", try await neighbour.run("/v1/friends/3"))
        report("/readyz, 1 connection", try await neighbour.run("/readyz"))
        let answers = try await map
        print(title("the 64 readers, with refusals", width: 40), column(answers.rate))
        fflush(nil)
    }

    private static func report(_ name: String, _ answers: Wrk.Answers) {
        print(title(name, width: 40), column(answers.rate), "    ", ratio(answers.median), "  ", ratio(answers.late))
        fflush(nil)
    }

    /// Each friend has an address, and every second one has two. Nine addresses in ten have a place. One friend in ten
    /// belongs to another account.
    ///
    /// Runs without the triggers, which would do the same for each batch again.
    private static func fill(_ scratch: Scratch, friends: Int) async throws -> [Int] {
        let accounts = try await scratch.database.run { db in
            try ["default", "another"].map { try ContactStore().openAccount(named: $0, on: db) }
        }
        try await scratch.run(
            script: """
                SET session_replication_role = replica;
                INSERT INTO geocodes (hash, street, city, region, postcode, country, status, latitude, longitude, precision,
                                      provider, confidence, candidates, placemark)
                SELECT sha256(n::text::bytea), n || ' Main St', 'Springfield', '', '', 'US', status,
                       CASE WHEN status = 'located' THEN (hashint8(n) % 9000) / 100.0 END,
                       CASE WHEN status = 'located' THEN (hashint8extended(n, 7) % 18000) / 100.0 END,
                       CASE WHEN status = 'located' THEN 'rooftop' END, 'bench', 0.9,
                       CASE WHEN status = 'needs_review' THEN '[]'::jsonb END,
                       CASE WHEN status = 'located' THEN '{"locality": "Springfield", "countryCode": "US"}'::jsonb END
                FROM (
                    SELECT n, (CASE WHEN n % 1000 = 7 THEN 'not_found' WHEN n % 200 = 9 THEN 'needs_review'
                                    WHEN n % 10 = 0 THEN 'waiting' ELSE 'located' END)::geocode_status AS status
                    FROM generate_series(1, \(friends)) AS n
                ) AS made;
                INSERT INTO friends (account, source_key, name, first_name, last_name, feed)
                SELECT CASE WHEN n % 10 = 3 THEN \(accounts[1]) ELSE \(accounts[0]) END, n, 'Ada L' || n, 'Ada', 'L' || n,
                       CASE WHEN n % 500 = 1 THEN 'rare' ELSE 'crm' END
                FROM generate_series(1, \(friends)) AS n;
                INSERT INTO addresses (owner, friend, position, label, street, city, country, country_code, hash,
                                       place_status, place_precision, map_key)
                SELECT friends.account, friends.id, position,
                       CASE WHEN friends.id % 333 = 5 THEN 'summer' WHEN position = 1 THEN 'home' ELSE 'work' END,
                       geocodes.street, geocodes.city, 'US', CASE WHEN friends.id % 250 = 4 THEN 'FI' ELSE 'US' END, hash,
                       status::text, precision, map_key(friends.id * 2 + position, latitude, longitude)
                FROM friends
                JOIN geocodes ON geocodes.id = friends.id, generate_series(1, 1 + friends.id::integer % 2) AS position
                ORDER BY friends.id, position;
                INSERT INTO address_tallies (account, status, precision, is_weak, addresses, changes)
                SELECT owner, place_status, place_precision, false, count(*), count(*) FROM addresses GROUP BY 1, 2, 3;
                INSERT INTO friend_tallies (account, friends, changes)
                SELECT account, count(*), count(*) FROM friends GROUP BY 1;
                SET session_replication_role = origin;
                """)
        try await scratch.run(script: "VACUUM ANALYZE")
        return accounts
    }

    private static func database(_ url: String, toldTo heard: Statements? = nil) -> Database {
        var options = Database.Options(size: 4)
        options.role = "waypost_api"
        options.plansOnce = true
        guard let heard else { return Database(url: url, options: options) }
        options.remarked = { heard.hear($0) }
        return Database(
            url: url + (url.contains("?") ? "&" : "?")
                + "options=-c%20log_statement%3Dall%20-c%20client_min_messages%3Dlog",
            options: options)
    }

    /// Repeats the statements with four clients.
    private static func bench(
        _ statements: [Statements.Statement], _ scratch: Scratch, account: Int, seconds: Int
    ) async throws -> Double {
        var script = ""
        var variables: [String] = []
        for (number, statement) in statements.enumerated() {
            // pgbench takes a colon for the beginning of a variable.
            var text = statement.text.replacing("\n", with: " ").replacing("HH24:MI:SS", with: "HH24-MI-SS")
            for (place, value) in statement.values.enumerated().reversed() {
                let name = "v\(number)_\(place + 1)"
                let type =
                    value.hasPrefix("{") ? (value.contains { $0.isLetter } ? "::text[]" : "::bigint[]") : ""
                text = text.replacing("$\(place + 1)", with: ":\(name)\(type)")
                variables += ["-D", "\(name)=\(value)"]
            }
            script += text + ";\n"
        }
        let settings = [
            "role=waypost_api", "waypost.account=\(account)", "jit=off", "plan_cache_mode=force_generic_plan",
            "enable_seqscan=off",
            "enable_bitmapscan=off", "enable_sort=off",
        ].map { "-c%20" + $0.replacing("=", with: "%3D") }.joined(separator: "%20")
        let url = scratch.url + (scratch.url.contains("?") ? "&" : "?") + "options=" + settings
        return try await Pgbench.rate(script, callers: 4, threads: 2, seconds: seconds, url: url, variables)
    }
}

/// The API served on a socket.
private struct Served {
    let url: String
    private let database: Database
    private let tasks: [Task<Void, any Error>]

    static func start(_ database: Database) async throws -> Self {
        let api = APIServer(
            Backend(
                database: database, tokens: TokenStore(), openAccount: nil, log: Log(level: .warning),
                standing: { _ in CoordinatorStanding(isHeard: true, isLed: true) }))
        var router = api.router
        router.add(.get, "/nothing") { _ in ServerResponse(status: 204) }
        let server = HTTPServer(router: router)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let tasks = [Task { try await server.run { port.yield($0) } }, Task { await api.watchDatabase() }]
        guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
        return Self(url: "http://127.0.0.1:\(port)", database: database, tasks: tasks)
    }

    func stop() async {
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        await database.close()
    }
}

/// The statements that the server runs for a request, as reported to the session that sends them.
final class Statements: Sendable {
    struct Statement: Sendable {
        let text: String
        let values: [String]
    }

    private let heard = Locked<[Statement]>([])

    func hear(_ remark: String) {
        guard let start = remark.firstRange(of: ": SELECT")?.lowerBound, remark.contains("execute ") else { return }
        let parts = remark[start...].dropFirst(2).split(separator: "\nDETAIL:  parameters: ", maxSplits: 1)
        let values =
            parts.count < 2
            ? [] : parts[1].matches(of: #/\$\d+ = (?:'((?:[^']|'')*)'|NULL)/#).map { String($0.1 ?? "") }
        let statement = Statement(text: String(parts[0]), values: values)
        heard.withLock { $0.append(statement) }
    }

    /// Sends the request twice. The second one has the statements that remain when results are cached.
    func listen(_ url: String, _ token: String) async throws -> [Statement] {
        for _ in 1...2 {
            heard.withLock { $0 = [] }
            _ = try await output(of: "curl", ["-sf", "-o", "/dev/null", "-H", "Authorization: Bearer \(token)", url])
        }
        return heard.withLock { $0 }.filter { !$0.text.contains("set_config") && !$0.text.contains("bearer_of_token") }
    }
}

/// https://github.com/wg/wrk, which must be installed.
struct Wrk {
    struct Answers {
        let rate: Double
        let median: Double
        let late: Double
    }

    let url: String
    let friends: Int
    let seconds: Int
    let token: String
    var connections = 16
    /// Replies other than 200 are expected.
    var mayFail = false

    /// Without a path it requests random friends.
    func run(_ path: String?) async throws -> Answers {
        let script = "/tmp/waypost-wrk-\(getpid())-\(UInt32.random(in: 0 ... .max)).lua"
        let target = path.map { "'\($0)'" } ?? "'/v1/friends/' .. (math.random(\(friends / 10)) * 10 + 1)"
        try """
        request = function() return wrk.format('GET', \(target)) end
        done = function(summary, latency)
            local errors = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
            print('figures', summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000,
                  latency:percentile(99) / 1000, errors)
        end
        """.write(toFile: script, atomically: true, encoding: .utf8)
        defer { unlink(script) }
        let text = try await output(
            of: "wrk",
            [
                "-t1", "-c\(connections)", "-d\(seconds)s", "-s", script, "-H", "Authorization: Bearer \(token)", url,
            ])
        let figures =
            text.split(separator: "\n").first { $0.hasPrefix("figures") }?.split(separator: "\t")
            .dropFirst().compactMap { Double($0.trimmingCharacters(in: .whitespaces)) } ?? []
        guard figures.count == 4, mayFail || figures[3] == 0 else {
            throw ProgramFailure(description: "wrk met errors:\n\(text)")
        }
        return Answers(rate: figures[0], median: figures[1], late: figures[2])
    }
}
