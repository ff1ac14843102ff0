import Cluster
import Postgres
import Queue
import Terminal

extension ProcessRole: OptionValue {}

struct HealthCommand: Command {
    static let name = "health"
    static let summary = "Check the processes of this machine, for a health check."
    static let discussion = """
        Succeeds when the database answers, its schema fits this program, and a worker or coordinator of this host has \
        sent a heartbeat within the silence limit.
        """

    @Option("--role", "The kind of process to check; by default any.") var role: ProcessRole?

    func run() async throws {
        let app = try await Application.forCommand(.running)
        let host = ProcessIdentity.current.host
        let isAlive = try await app.database.run { [registry = app.registry] in
            try registry.isAlive(role, host: host, on: $0)
        }
        guard isAlive else {
            throw Unhealthy(
                description: "no \(role?.rawValue ?? "process") of host \(host) has sent a heartbeat recently")
        }
        Screen.output.writeLine("well")
        await app.close()
    }
}

private struct Unhealthy: Error, CustomStringConvertible {
    let description: String
}
