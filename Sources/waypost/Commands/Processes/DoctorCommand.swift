import Postgres
import Processes
import Queue
import Schema
import Shapes
import Terminal

struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Find what slows or stops the cluster."
    static let discussion = """
        Changes nothing. Exits with 1 when something has stopped or is about to, or when the database does not answer within \
        10 seconds. Exits with 0 when there are warnings only, unless --strict is given.
        """

    let look = WatchOptions()
    @Flag("--strict", "Exit with 1 for a warning, too.") var strict

    func run() async throws {
        var worst = Finding.Verdict.ok
        try await look.show {
            let findings = try await Self.examine()
            worst = findings.map(\.verdict).max() ?? .ok
            return findings
        } as: {
            $0
        } write: { findings, screen in
            for finding in findings { finding.write(to: screen) }
        }
        if worst >= (strict ? .warning : .problem) { throw ExitCode(1) }
    }

    /// Examines over new connections, so a database that was away is found again.
    static func examine() async throws -> [Finding] {
        let app = try await Application.forCommand(.running, requiresSchema: false)
        let findings = try await within(limit) {
            let findings = try await app.findings()
            await app.close()
            return findings
        }
        return findings ?? [.ofDatabase("gave no answer within \(limit.text)")]
    }

    private static let limit = Duration.seconds(10)
}

extension Application {
    /// Returns errors of the database as findings. If the schema is old, nothing else is checked.
    fileprivate func findings() async throws -> [Finding] {
        do {
            try await database.requireSchema(Schema.scripts)
            return try await examine()
        } catch let error as DatabaseError where error.isOfPooler {
            return [.ofPooler(error)]
        } catch let error as DatabaseError {
            return [.refusedConnection(error) ?? .overTime(error) ?? .ofDatabase(error)]
        } catch let error as SchemaError {
            let remedies = [Remedy.sentence(for: error), "then run 'waypost doctor' again"].compactMap(\.self)
            return [.problem("schema", "\(error)", remedies.joined(separator: "; "))]
        }
    }
}

extension Application {
    /// Finds problems that slow or stop the cluster. The schema must be this program's.
    func examine() async throws -> [Finding] {
        let needs = ConnectionNeeds(connections: settings.connections, work: settings.workConnections)
        let doctor = Doctor(queue: queue, registry: registry, needs: needs)
        var findings = try await database.run { try doctor.examineServer(on: $0) }
        findings += try await [pooler(), standby(), settings.server.tls?.finding].compactMap(\.self)
        do {
            findings =
                try await database.transaction { [self] db in
                    // Reading definitions locks their tables, as reading rows does.
                    try db.query("SET LOCAL lock_timeout = '5s'")
                    return try [schema(on: db), roles(on: db)] + lostRights(on: db) + doctor.examine(on: db)
                        + examineSinks(on: db)
                        + examinePhones(on: db)
                } + findings
        } catch let error as DatabaseError where error.sqlState == "55P03" {
            findings.append(
                .problem(
                    "locks",
                    "another session has locked a table of this program for longer than 5 s, so no more can be read",
                    "end the transaction that 'transactions' names"))
            let impatient = Doctor(queue: queue, registry: registry, needs: needs, longTransaction: .seconds(5))
            findings += try await database.run { try impatient.transactions(on: $0) }.filter { !findings.contains($0) }
        } catch let error as DatabaseError where error.sqlState == "42501" {
            let lost = try await database.run { try lostRights(on: $0) }
            if lost.isEmpty { throw error }
            findings += lost
        }
        return findings
    }

    /// Nil without a pooler.
    private func pooler() async throws -> Finding? {
        let (isPooled, preparesStatements) = try await database.run { ($0.isPooled, $0.preparesStatements) }
        guard isPooled else { return nil }
        let text =
            "a connection pooler stands between here and PostgreSQL; statements are "
            + (preparesStatements
                ? "prepared through it" : "planned each time, because it does not track prepared ones")
        guard let direct = database.direct else {
            return .warning(
                "pooler", "\(text); no notification arrives, so idle workers look for new jobs once a second",
                "set WAYPOST_DIRECT_URL to PostgreSQL itself, or to a pooler that shares no sessions")
        }
        defer { Task { await direct.close() } }
        do {
            let isSame = try await same(direct)
            guard isSame else {
                return .problem(
                    "pooler", "\(text); WAYPOST_DIRECT_URL leads to another database, so no notification arrives",
                    "let both URLs lead to the same database")
            }
        } catch let error as DatabaseError {
            return .problem(
                "pooler", "\(text); WAYPOST_DIRECT_URL can't be reached, so no notification arrives: \(error.message)",
                "correct WAYPOST_DIRECT_URL, or start what it leads to")
        }
        return .ok("pooler", "\(text); notifications come over WAYPOST_DIRECT_URL")
    }

