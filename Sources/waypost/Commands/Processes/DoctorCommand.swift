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
        let findings = try await database.transaction { [self] db in
            try [roles(on: db)] + Doctor(queue: queue, registry: registry).examine(on: db) + examineSinks(on: db)
                + examinePhones(on: db)
        }
        return [.ok("schema", "has all migrations and functions of this program")] + findings
    }
}

/// The API can't be served without its role; the others are optional.
private func roles(on database: isolated Connection) throws -> Finding {
    let idle = try Schema.idleRoles(on: database)
    if idle.isEmpty { return .ok("roles", "all four exist and have their rights") }
    return .warning(
        "roles", "missing, or without rights here: \(idle.joined(separator: ", "))",
        "run 'waypost migrate' as the owner of the tables, or let an administrator create the roles first")
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
