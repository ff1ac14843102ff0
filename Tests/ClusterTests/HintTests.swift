import DatabaseTesting
import Postgres
import Questions
import Queue
import Testing

@testable import Cluster

@Suite(.database)
struct HintTests {
    @Test func `a claim begins at its hint`() async throws {
        let database = try Database.test
        try await fill(database, with: 1)
        let membership = try await Membership.join(
            as: .worker, name: "ada", host: .current, registry: ProcessRegistry(), database: database, log: silent)
        let loop = LaneLoop(
            GeocodingWork(TestProvider.everywhere), of: worker(.everywhere, on: database), membership: membership)
        for (place, jobs) in [("1 1 2999-01-01T00:00:00.000000Z", 0), (nil, 1)] {
            let order = LaneMachine.ClaimOrder(
                most: 4, hint: place.map { .init(place: $0, goodUntil: .now + .seconds(60)) },
                duration: .milliseconds(1), clock: membership.clock, jobsInHand: nil)
            #expect(try #require(await loop.claim(order)).claim.jobs.count == jobs)
        }
        await membership.leave()
    }
}