    /// Nil without a standby. Waits until the standby has replayed what the database has now.
    private func standby() async throws -> Finding? {
        guard let url = settings.standbyURL else { return nil }
        var options = Database.Options(size: 1)
        options.waitLimit = .seconds(3)
        let server = Database(url: url, options: options)
        defer { Task { await server.close() } }
        let target = try await database.run { try LogPosition(on: $0) }
        let began = ContinuousClock.now
        do {
            while true {
                let standby = try await server.run { try LogPosition(on: $0) }
                guard standby.isStandby, standby.database == target.database else {
                    return .problem(
                        "standby",
                        standby.isStandby
                            ? "WAYPOST_READ_URL leads to another database, which answers no reads"
                            : "WAYPOST_READ_URL leads to a server that is not a standby, and answers no reads",
                        "let it lead to a standby of the server in DATABASE_URL")
                }
                let lag = began.duration(to: .now)
                if standby.position >= target.position {
                    return .ok("standby", "answers reads of the API; it was at most \(Readable.duration(lag)) behind")
                }
                guard lag < settings.readLag else {
                    return .warning(
                        "standby",
                        "the standby is more than \(settings.readLag.text) behind, so the database answers all reads",
                        "look at its log and pg_stat_replication, or permit more with WAYPOST_READ_LAG")
                }
                try await Task.sleep(for: .milliseconds(20))
            }
        } catch let error as DatabaseError {
            return .warning(
                "standby", "WAYPOST_READ_URL can't be reached, so the database answers all reads: \(error.message)",
                "correct WAYPOST_READ_URL, or start what it leads to")
        }
    }

    private func same(_ other: Database) async throws -> Bool {
        func place(_ database: Database) async throws -> String {
            try await database.run { db in
                try db.query("SELECT concat_ws(' ', current_database(), pg_postmaster_start_time()) AS place")[0]
                    .read("place")
            }
        }
        let (here, there) = (try await place(database), try await place(other))
        return here == there
    }
}

/// The migrations were checked before. Objects of the function files may have been dropped or replaced since then.
private func schema(on database: isolated Connection) throws -> Finding {
    do { try database.requireSchemaObjects() } catch let error as SchemaError {
        return .problem("schema", "\(error)", Remedy.sentence(for: error) ?? "")
    }
    return .ok("schema", "has all migrations and functions of this program")
}

/// Missing roles are acceptable while accounts are separated without them.
private func roles(on database: isolated Connection) throws -> Finding {
    let standing = try Schema.roleStanding(on: database)
    if standing.worksAsOwner, !standing.isFenced {
        return .problem(
            "roles", "\(standing.login) may not become the roles of the API, which is not served therefore",
            "run: waypost migrate")
    }
    if !standing.idle.isEmpty {
        return .warning(
            "roles", "without rights here: \(standing.idle.joined(separator: ", "))",
            "run 'waypost migrate' as the owner of the tables")
    }
    if let shortfall = standing.shortfall { return .warning("roles", shortfall, standing.remedy) }
    return .ok("roles", "all four exist and have their rights")
}

/// Rights that roles.sql grants, and that somebody has taken away since.
private func lostRights(on database: isolated Connection) throws -> [Finding] {
    let lost = try Schema.lostRights(on: database)
    if lost.isEmpty { return [] }
    return [
        .problem(
            "rights", lost.prefix(5).joined(separator: "; ") + (lost.count > 5 ? "; and \(lost.count - 5) more" : ""),
            "run 'waypost migrate' as the owner of the tables. Rights of the owner come back with: GRANT ALL ON ALL TABLES IN "
                + "SCHEMA … TO …")
    ]
}

extension Finding {
    fileprivate static func ofPooler(_ error: DatabaseError) -> Finding {
        .problem("pooler", "\(error.message) (\(error.sqlState ?? ""))", DatabaseError.poolerRemedy)
    }

    /// An error of the database has several lines.
    fileprivate static func ofDatabase(_ error: DatabaseError) -> Finding {
        let message = error.message.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }
        return .ofDatabase(
            (error.isConnectionLost ? "can't be reached: " : "answered with an error: ")
                + message.joined(separator: " "),
            error.hint)
    }

    fileprivate static func ofDatabase(_ text: String, _ remedy: String? = nil) -> Finding {
        .problem("database", text, remedy ?? "start it, or correct DATABASE_URL")
    }

    fileprivate func write(to screen: Screen) {
        let (word, style): (String, Style) =
            switch verdict {
            case .ok: ("ok      ", .green)
            case .warning: ("warning ", .yellow)
            case .problem: ("problem ", .red)
            }
        let end = [advice, runbook.map { "see \($0)" }].compactMap(\.self).map { "; " + $0 }.joined()
        screen.writeLine("\(screen.styled(word, style)) \(check): \(text)\(end)")
    }
}
