import DatabaseTesting
import Monitoring
import Postgres
import Processes
import Testing

@testable import Cluster
@testable import Queue

@Suite(.database)
struct ReminderTests {
    @Test func `a worker too far from the database logs this once a minute`() async throws {
        let database = try Database.test
        let said = Locked<[String]>([])
        let log = Log(format: .logfmt) { line in said.withLock { $0.append(line) } }
        let membership = try await Membership.join(
            as: .worker, name: "ada", host: .current, registry: ProcessRegistry(), database: database, log: silent)
        let loop = LaneLoop(
            GeocodingWork(TestProvider.everywhere), of: worker(.everywhere, on: database, log: log),
            membership: membership)
        let claim = try await database.run { db throws in
            try Claim(
                db.query(
                    """
                    SELECT 1000::double precision AS told_at, 60::double precision AS call_limit, 'too far' AS obstacle,
                           1::double precision AS look_in, NULL::text AS next_hint
                    """))
        }
        var state = LaneLoop.State(capacity: 8)
        let start = ContinuousClock.now
        for seconds in [0, 1, 30, 59.9, 60, 61, 119.9, 120.5] {
            let moment = start + .seconds(seconds)
            loop.acceptClaim(
                LaneLoop.Claimed(
                    claim: claim, questions: [:], hint: nil, clock: state.clock, askedAt: moment, answered: moment,
                    complete: moment),
                &state)
        }
        #expect(said.withLock { lines in lines.count { $0.contains("too far from the database") } } == 3)
        await membership.leave()
    }
}
