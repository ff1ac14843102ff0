import DatabaseTesting
import Postgres
import Queue
import Testing

@testable import Cluster

@Suite(.database)
struct RecallTests {
    @Test func `jobs of a claim that a halt overtook are handed back`() async throws {
        let database = try Database.test
        try await fill(database, with: 2)
        let membership = try await Membership.join(
            as: .worker, name: "ada", host: .current, registry: ProcessRegistry(), database: database, log: silent)
        let loop = LaneLoop(
            GeocodingWork(TestProvider.everywhere), of: worker(.everywhere, on: database), membership: membership)
        for isRecalled in [true, false] {
            var state = LaneLoop.State(capacity: 1)
            state.lookAt = .now
            loop.claim(&state)
            #expect(state.isClaiming)
            var claimed: LaneLoop.Event?
            await loop.inbox.read { events in
                claimed = events.first
                return claimed == nil
            }
            if isRecalled { loop.handle(.recall, &state) }
            loop.handle(try #require(claimed), &state)
            #expect(state.hand.waiting.count == (isRecalled ? 0 : 1))
            #expect(state.gathered.count == (isRecalled ? 1 : 0))
            #expect(state.gathered.allSatisfy { $0.report.outcome == .released })
            // The loop claims again at once, and only that claim was recalled.
            #expect(!state.isClaiming && !state.isClaimRecalled)
            #expect(!isRecalled || state.lookAt <= .now)
        }
        await membership.leave()
    }
}
