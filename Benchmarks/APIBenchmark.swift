import API
import Contacts
import Foundation
import HTTP
import Operations
import Postgres
import Queue
import Schema

/// Friends with their addresses, read one at a time over HTTP by `wrk`, while workers drain a queue at a limit.
///
/// The server is in this process, under its own role, as a coordinator has it. Beside it, a route that does nothing:
/// what the server alone can do on this machine.
enum APIBenchmark {
    private static let address = "127.0.0.1"

    static func run(_ options: Options) async throws {
        let friends = try options.integer("friends", 100_000)
        let seconds = try options.integer("seconds", 10)
        let rate = try options.integer("rate", 500)
        try await Scratch.with("api") { scratch in
            try await Schema.prepareRoles(in: scratch.database)
            let account = try await fill(scratch, friends: friends)
            let (database, text) = try await open(scratch, account: account)
            let api = APIServer(
                Backend(
                    database: database, tokens: TokenStore(), openAccount: nil,
                    log: Log(level: .warning),
                    standing: { _ in CoordinatorStanding(isHeard: true, isLed: true) }))
            var router = api.router
            router.add(.get, "/nothing") { _ in ServerResponse(status: 204) }
            var server = HTTPServer.Options()
            server.address = address
            let running = HTTPServer(server, router: router)
            let (ports, port) = AsyncStream.makeStream(of: Int.self)
            let serving = Task { try await running.run { port.yield($0) } }
            guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }

            let url = "http://\(address):\(port)"
            let reading = Wrk(friends: friends, seconds: seconds, token: text)
            print(title("16 connections"), "requests/s    p50 ms    p99 ms")
            try await reading.report("a friend, nothing else going on", url)
            try await scratch.openLane(batch: 1)
            try await scratch.resumeLane()
            let crew = try await BenchCrew.start(1, callsAtOnce: 100, in: scratch)
            async let load: Void = SteadyLoad(scratch: scratch, jobsPerSecond: rate).run(for: .seconds(seconds + 1))
            try await reading.report("a friend, while \(rate) jobs a second drain", url)
            try await load
            await crew.stop()
            try await reading.report("a route that does nothing", url, path: "/nothing")
            serving.cancel()
            _ = await serving.result
            await database.close()
        }
    }

    /// Each has an address, and one in two a second; those of nine in ten have their places.
    private static func fill(_ scratch: Scratch, friends: Int) async throws -> Int {
        let account = try await scratch.database.run { try ContactStore().openAccount(named: "default", on: $0) }
        try await scratch.run(
            script: """
                INSERT INTO geocodes (hash, street, city, region, postcode, country, status, latitude, longitude, precision,
                                      provider, confidence)
                SELECT sha256(n::text::bytea), n || ' Main St', 'Springfield', '', '', 'US', 'located', n % 90, n % 180,
                       'rooftop', 'bench', 0.9
                FROM generate_series(1, \(friends)) AS n;
                INSERT INTO friends (account, source_key, name)
                SELECT \(account), n::text, 'Friend ' || n FROM generate_series(1, \(friends)) AS n;
                INSERT INTO addresses (friend, position, label, street, city, country, country_code, hash)
                SELECT n, position, 'home', n || ' Main St', 'Springfield', 'US', 'US',
                       CASE WHEN n % 10 > 0 THEN sha256(n::text::bytea) END
                FROM generate_series(1, \(friends)) AS n, generate_series(1, 1 + n % 2) AS position;
                """)
        try await scratch.run(script: "VACUUM ANALYZE")
        return account
    }

    private static func open(_ scratch: Scratch, account: Int) async throws -> (Database, token: String) {
        var options = Database.Options(size: 4)
        options.role = "waypost_api"
        let text = try await scratch.database.run {
            try TokenStore().create(account: account, name: "wrk", scopes: [.read], on: $0).text
        }
        return (Database(url: scratch.url, options: options), text)
    }
}

/// https://github.com/wg/wrk, which has to be installed.
private struct Wrk {
    let friends: Int
    let seconds: Int
    let token: String

    func report(_ name: String, _ url: String, path: String? = nil) async throws {
        let script = "/tmp/waypost-wrk-\(getpid()).lua"
        let target = path.map { "'\($0)'" } ?? "'/v1/friends/' .. math.random(\(friends))"
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
            ["-t1", "-c16", "-d\(seconds)s", "-s", script, "-H", "Authorization: Bearer \(token)", url])
        let figures =
            text.split(separator: "\n").first { $0.hasPrefix("figures") }?.split(separator: "\t")
            .dropFirst().compactMap { Double($0.trimmingCharacters(in: .whitespaces)) } ?? []
        guard figures.count == 4, figures[3] == 0 else {
            throw ProgramFailure(description: "wrk met errors:\n\(text)")
        }
        print(title(name), column(figures[0]), "    ", ratio(figures[1]), "    ", ratio(figures[2]))
        fflush(nil)
    }
}
