import DatabaseTesting
import Postgres
import Queue
import Testing

@testable import Cluster

@Suite(.database)
struct HintTests {
    /// Claims with this hint and returns the result.
    private func claim(_ hint: LaneLoop.Hint?, on database: Database) async throws -> LaneLoop.Claimed {
        let membership = try await Membership.join(
            as: .worker, name: "ada", host: .current, registry: ProcessRegistry(), database: database, log: silent)
        let loop = LaneLoop(
            GeocodingWork(TestProvider.everywhere), of: worker(.everywhere, on: database), membership: membership)
        var state = LaneLoop.State(capacity: 4)
        state.lookAt = .now
        state.hint = hint
        loop.claim(&state)
        #expect(state.isClaiming)
        var claimed: LaneLoop.Claimed?
        await loop.inbox.read { events in
            for case .claimed(let found) in events { claimed = found }
            return claimed == nil
        }
        await membership.leave()
        return try #require(claimed)
    }

    @Test func `a hint is used until it expires`() async throws {
        let database = try Database.test
        try await fill(database, with: 1)
        let place = "1 1 2999-01-01T00:00:00.000000Z"
        let good = try await claim(.init(place: place, goodUntil: .now + .seconds(60)), on: database)
        #expect(good.claim.jobs.isEmpty && good.hint != nil)
        let old = try await claim(.init(place: place, goodUntil: .now - .seconds(1)), on: database)
        #expect(old.claim.jobs.count == 1 && old.hint == nil)
    }
}
