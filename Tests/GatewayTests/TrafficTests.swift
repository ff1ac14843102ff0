import Access
import DatabaseTesting
import Postgres
import Processes
import Testing

/// The counts of requests, in the metric and in the table.
@Suite(.database)
struct TrafficTests {
    private func counts(of kit: GatewayKit) async throws -> [String: TrafficCounts] {
        let traffic = try await Database.test.run { db in
            try kit.traffic.write(on: db)
            return try GatewayTraffic.look(.minute, on: db)
        }
        return Dictionary(traffic.tokens.map { ($0.name, $0.counts) }) { first, _ in first }
    }

    @Test func `each request counts once, by its token and the source of its answer`() async throws {
        let kit = try await GatewayKit(tokens: ["app": .usual, "other": .usual])
        let (app, other) = ("/t/\(try #require(kit.tokens["app"]))", "/t/\(try #require(kit.tokens["other"]))")
        var expected: [TrafficSource: Int] = [:]
        for (path, source) in [
            ("/photon/api?q=Helsinki&lat=60&lon=25", .local), ("/photon/api?q=Vaduz&lat=47&lon=9", .local),
            ("/photon/api?q=Xqzwvkj&lat=47&lon=9", .missed), ("/nominatim/search?format=json", .refused),
            ("/nominatim/status", nil), ("/nominatim/status?format=json", nil),
        ] as [(String, TrafficSource?)] {
            let reply = try await kit.ask(app + path, isOverLoopback: false)
            #expect((reply.status < 300) == (source != .refused), "\(path): \(reply.status)")
            if let source { expected[source, default: 0] += 1 }
        }
        _ = try await kit.ask(other + "/photon/api?q=Helsinki&lat=60&lon=25", isOverLoopback: false)
        #expect(try await kit.ask("/t/wp1x\(String(repeating: "a", count: 43))/nominatim/status").status == 401)

        let found = try await counts(of: kit)
        #expect(Set(found.keys) == ["app", "other", ""])
        for source in TrafficSource.allCases { #expect(found["app"]?[source] == expected[source] ?? 0, "\(source)") }
        #expect(found["other"]?.requests == 1 && found[""]?[.refused] == 1)
        let name = "waypost_gateway_request_duration_seconds_count"
        for (source, count) in expected {
            #expect(kit.metrics.text.contains("\(name){token=\"app\",source=\"\(source)\"} \(count)"))
        }
        #expect(kit.metrics.text.contains("\(name){token=\"none\",source=\"refused\"} 1"))
        #expect(!kit.metrics.text.contains("Vaduz"))
    }
}
