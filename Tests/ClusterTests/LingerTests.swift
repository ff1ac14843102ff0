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

    /// Claims once, and takes in what that brings. Returns how many jobs it was.
    private func claim(_ loop: LaneLoop, _ state: inout LaneLoop.State) async throws -> Int {
        state.lookAt = .now
        loop.claim(&state)
        var found: LaneLoop.Claimed?
        await loop.inbox.read { events in
            for case .claimed(let claimed) in events { found = claimed }
            return found == nil
        }
        loop.takeIn(found, &state)
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
        // Only the first claim takes no more than one job.
        state.claimTime = .milliseconds(1)
        #expect(try await claim(loop, &state) == 3)
        #expect(state.lookAt < .now + .milliseconds(10))
        #expect(!state.isHungry)
        // From now on one is enough to stay awake.
        try await handBackOne(database)
        #expect(try await claim(loop, &state) == 1)
        #expect(!state.isHungry)
        #expect(try await claim(loop, &state) == 0)
        #expect(state.isHungry)
        #expect(state.lookAt > .now + .milliseconds(100))
        // A single job after that keeps nobody awake.
        try await handBackOne(database)
        #expect(try await claim(loop, &state) == 1)
        #expect(state.isHungry)
        await membership.leave()
    }
}
