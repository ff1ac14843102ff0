import DatabaseTesting
import Foundation
import HTTP
import JSON
import Postgres
import Processes
import Testing

@testable import API
@testable import Contacts

/// Each reading route with 200,000 friends and 300,000 addresses. auto_explain reports PostgreSQL's plans, under the
/// API's role and with generic plans.
@Suite(.database)
struct ReadingPlanTests {
    private static let friends = 200_000

    @Test func `every route reads by index, with table statistics and without`() async throws {
        try await fill()
        try await look(hasStatistics: false)
        try await Database.test.run(script: "VACUUM ANALYZE friends, addresses, geocodes")
        try await look(hasStatistics: true)
    }

    private func look(hasStatistics: Bool) async throws {
        let plans = Plans()
        let database = try explaining(into: plans)
        let client = try await APIClient.test { $0.database = database }
        let middle = Self.friends / 2
        let first = try await client.get("/v1/friends?updated_since=0&limit=1000")
        let since = try first.at("next_since")?.text ?? ""
        for (target, most) in [
            ("/v1/friends/\(middle)", 3), ("/v1/friends", 3), ("/v1/friends?limit=1000&after=\(middle)", 3),
            ("/v1/friends?feed=rare", 3), ("/v1/friends?feed=crm&after=\(middle)", 3),
            ("/v1/friends?country=FI", 3), ("/v1/friends?label=summer", 3),
            ("/v1/friends?status=not_found", 3), ("/v1/friends?status=located&after=\(middle)", 3),
            ("/v1/friends?status=needs_review&label=home&feed=crm&country=US", 3),
            ("/v1/friends?updated_since=0", 3), ("/v1/friends?updated_since=\(since)&limit=1000", 3),
            ("/v1/feeds/crm/friends/\(middle)", 3),
            ("/v1/places?bbox=10,50,12,52", 3), ("/v1/places?bbox=-180,-90,180,90&limit=1000", 3),
            ("/v1/places?bbox=170,-20,-170,60&add=all", 3), ("/v1/progress", 3),
            ("/api/contacts?limit=100", 3), ("/api/contacts?limit=100&sort=-updated_at", 3),
            // The rows before the page are counted once.
            ("/api/contacts?limit=100&page=900", 1_000), ("/api/contacts?limit=100&page=901", 3),
            ("/api/contacts?query=L1000&limit=100", 3), ("/v1/friends?query=L1000", 3),
            ("/v1/friends?query=L1000&status=located&after=\(middle)", 3),
            ("/v1/places?bbox=-180,-90,180,90&query=L1000", 3), ("/v1/places?bbox=-180,-90,180,90&query=ada", 3),
            ("/api/contacts/\(middle)", 3),
            ("/api/contacts/\(middle)/addresses", 3), ("/api/addresses?limit=100", 3),
            ("/api/addresses?limit=100&sort=-updated_at", 3), ("/api/addresses/\(middle)", 3),
        ] as [(String, Double)] {
            // PostgreSQL can't estimate the matches of a text without statistics.
            if !hasStatistics, target.contains("query=") { continue }
            plans.forget()
            check(plans, try await client.get(target), of: target, most: most)
        }
        plans.forget()
        let keys = (1...100).map { #"{"feed":"crm","key":"\#(middle + $0)"}"# }.joined(separator: ",")
        let batch = try await client.send(.post, "/v1/friends/batch", #"{"ids":[\#(middle)],"keys":[\#(keys)]}"#)
        check(plans, batch, of: "/v1/friends/batch", most: 3)
    }

    private func check(_ plans: Plans, _ answer: APIClient.Answer, of target: String, most: Double) {
        #expect(answer.status == 200, "\(target): \(answer.text.prefix(300))")
        // This count is cached after its first run, so it needs no index.
        let all = plans.all.filter { !$0.text.contains("SELECT DISTINCT hash") }
        #expect(!all.isEmpty, "\(target)")
        for plan in all {
            #expect(plan.wholeTables.isEmpty, "\(target) reads whole tables:\n\(plan.text)")
            for (table, read) in plan.read where read > 12 {
                #expect(read <= plan.returned * most, "\(target) reads \(read) rows of \(table):\n\(plan.text)")
            }
        }
    }

    private func explaining(into plans: Plans) throws -> Database {
        var options = Database.Options(size: 1)
        options.role = "waypost_api"
        options.plansOnce = true
        options.remarked = { plans.add($0) }
        let settings = [
            "session_preload_libraries=auto_explain", "auto_explain.log_min_duration=0", "auto_explain.log_analyze=on",
            "auto_explain.log_buffers=on", "auto_explain.log_timing=off", "auto_explain.log_format=json",
            "auto_explain.log_level=notice", "auto_explain.log_nested_statements=on",
        ].map { "-c%20" + $0.replacing("=", with: "%3D") }.joined(separator: "%20")
        return Database(url: try Database.testURL + "&options=" + settings, options: options)
    }

    /// Runs without the triggers, which would do the same for each batch again.
    private func fill() async throws {
        try await Database.test.run(
            script: """
                SET session_replication_role = replica;
                INSERT INTO accounts (name) VALUES ('default'), ('another') ON CONFLICT DO NOTHING;
                INSERT INTO geocodes (hash, street, city, region, postcode, country, status, latitude, longitude, precision,
                                      provider, confidence, candidates, placemark)
                SELECT decode(md5(n::text) || md5('x' || n), 'hex'), n || ' Main St', 'Reno', '', '', 'US', status,
                       CASE WHEN status = 'located' THEN (hashint8(n) % 900) / 10.0 END,
                       CASE WHEN status = 'located' THEN (hashint8extended(n, 7) % 1800) / 10.0 END,
                       CASE WHEN status = 'located' THEN 'city' END, 'bench', 0.9,
                       CASE WHEN status = 'needs_review' THEN '[]'::jsonb END,
                       CASE WHEN status = 'located' THEN '{"locality": "Reno"}'::jsonb END
                FROM (
                    SELECT n, (CASE WHEN n % 1000 = 7 THEN 'not_found' WHEN n % 200 = 9 THEN 'needs_review'
                                    WHEN n % 10 = 0 THEN 'waiting' ELSE 'located' END)::geocode_status AS status
                    FROM generate_series(1, \(Self.friends)) AS n
                ) AS made;
                INSERT INTO friends (account, source_key, name, first_name, last_name, feed)
                SELECT (SELECT id FROM accounts WHERE name = CASE WHEN n % 10 = 3 THEN 'another' ELSE 'default' END),
                       n, 'Ada L' || n, 'Ada', 'L' || n, CASE WHEN n % 500 = 1 THEN 'rare' ELSE 'crm' END
                FROM generate_series(1, \(Self.friends)) AS n;
                INSERT INTO addresses (owner, friend, position, label, street, city, country, country_code, hash,
                                       place_status, place_precision, map_key)
                SELECT friends.account, friends.id, position,
                       CASE WHEN friends.id % 333 = 5 THEN 'summer' WHEN position = 1 THEN 'home' ELSE 'work' END, geocodes.street, geocodes.city,
                       'US', CASE WHEN friends.id % 250 = 4 THEN 'FI' ELSE 'US' END, hash, status::text, precision,
                       map_key(friends.id * 2 + position, latitude, longitude)
                FROM friends
                JOIN geocodes ON geocodes.id = friends.id, generate_series(1, 1 + friends.id::integer % 2) AS position
                ORDER BY friends.id, position;
                INSERT INTO address_tallies (account, status, precision, is_weak, addresses, changes)
                SELECT owner, place_status, place_precision, false, count(*), count(*) FROM addresses GROUP BY 1, 2, 3;
                INSERT INTO friend_tallies (account, friends, changes) SELECT account, count(*), count(*) FROM friends GROUP BY 1;
                SET session_replication_role = origin;
                """)
    }
}

/// The plans that PostgreSQL reported.
private final class Plans: Sendable {
    private let heard = Locked<[Plan]>([])

    func add(_ remark: String) {
        guard let start = remark.firstIndex(of: "{"),
            let said = try? JSONValue(parsing: Array(remark[start...].utf8)), let plan = said.object?["Plan"]
        else { return }
        heard.withLock { $0.append(Plan(plan, text: remark)) }
    }

    var all: [Plan] { heard.withLock { $0 } }
    func forget() { heard.withLock { $0 = [] } }
}

private struct Plan: Sendable {
    let text: String
    let returned: Double
    private(set) var wholeTables: [String] = []
    /// The number of rows read from each table.
    private(set) var read: [String: Double] = [:]

    private static let large: Set<String> = ["friends", "addresses", "geocodes"]

    init(_ root: JSONValue, text: String) {
        self.text = text
        returned = max(1, root.object?["Actual Rows"]?.number ?? 0)
        add(root)
    }

    private mutating func add(_ node: JSONValue) {
        guard let members = node.object else { return }
        func number(_ name: String) -> Double { members[name]?.number ?? 0 }
        if let table = members["Relation Name"]?.text, Self.large.contains(table) {
            if members["Node Type"]?.text == "Seq Scan" { wholeTables.append(table) }
            read[table, default: 0] +=
                (number("Actual Rows") + number("Rows Removed by Filter") + number("Rows Removed by Index Recheck"))
                * number("Actual Loops")
        }
        for part in members["Plans"]?.list ?? [] { add(part) }
    }
}
