import Access
import Testing

struct AccessScopeTests {
    @Test func `the scopes are stored under these names`() {
        #expect(AccessScope.allCases.map(\.rawValue) == ["read", "write", "track", "locate", "admin", "geocode"])
    }
}
