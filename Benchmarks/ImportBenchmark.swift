import Contacts
import Formats
import Foundation
import Postgres

/// Contacts from a CSV file into an empty database, the same file again, and again with a tenth of them changed. For
/// comparison, `COPY` of the same rows into three plain tables with the same indexes.
///
/// An import reads, hashes, stores and enqueues. Each result is a ratio to the `COPY` in the same run.
enum ImportBenchmark {
    static func run(_ options: Options) async throws {
        let contacts = try options.integer("contacts", 200_000)
        let folder = FileManager.default.temporaryDirectory.appending(path: "waypost-import-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "contacts.csv").path
        let changed = folder.appending(path: "changed.csv").path
        try MadeUpContacts(count: contacts).write(to: file)
        try MadeUpContacts(count: contacts, changed: 10).write(to: changed)

        print(title("\(contacts) contacts"), "contacts/s    seconds    first")
        fflush(nil)
        try await Scratch.with("import") { scratch in
            let start = cpuTime(of: getpid())
            let first = try await time(file, scratch)
            report("first time", contacts, first, first)
            let ours = cpuTime(of: getpid()) - start
            let server = try await scratch.ownServerTime
            report("the same again", contacts, try await time(file, scratch), first)
            report("a tenth changed", contacts, try await time(changed, scratch), first)
            let bare = try await BareCopy(scratch: scratch, folder: folder).time()
            report("bare COPY of the same rows", contacts, bare, first)
            print(title("first time / bare COPY"), ratio(first / bare))
            print(title("CPU time of ours, µs a contact"), ratio(ours / Double(contacts) * 1_000_000))
            print(title("of the server's, µs a contact"), ratio(server / Double(contacts) * 1_000_000))
            print(title("most memory of ours, MB"), ratio(mostMegabytes()))
        }
    }

    private static func time(_ file: String, _ scratch: Scratch) async throws -> Double {
        try await scratch.run(script: "CHECKPOINT")
        let start = ContinuousClock.now
        let account = try await scratch.database.run { try ContactStore().openAccount(named: "default", on: $0) }
        let rules = ImportRules(feed: "benchmark", isComplete: true)
        var reader = try ContactsCSV(path: file)
        _ = try await ImportRun(rules, database: scratch.database, account: account).run(&reader)
        return seconds(since: start)
    }

    private static func report(_ name: String, _ contacts: Int, _ time: Double, _ first: Double) {
        print(title(name), column(Double(contacts) / time), "   ", ratio(time), "   ", ratio(time / first))
        fflush(nil)
    }

    /// The peak memory of this process.
    private static func mostMegabytes() -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Double($0) } ?? 0)
            / 1_024
    }
}

/// The rows of the three tables, written by COPY into tables that have only the indexes.
private struct BareCopy {
    let scratch: Scratch
    let folder: URL

    private static let tables = [
        "friends": "id, account, source_key, name, feed",
        "geocodes": "id, hash, street, city, region, postcode, country, status, job",
        "addresses": "id, owner, friend, position, label, street, city, region, postcode, country, hash, country_code",
    ]

    func time() async throws -> Double {
        try await scratch.run(
            script: """
                CREATE TABLE bare_friends (LIKE friends INCLUDING DEFAULTS INCLUDING INDEXES);
                CREATE TABLE bare_geocodes (LIKE geocodes INCLUDING DEFAULTS INCLUDING INDEXES);
                CREATE TABLE bare_addresses (LIKE addresses INCLUDING DEFAULTS INCLUDING INDEXES);
                """)
        for (table, columns) in Self.tables {
            try await Pgbench.psql("\\copy \(table) (\(columns)) to '\(path(table))'", url: scratch.url)
        }
        try await scratch.run(script: "CHECKPOINT")
        let start = ContinuousClock.now
        for (table, columns) in Self.tables {
            try await Pgbench.psql("\\copy bare_\(table) (\(columns)) from '\(path(table))'", url: scratch.url)
        }
        return seconds(since: start)
    }

    private func path(_ table: String) -> String { folder.appending(path: table).path }
}

extension Scratch {
    /// CPU seconds of the server for our own connections.
    fileprivate var ownServerTime: Double {
        get async throws {
            try await database.run { database in
                try database.query("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
                    .map { cpuTime(of: Int32(try $0.read("pid", as: Int.self))) }.reduce(0, +)
            }
        }
    }
}
