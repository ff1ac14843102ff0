import Access
import DatabaseTesting
import Postgres
import Testing

@Suite(.database)
struct TokenScopesTests {
    @Test func `the table of tokens permits exactly the scopes of the program`() async throws {
        let rule: String = try await Database.test.query(
            """
            SELECT substring(pg_get_constraintdef(oid) FROM '{(.*?)}') AS rule
            FROM pg_constraint
            WHERE conname = 'scopes_are_known'
            """)[0].read("rule")
        #expect(Set(rule.split(separator: ",").map(String.init)) == Set(AccessScope.allCases.map(\.rawValue)))
    }
}
