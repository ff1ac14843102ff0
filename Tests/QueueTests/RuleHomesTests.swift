import DatabaseTesting
import Postgres
import Testing

@testable import Queue

/// Compares rules that the program and the database both state. docs/contributing.md lists the home of each rule.
@Suite(.database)
struct RuleHomesTests {
    private func texts(_ sql: SQL) async throws -> Set<String> {
        try await Database.test.run { db throws in try Set(db.query(sql).map { try $0.read("text") }) }
    }

    @Test func `the database and the program use the same clock drift`() async throws {
        #expect(
            try await texts("SELECT (clock_creep() - 1)::numeric(9, 6)::float8::text AS text") == [
                "\(ClockDrift.share)"
            ])
    }

    @Test func `the database and the program call the same calls recent`() async throws {
        #expect(
            try await texts("SELECT extract(epoch FROM recent_time())::integer::text AS text") == [
                "\(Int(RecentFailures.time / .seconds(1)))"
            ])
    }

    @Test func `a lane may be of exactly the kinds of the program`() async throws {
        let kinds = try await texts(
            """
            SELECT kind[1] AS text
            FROM pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([^'']+)''', 'g') AS kind
            WHERE conname = 'a_lane_is_of_a_known_kind'
            """)
        #expect(kinds == Set(LaneKind.allCases.map(\.rawValue)))
    }

    @Test func `the log of calls has exactly the outcomes of the program, and lost`() async throws {
        let outcomes = try await texts("SELECT unnest(enum_range(NULL::call_outcome))::text AS text")
        #expect(outcomes == Set(CallOutcome.names(where: \.isCall)))
    }

    @Test(arguments: CallOutcome.allCases)
    func `an outcome means the same to the database and to the program`(_ outcome: CallOutcome) async throws {
        let facts = try await texts(
            """
            SELECT concat_ws(' ', outcome_counter(name), outcome_has_answer(name), outcome_ends_job(name),
                             outcome_is_well(name)) AS text
            FROM (SELECT \(outcome.rawValue)::text) AS named (name)
            """)
        let (isAnswer, ends, isWell) = (outcome.hasAnswer, outcome.endsJob, outcome.isWell)
        let expected = [isAnswer, ends, isWell].map { $0 ? "t" : "f" }
        #expect(facts == [([outcome.counter.rawValue] + expected).joined(separator: " ")])
    }
}
