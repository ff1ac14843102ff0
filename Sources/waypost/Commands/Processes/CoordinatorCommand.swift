import Processes
import Terminal

struct CoordinatorCommand: Command {
    static let name = "coordinator"
    static let summary = "Coordinate a cluster until stopped."
    static let discussion = """
        Frees the jobs of silent workers, enqueues addresses that other programs wrote, and serves the HTTP \
        API on 127.0.0.1:8080 or where WAYPOST_LISTEN says. Any number of coordinators may run.
        """

    func run() async throws {
        Signals.ignoreHangUp()
        let app = try await Application.forService()
        try await app.run([app.coordinator(), APIService(app: app)])
    }
}
