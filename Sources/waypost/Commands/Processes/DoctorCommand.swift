import Postgres
import Queue
import Schema
import Sentences
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
            try Screen.output.writeJSON(findings.map(FindingJSON.init))
        } else {
            for finding in findings { finding.write(to: .output) }
        }
        if findings.contains(where: { $0.verdict == .problem }) { throw ExitCode(1) }
    }

    /// With an old schema there is nothing else to look at.
    private func examine() async throws -> [Finding] {
        do {
            let app = try await Application.forCommand()
            let findings = try await app.examine()
            await app.database.close()
            return findings
        } catch let error as SchemaError {
            let remedies = [Remedy.sentence(for: error), "then run 'waypost doctor' again"].compactMap(\.self)
            return [.problem("schema", "\(error)", remedies.joined(separator: "; "))]
        }
    }
}

extension Application {
    /// What slows or stops the cluster, whose schema is this program's.
    func examine() async throws -> [Finding] {
        try await database.transaction { [self] db in
            try [schema(on: db), roles(on: db)] + Doctor(queue: queue, registry: registry).examine(on: db)
                + examineSinks(on: db)
        }
    }
}

/// The migrations were checked before. What the function files made may have been dropped or replaced since.
private func schema(on database: isolated Connection) throws -> Finding {
    do { try database.requireSchemaObjects() } catch let error as SchemaError {
        return .problem("schema", "\(error)", Remedy.sentence(for: error) ?? "")
    }
    return .ok("schema", "has all migrations and functions of this program")
}

/// Fewer roles than there could be are fine while accounts are kept apart without them.
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
    fileprivate func write(to screen: Screen) {
        let (word, style): (String, Style) =
            switch verdict {
            case .ok: ("ok      ", .green)
            case .warning: ("warning ", .yellow)
            case .problem: ("problem ", .red)
            }
        let remedy = self.remedy.map { "; " + $0 } ?? ""
        screen.writeLine("\(screen.styled(word, style)) \(check): \(text)\(remedy)")
    }
}

/// The form of a line of `doctor --json`.
private struct FindingJSON: Encodable {
    let check, verdict, text: String
    let remedy: String?

    init(_ finding: Finding) {
        (check, text, remedy) = (finding.check, finding.text, finding.remedy)
        verdict = finding.verdict.rawValue
    }
}
