import DatabaseTesting
import Geocoding
import HTTP
import JSON
import Postgres
import Questions
import Testing

@testable import API

/// The list of cached answers, and the settings of this coordinator.
@Suite(.database)
struct StoredAnswerTests {
    /// Makes six questions: 1 is waiting; 2 and 3 are located, and 3 is shared and expires soon; 4 is not found, 5
    /// failed, 6 needs review.
    private func keepSome() async throws {
        try await Database.test.run(
            script: """
                INSERT INTO geocodes (hash, street, city, region, postcode, country)
                SELECT sha256(n::text::bytea), 'Geheimweg ' || n, 'Wien', '', '', 'AT' FROM generate_series(1, 6) AS n;
                UPDATE geocodes SET status = 'located', latitude = 48.2, longitude = 16.4, precision = 'city', provider = 'gazetteer',
                    confidence = 0.9, geocoded_at = now() - interval '3 days' WHERE id = 2;
                UPDATE geocodes SET status = 'located', latitude = 48.2, longitude = 16.4, precision = 'rooftop', provider = 'google',
                    confidence = 0.6, geocoded_at = now(), expires_at = now() + interval '1 hour', is_lent = true, shared_from = 2
                    WHERE id = 3;
                UPDATE geocodes SET status = 'not_found', provider = 'gazetteer', geocoded_at = now(),
                    expires_at = now() + interval '30 days' WHERE id = 4;
                UPDATE geocodes SET status = 'failed', provider = 'google', reason = 'no such place', geocoded_at = now() WHERE id = 5;
                UPDATE geocodes SET status = 'needs_review', provider = 'gazetteer', confidence = 0.5, geocoded_at = now(),
                    candidates = '[]' WHERE id = 6;
                """)
    }

    @Test(arguments: [
        ("", [6, 5, 4, 3, 2]), ("status=located", [3, 2]), ("provider=gazetteer", [6, 4, 2]),
        ("precision=rooftop", [3]),
        ("confidence_below=0.75", [6, 5, 4, 3]), ("confidence_below=0.75&status=located", [3]),
        ("older_seconds=86400", [2]), ("expires_seconds=7200", [3]),
        ("expires_seconds=7200&status=not_found", []), ("provider=google&status=failed", [5]), ("before=4", [3, 2]),
    ])
    func `cached answers are found by filters`(query: String, ids: [Int]) async throws {
        try await keepSome()
        let answer = try await APIClient.test().get("/v1/cache/answers?" + query)
        #expect(answer.status == 200)
        #expect(try answer.at("data")?.list?.compactMap { $0.object?["id"]?.number.map { Int($0) } } == ids)
        #expect(try answer.at("next_before") == .null)
        // The reply contains no address and no coordinate.
        #expect(!answer.text.contains("Geheimweg") && !answer.text.contains("latitude"))
    }

    @Test func `a page gives the next start, also where its part contained no match`() async throws {
        try await keepSome()
        let client = try await APIClient.test()
        try await client.get("/v1/cache/answers?limit=2").expect(has: ["next_before": 5])
        #expect(try await client.get("/v1/cache/answers?limit=2&before=5").at("data", "0", "id") == .number(4))
        try await Database.test.run { db in
            var filter = AnswerFilter()
            filter.precision = .city
            let first = try GeocodeStore().answers(matching: filter, before: nil, limit: 5, reach: 2, on: db)
            #expect(first.answers.isEmpty && first.next == 5)
            let second = try GeocodeStore().answers(matching: filter, before: 3, limit: 5, reach: 2, on: db)
            #expect(second.answers.map(\.id) == [2] && second.next == 1)
            let last = try GeocodeStore().answers(matching: filter, before: 1, limit: 5, reach: 2, on: db)
            #expect(last.answers.isEmpty && last.next == nil)
        }
    }

    @Test func `a wrong parameter gets 400, and a token without the scope gets 403`() async throws {
        var client = try await APIClient.test()
        for wrong in [
            "status=waiting", "precision=town", "confidence_below=2", "older_seconds=0", "limit=0", "before=0", "x=1",
        ] {
            #expect(try await client.get("/v1/cache/answers?\(wrong)").status == 400, "\(wrong)")
        }
        client.token = "reader"
        #expect(try await client.get("/v1/cache/answers").status == 403)
        #expect(try await client.get("/v1/settings").status == 403)
    }

    @Test func `settings show secrets only as set or not, and the database shows its version`() async throws {
        let client = try await APIClient.test { backend in
            backend.running = RunningSettings(
                version: "1.2.3",
                settings: [
                    .plain("WAYPOST_CONNECTIONS", "4", isSet: false), .secret("DATABASE_URL", isSet: true),
                    .secret("WAYPOST_HERE_KEY", isSet: false),
                ],
                providers: [
                    RunningSettings.Provider(name: "paper", terms: .init(attribution: "© Paper", storage: .days(30)))
                ])
        }
        let answer = try await client.get("/v1/settings").expect(
            200,
            has: [
                "version": "1.2.3", "settings.0.value": "4", "settings.1.value": .null, "settings.1.is_set": true,
                "settings.2.is_set": false, "providers.0.storage.days": 30, "providers.0.attribution": "© Paper",
            ])
        let (version, migration) = try await Database.test.run { db in
            let row = try db.query(
                "SELECT current_setting('server_version') AS version, max(number) AS migration FROM schema_migrations")[
                    0]
            return (try row.read("version", as: String.self), try row.read("migration", as: Int.self))
        }
        try answer.expect(has: ["database.version": .text(version), "database.migration": .number(Double(migration))])
        #expect(try answer.at("database", "roles")?.list?.count == 4)
        #expect(try answer.at("database", "roles", "1", "is_permitted") == .bool(true))
    }
}
