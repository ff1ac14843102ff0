import Geocoding
import Points
import Postgres
import Processes
import Questions
import Queue

/// Moves questions on from the lanes of providers that no worker of a private cluster serves, such as those of a
/// variable that was set in another terminal. Otherwise they would wait for ever.
struct UnservedLanes: Service {
    let name = "unserved lanes"
    let app: Application
    /// The workers of the cluster. Until they are all there, nothing is known about their lanes.
    let workers: Int
    let tell: @Sendable (String) -> Void

    func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        var told: Set<String> = []
        while (try? await Task.sleep(for: .milliseconds(200))) != nil {
            // While the database is away, others say so.
            guard let left = try? await leave() else { continue }
            for lane in left where told.insert(lane).inserted {
                tell("\(lane) is skipped: \(ProviderSettings.absence(of: lane)).")
            }
        }
    }

    private func leave() async throws -> [String] {
        try await app.database.transaction { [app, workers] db in
            let known = try app.registry.workers(on: db)
            guard known.count >= workers else { return [] }
            // The workers have this process's environment, and soon serve a new set of points. Others may have joined.
            let served =
                known.flatMap(\.lanes) + app.providers.map(\.name) + (try PointSetStore().sets(on: db).map(\.name))
            return try app.questions.leaveLanes(
                otherThan: Set(served), because: ProviderSettings.absence, limit: 1_000, on: db)
        }
    }
}
