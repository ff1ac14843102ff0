import API
import Contacts
import Glibc
import HTTP
import JSON
import Locations
import Postgres
import Processes
import Questions
import Queue
import Schema
import Shapes
import Terminal
import Wording

/// Facts about a cluster for a person who helps, without contacts and secrets.
struct SupportBundle {
    /// The name of the folder in the archive.
    let name: String
    private let redaction: Redaction
    private var files: [(name: String, content: String, words: String)] = []
    /// The parts that could not be read, with the reason of each.
    private(set) var missing: [(name: String, reason: String)] = []
    private let time: Int

    /// No part may take longer.
    private static let limit = Duration.seconds(20)

    init(_ settings: Settings, at time: Int) {
        self.time = time
        let digits = Timestamp.text(Double(time)).prefix { $0 != "." }.filter { !"-:".contains($0) }
        name = "waypost-support-\(digits.filter { $0 != "Z" })Z"
        redaction = Redaction(settings.secretTexts)
    }

    /// Reads all parts. A part that can't be read is missing, with its reason.
    static func collect(_ settings: Settings, logs: [String]) async -> SupportBundle {
        var bundle = SupportBundle(settings, at: Int(Glibc.time(nil)))
        bundle.add("versions.txt", "of Waypost, its libraries and the system", versions)
        bundle.add("settings.txt", "of this process; of a secret only whether it is set", text(of: settings.shown))
        await bundle.add(logs: logs)
        await bundle.addCluster()
        return bundle
    }

    /// The archive, with a list of its files first.
    var packed: [UInt8] {
        var archive = TarArchive(time: time)
        archive.add("\(name)/README.txt", Array(contents.utf8))
        for file in files { archive.add("\(name)/\(file.name)", Array(file.content.utf8)) }
        return archive.packed
    }

    /// The list of the files and of the missing parts.
    var contents: String {
        let present = files.map { "  \($0.name): \($0.words)\n" }.joined()
        var reasons: [String] = []
        for part in missing where !reasons.contains(part.reason) { reasons.append(part.reason) }
        let absent = reasons.map { reason in
            "  \(missing.filter { $0.reason == reason }.map(\.name).joined(separator: ", ")): \(reason)\n"
        }.joined()
        return "A support bundle of Waypost. It has:\n" + present + (absent.isEmpty ? "" : "Missing:\n" + absent)
            + "It has no data of a contact and no secret.\n"
    }

    private mutating func add(_ name: String, _ words: String, _ content: String) {
        files.append((name, redaction(content), words))
    }

    private mutating func lack(_ name: String, _ reason: String) {
        let line = reason.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }
        missing.append((name, redaction(line.joined(separator: " "))))
    }
}

