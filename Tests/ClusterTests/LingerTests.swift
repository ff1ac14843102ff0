import DatabaseTesting
import Postgres
import Queue
import Testing

@testable import Cluster

@Suite(.database)
struct LingerTests {
    private func handBackOne(_ database: Database) async throws {
        try await database.run {
            try $0.query(
                """
                UPDATE jobs SET worker = NULL, lease = NULL, starts_at = NULL WHERE id = (SELECT min(id) FROM jobs)
                """)
        }
    }

    /// Claims once and adds the jobs to the state. Returns the number of jobs.
    private func claim(_ loop: LaneLoop, _ state: inout LaneLoop.State) async throws -> Int {
        state.lookAt = .now
        loop.claim(&state)
        var found: LaneLoop.Claimed?
        await loop.inbox.read { events in
            for case .claimed(let claimed) in events { found = claimed }
            return found == nil
        }
        loop.acceptClaim(found, &state)
        return try #require(found).claim.jobs.count
    }

    @Test func `a worker that found several jobs looks again soon, and sleeps when it finds none`()
        async throws
    {
        let database = try Database.test
        try await fill(database, with: 3)
        let membership = try await Membership.join(
            as: .worker, name: "ada", host: .current, registry: ProcessRegistry(), database: database, log: silent)
        let loop = LaneLoop(
            GeocodingWork(TestProvider.everywhere), of: worker(.everywhere, on: database), membership: membership)
        var state = LaneLoop.State(capacity: 8)
        // Without a claim time the first claim would take only one job.
        state.claimTime = .milliseconds(1)
        #expect(try await claim(loop, &state) == 3)
        #expect(state.lookAt < .now + .milliseconds(10))
        #expect(!state.isHungry)
        // After this, one job is enough to stay awake.
        try await handBackOne(database)
        #expect(try await claim(loop, &state) == 1)
        #expect(!state.isHungry)
        #expect(try await claim(loop, &state) == 0)
        #expect(state.isHungry)
        #expect(state.lookAt > .now + .milliseconds(100))
        // A single job after an empty claim does not keep the worker awake.
        try await handBackOne(database)
        #expect(try await claim(loop, &state) == 1)
        #expect(state.isHungry)
        await membership.leave()
    }
}
