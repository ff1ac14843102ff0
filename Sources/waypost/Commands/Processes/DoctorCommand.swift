import Postgres
import Queue
import Schema
import Shapes
import Terminal

struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Find what slows or stops the cluster."
    static let discussion = """
        Changes nothing. Exits with 1 when something has stopped or is about to, and with 0 when there are warnings \
        only.
        """

    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let findings = try await examine()
        if json {
            Screen.output.writeJSON(findings)
        } else {
            for finding in findings { finding.write(to: .output) }
        }
        if findings.contains(where: { $0.verdict == .problem }) { throw ExitCode(1) }
    }

    /// If the schema is old, nothing else is checked.
    private func examine() async throws -> [Finding] {
        do {
            let app = try await Application.forCommand()
            let findings = try await app.examine()
            await app.close()
            return findings
        } catch let error as DatabaseError where error.isOfPooler {
            return [.ofPooler(error)]
        } catch let error as DatabaseError {
            guard let finding = Finding.refusedConnection(error) else { throw error }
            return [finding]
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
        if let pooler = try await pooler() { findings.append(pooler) }
        do {
            findings =
                try await database.transaction { [self] db in
                    // Reading definitions locks their tables, as reading rows does.
                    try db.query("SET LOCAL lock_timeout = '5s'")
                    return try [schema(on: db), roles(on: db)] + doctor.examine(on: db) + examineSinks(on: db)
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
        }
        return findings
    }

    /// Detects a connection pooler, and whether it shares sessions; nil if there is none.
    ///
    /// A pooler sends the process id of its own when a session begins. If it shares the server's sessions by
    /// transaction, two of our connections get the same one.
    private func pooler() async throws -> Finding? {
        let beside = database.beside(size: 1, waitLimit: .seconds(3))
        defer { Task { await beside.close() } }
        func process(_ database: Database) async throws -> (announced: Int, real: Int) {
            try await database.run { db in
                (db.serverProcess, try db.query("SELECT pg_backend_pid() AS pid")[0].read("pid"))
            }
        }
        let (first, second): ((announced: Int, real: Int), (announced: Int, real: Int))
        do { (first, second) = try await (process(database), process(beside)) } catch let error as DatabaseError {
            // If the server refuses a second connection, the finding "connections" reports it.
            return error.isOfPooler ? .ofPooler(error) : nil
        }
        if first.real == second.real {
            return .problem("pooler", "two connections share one session of PostgreSQL", DatabaseError.poolerRemedy)
        }
        guard first.announced != first.real else { return nil }
        return .ok("pooler", "a connection pooler stands between here and PostgreSQL, and keeps sessions apart")
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

extension Finding {
    fileprivate static func ofPooler(_ error: DatabaseError) -> Finding {
        .problem("pooler", "\(error.message) (\(error.sqlState ?? ""))", DatabaseError.poolerRemedy)
    }

    fileprivate func write(to screen: Screen) {
        let (word, style): (String, Style) =
            switch verdict {
            case .ok: ("ok      ", .green)
            case .warning: ("warning ", .yellow)
            case .problem: ("problem ", .red)
            }
        let advice = advice.map { "; " + $0 } ?? ""
        screen.writeLine("\(screen.styled(word, style)) \(check): \(text)\(advice)")
    }
}