extension SupportBundle {
    private static var versions: String {
        var system = utsname()
        uname(&system)
        func text(_ letters: some Any) -> String {
            withUnsafeBytes(of: letters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        let release = (try? LogExcerpt.tail(of: "/etc/os-release")) ?? ""
        let lines = release.split(separator: "\n").filter { $0.hasPrefix("PRETTY_NAME=") }
        return """
            waypost \(Waypost.version) \(Waypost.build)
            libpq \(Database.libraryVersion)
            \(HTTPClient.libraryVersion)
            \(text(system.sysname)) \(text(system.release)) \(text(system.machine))
            \(lines.first.map(String.init) ?? "the file /etc/os-release has no name")
            processors \(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
            memory \(Readable.bytes(sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))))

            """
    }

    /// The format of an environment file. A setting that has its default is a comment.
    private static func text(of settings: [RunningSettings.Setting]) -> String {
        settings.map { setting in
            let value = setting.isSecret ? (setting.isSet ? "(set)" : "(not set)") : setting.value ?? "(none)"
            return "\(setting.isSet ? "" : "# ")\(setting.name)=\(value)\n"
        }.joined()
    }

    private mutating func add(logs: [String]) async {
        for (number, path) in logs.enumerated() {
            let name = "log-\(number + 1).txt"
            do { add(name, try LogExcerpt(file: path)) } catch { lack(name, "can't read \(path): \(error)") }
        }
        guard logs.isEmpty else { return }
        if let journal = await LogExcerpt(journalOf: "waypost*") {
            add("log.txt", journal)
        } else {
            lack("log.txt", "no log: the journal has none of waypost's units; name a file with --log")
        }
    }

    private mutating func add(_ name: String, _ log: LogExcerpt) {
        let others = log.others == 0 ? "" : "; \(Words.count(log.others, "line")) of other programs left out"
        add(
            name, "\(Words.count(log.lines.count, "line")) of the log\(others)",
            log.lines.joined(separator: "\n") + "\n")
    }
}

extension SupportBundle {
    /// The parts that the database has.
    private mutating func addCluster() async {
        let names = Self.parts.map(\.name)
        do {
            let findings = try await DoctorCommand.examine()
            add("doctor.json", "the findings of 'waypost doctor'", Self.json(findings))
            if let first = findings.first(where: {
                $0.check == "database" || $0.check == "pooler" && findings.count == 1
            }) {
                return names.forEach { lack($0, first.text) }
            }
            let app = try await Application.forCommand(requiresSchema: false)
            await addSchema(app)
            for part in Self.parts { await add(part, app) }
            await app.close()
        } catch {
            for name in ["doctor.json"] + names { lack(name, "\(error)") }
        }
    }

    private mutating func addSchema(_ app: Application) async {
        let answer: String
        do {
            let isThere: Void? = try await within(Self.limit) {
                try await app.database.requireSchema(Schema.scripts)
                try await app.database.run { try $0.requireSchemaObjects() }
            }
            answer = isThere == nil ? "no answer within \(Self.limit.text)" : "The schema is up to date."
        } catch { answer = "\(error)" }
        add("schema.txt", "the answer of 'waypost migrate --check'", answer + "\n")
    }

    private struct Part: Sendable {
        let name: String
        let words: String
        let read: @Sendable (Application, isolated Connection) throws -> String
    }

    private static let parts = [
        Part(name: "stats.json", words: "addresses by status, lanes, throughput, workers") { app, db in
            let (lanes, throughput) = try app.queue.overview(on: db)
            let addresses = try app.contacts.talliedProgress(on: db)
            let overview = Overview(
                lanes, throughput, workers: try app.registry.workers(on: db), answered: addresses.answered)
            return json(
                Stats(
                    contacts: try app.contacts.counts(on: db), addresses: addresses, geocodes: nil, overview: overview))
        },
        Part(name: "chains.json", words: "the chains") { _, db in json(try ChainStore().all(on: db)) },
        Part(name: "acts.txt", words: "the latest changes of lanes, jobs, workers, chains and points") { _, db in
            try ["lanes", "jobs", "workers", "chains", "points"].flatMap {
                try AuditLog().acts(ActFilter(verb: $0), limit: 100, on: db)
            }.sorted { $0.id < $1.id }.map(\.line).joined()
        },
        Part(name: "postgres.json", words: "settings of PostgreSQL that matter") { _, db in
            indented(try db.serverSettings())
        },
        Part(name: "tables.json", words: "sizes, rows and vacuums of the tables") { _, db in
            indented(try db.tableSizes())
        },
        Part(name: "sessions.json", words: "sessions of the database, without their statements") { _, db in
            indented(try db.sessions())
        },
    ]

    private mutating func add(_ part: Part, _ app: Application) async {
        do {
            let text = try await within(Self.limit) {
                try await app.database.transaction(within: Self.limit, isSnapshot: true) { db in
                    try part.read(app, db)
                }
            }
            if let text {
                add(part.name, part.words, text)
            } else {
                lack(part.name, "no answer within \(Self.limit.text)")
            }
        } catch { lack(part.name, "\(error)") }
    }

    private static func json(_ value: some JSONRepresentable) -> String {
        indented(JSONWriter.text { value.write(to: &$0) })
    }

    private static func indented(_ json: String) -> String {
        String(decoding: JSONWriter.indented(Array(json.utf8)), as: UTF8.self) + "\n"
    }
}

extension Act {
    /// The act without the name of its author and without free text. A name of a user or an account may be that of a
    /// contact.
    fileprivate var line: String {
        let author =
            self.author.token.map { "token \($0)" } ?? (self.author.host.map { "a command on \($0)" } ?? "the API")
        let values = Set(before.keys).union(after.keys).subtracting(["reason"]).sorted().map {
            "\($0) \(before[$0] ?? "-") → \(after[$0] ?? "-")"
        }
        return
            "\(id) \(Timestamp.text(at / .seconds(1))) \(author): \(verb) \(target) \(values.joined(separator: "; "))\n"
    }
}
