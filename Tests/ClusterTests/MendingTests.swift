import DatabaseTesting
import Geocoding
import HTTP
import Postgres
import Processes
import Questions
import Queue
import Testing

@testable import Cluster

@Suite(.database)
struct MendingTests {
    private struct CountedMending: AddressMending {
        let count = Locked(0)

        func mended(_ address: Address) -> Address {
            count.withLock { $0 += 1 }
            return address
        }
    }

    /// It takes milliseconds for some addresses, and in a debug build a tenth of a second. Between a slot and its call
    /// that is longer than the grace: then a lane stands still as long as only such addresses are left.
    @Test func `typos are corrected in the claim, and not between a slot and its call`() async throws {
        let database = try Database.test
        try await fill(database, with: 3)
        let membership = try await Membership.join(
            as: .worker, name: "ada", host: .current, registry: ProcessRegistry(), database: database, log: silent)
        let mending = CountedMending()
        let work = GeocodingWork(TestProvider.everywhere, mending: mending)
        let worker = Worker(
            name: "ada", database: database, works: [work], registry: ProcessRegistry(), callsAtOnce: 4, log: silent)
        let order = LaneMachine.ClaimOrder(
            most: 3, hint: nil, duration: .milliseconds(1), clock: membership.clock, jobsInHand: nil)
        let loop = LaneLoop(work, of: worker, membership: membership)
        let claimed = try #require(await loop.claim(order))
        #expect(mending.count.withLock { $0 } == 3)
        for case let question as GeocodingWork.Question in claimed.questions.values {
            guard case .done = await work.call(question, Departure()).outcome else {
                Issue.record("the call failed")
                continue
            }
        }
        #expect(claimed.questions.count == 3 && mending.count.withLock { $0 } == 3)
        await membership.leave()
    }
}
