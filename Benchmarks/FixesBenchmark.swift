import API
import Access
import Contacts
import Foundation
import HTTP
import Locations
import Postgres
import Processes
import Queue
import Schema

/// GPS fixes of many phones, sent over HTTP by `wrk`: one in a request, and ten. A fifth is sent twice, and a tenth
/// half a minute late.
///
/// The server is in this process, under its own role, like a coordinator's.
enum FixesBenchmark {
    private static let address = "127.0.0.1"

    static func run(_ options: Options) async throws {
        let phones = try options.integer("phones", 2_000)
        let seconds = try options.integer("seconds", 10)
        let connections = try options.integer("connections", 32)
        try await Scratch.with("fixes") { scratch in
            try await Schema.prepareRoles(in: scratch.database)
            let account = try await scratch.database.run { try ContactStore().openAccount(named: "default", on: $0) }
            try await openTrackers(phones, account: account, scratch)
            let token = try await scratch.database.run {
                try TokenStore().create(account: account, name: "wrk", scopes: [.track], on: $0).text
            }
            var pool = Database.Options(size: 4)
            pool.role = "waypost_api"
            let database = Database(url: scratch.url, options: pool)
            let api = APIServer(
                Backend(
                    database: database, tokens: TokenStore(), openAccount: nil, log: Log(level: .warning),
                    standing: { _ in CoordinatorStanding(isHeard: true, isLed: true) }))
            var server = HTTPServer.Options()
            server.address = address
            let running = HTTPServer(server, router: api.router)
            let (ports, port) = AsyncStream.makeStream(of: Int.self)
            let serving = Task { try await running.run { port.yield($0) } }
            guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }

            print(title("\(phones) phones, \(connections) connections"), "   fixes/s    p50 ms    p99 ms")
            for count in [1, 10] {
                let load = FixLoad(
                    phones: phones, seconds: seconds, connections: connections, fixes: count, token: token,
                    url: "http://\(address):\(port)")
                try await load.report()
            }
            let stored: (fixes: Int, locations: Int) = try await scratch.database.run { db throws in
                (
                    try db.query("SELECT count(*) AS count FROM fixes")[0].read("count"),
                    try db.query("SELECT count(*) AS count FROM pending_locations")[0].read("count")
                )
            }
            print("\(stored.fixes) fixes are stored, in \(stored.locations) locations.")
            serving.cancel()
            _ = await serving.result
            await database.close()
        }
    }

    private static func openTrackers(_ phones: Int, account: Int, _ scratch: Scratch) async throws {
        try await scratch.database.run { db throws in
            _ = try TrackerStore().maintainPartitions(retention: nil, on: db)
            for phone in 1...phones {
                try TrackerStore().start("phone \(phone)", since: 0, account: account, on: db)
            }
        }
    }
}

/// https://github.com/wg/wrk, which must be installed.
private struct FixLoad {
    let phones: Int
    let seconds: Int
    let connections: Int
    let fixes: Int
    let token: String
    let url: String

    /// Each phone's clock advances one second with each fix, and the phone moves every minute.
    private var script: String {
        """
        local times, last, start = {}, {}, os.time() - 86400 + \(fixes) * 1000
        local function fix(phone)
            local time = (times[phone] or start) + 1
            times[phone] = time
            if math.random() < 0.1 then time = time - 30.5 end
            return string.format('{"lat":%f,"lng":24.94,"accuracy":5,"timestamp":%.1f}',
                                 60 + math.floor(time / 60) % 1000 / 1000, time)
        end
        request = function()
            local phone = math.random(\(phones))
            local body = last[phone]
            if not body or math.random() >= 0.2 then
                local all = {}
                for n = 1, \(fixes) do all[n] = fix(phone) end
                body = '[' .. table.concat(all, ',') .. ']'
                last[phone] = body
            end
            return wrk.format('POST', '/v1/trackers/phone%20' .. phone .. '/locations', nil, body)
        end
        done = function(summary, latency)
            local errors = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
            print('figures', summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000,
                  latency:percentile(99) / 1000, errors)
        end
        """
    }

    func report() async throws {
        let file = "/tmp/waypost-wrk-\(getpid()).lua"
        try script.write(toFile: file, atomically: true, encoding: .utf8)
        defer { unlink(file) }
        let text = try await output(
            of: "wrk",
            [
                "-t1", "-c\(connections)", "-d\(seconds)s", "-s", file, "-H", "Authorization: Bearer \(token)", "-H",
                "Content-Type: application/json", url,
            ])
        let figures =
            text.split(separator: "\n").first { $0.hasPrefix("figures") }?.split(separator: "\t")
            .dropFirst().compactMap { Double($0.trimmingCharacters(in: .whitespaces)) } ?? []
        guard figures.count == 4, figures[3] == 0 else {
            throw ProgramFailure(description: "wrk met errors:\n\(text)")
        }
        print(
            title(fixes == 1 ? "one in a request" : "\(fixes) in a request"), column(figures[0] * Double(fixes)),
            "    ",
            ratio(figures[1]), "    ", ratio(figures[2]))
        fflush(nil)
    }
}
