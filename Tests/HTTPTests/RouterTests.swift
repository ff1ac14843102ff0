import HTTP
import Testing

struct RouterTests {
    @Test func `a literal segment wins over a parameter`() {
        var router = Router()
        router.add(.get, "/v1/{anything}") { _ in ServerResponse(status: 204) }
        router.add(.get, "/v1/friends") { _ in ServerResponse(status: 200) }
        guard case .route(let route, _) = router.find(.get, ["v1", "friends"]) else {
            Issue.record("no route was found")
            return
        }
        #expect(route.pattern == "/v1/friends")
    }

    @Test func `a literal segment wins over a parameter, even without the request's method`() {
        var router = Router()
        router.add(.get, "/v1/{anything}") { _ in ServerResponse(status: 204) }
        router.add(.post, "/v1/batch") { _ in ServerResponse(status: 200) }
        guard case .otherMethods(let methods) = router.find(.get, ["v1", "batch"]) else {
            Issue.record("another answer than 405")
            return
        }
        #expect(methods == [.post])
    }
}
