import DatabaseTesting
import Formats
import Geocoding
import Postgres
import Testing

@testable import Contacts

@Suite(.database)
struct PlaceFilterTests {
    private let writer = ContactWriter()
    private let contacts = ContactStore()

    /// Stores Ada at home and at work, Bob at home, and Cy in another account.
    private func storeSome(on db: isolated Connection) throws {
        try store(
            Friend(
                sourceKey: "ada", name: "Ada", addresses: [address("home", "1 High St"), address("Work", "2 Mill Rd")]),
            Friend(sourceKey: "bob", name: "Bob", addresses: [address("home", "3 Elm St")]), in: "default", on: db)
        try store(Friend(sourceKey: "cy", name: "Cy", addresses: [address("home", "4 Oak St")]), in: "other", on: db)
        try db.query("UPDATE addresses SET country_code = 'DE' WHERE street = '3 Elm St'")
        try db.query("UPDATE lanes SET attribution = '© ' || name")
        try db.query("INSERT INTO lanes (name, attribution) VALUES ('photon', '© OpenStreetMap contributors')")
        try answer("1 High St", confidence: 0.7, provider: "gazetteer", on: db)
        try answer("3 Elm St", confidence: 0.4, provider: "photon", on: db)
    }

    private func store(_ friends: Friend..., in account: String, on db: isolated Connection) throws {
        _ = try writer.store(friends, account: ContactStore().openAccount(named: account, on: db), on: db)
    }

    private func address(_ label: String, _ street: String) -> LabelledAddress {
        LabelledAddress(label: label, address: Address(street: street, city: "Ely", country: "UK"))
    }

    private func answer(
        _ street: String, confidence: Double, provider: String, on db: isolated Connection
    ) throws {
        try db.query(
            """
            UPDATE geocodes
            SET status = 'located', job = NULL, latitude = 52, longitude = 0, precision = 'city',
                confidence = \(confidence), provider = \(provider), is_weak = true
            WHERE street = \(street)
            """)
    }

    @Test func `a place has its provider's names, or the reason why it is missing`() async throws {
        try await Database.test.run { db throws in
            try storeSome(on: db)
            try db.query(
                """
                UPDATE geocodes SET placemark = '{"locality": "Ely \\"x\\"", "countryCode": "GB"}', geocoded_at = '2026-01-02 03:04:05Z'
                WHERE street = '1 High St'
                """)
            let places = try contacts.places(PlaceFilter(account: "default"), limit: 10, on: db).map(\.place)
            #expect(places[0].placemark?.addressText() == "ELY \"X\", UNITED KINGDOM")
            #expect(places[0].reason == "roughly: town")
            #expect(places[0].geocodedAt == "2026-01-02T03:04:05Z")
            #expect(places[0].hash?.count == 64)
            #expect(places[1].status == .waiting && places[1].reason == "no provider has answered yet")
            #expect(places[2].placemark == nil)
        }
    }

    private func streets(_ filter: PlaceFilter, on db: isolated Connection) throws -> [String] {
        try contacts.places(filter, limit: 100, on: db).map(\.address.street)
    }

    @Test func `an empty filter permits every place of its account`() async throws {
        try await Database.test.run { db throws in
            try storeSome(on: db)
            let places = try contacts.places(PlaceFilter(account: "default"), limit: 100, on: db)
            #expect(places.map(\.address.street) == ["1 High St", "2 Mill Rd", "3 Elm St"])
            #expect(places.map(\.position) == [1, 2, 1])
            #expect(places[0].friend == places[1].friend)
            #expect(places.map(\.countryCode) == ["GB", "GB", "DE"])
            #expect(try streets(PlaceFilter(account: "nobody"), on: db).isEmpty)
        }
    }

    @Test func `each part of a filter excludes other places`() async throws {
        try await Database.test.run { db throws in
            try storeSome(on: db)
            var filter = PlaceFilter(account: "default", labels: ["WORK"])
            #expect(try streets(filter, on: db) == ["2 Mill Rd"])
            filter = PlaceFilter(account: "default", countries: [try #require(Country("Alemania"))])
            #expect(try streets(filter, on: db) == ["3 Elm St"])
            filter = PlaceFilter(account: "default", statuses: [.waiting, .failed])
            #expect(try streets(filter, on: db) == ["2 Mill Rd"])
            // The town of a house has a twentieth of the stored 0.7. Stored as a `real`, 0.7 is slightly less than 0.7.
            filter = PlaceFilter(account: "default", minimumConfidence: 0.035)
            #expect(try streets(filter, on: db) == ["1 High St"])
            filter = PlaceFilter(account: "default", labels: ["home", "work"], statuses: [.located])
            #expect(try streets(filter, on: db) == ["1 High St", "3 Elm St"])
        }
    }

    @Test func `a deleted friend is left out, and so is a provider used only for that friend`() async throws {
        try await Database.test.run { db throws in
            try storeSome(on: db)
            #expect(
                try contacts.attributions(PlaceFilter(account: "default"), on: db)
                    == ["© OpenStreetMap contributors", "© gazetteer"])
            try db.query("UPDATE friends SET deleted_at = now() WHERE name = 'Bob'")
            #expect(try streets(PlaceFilter(account: "default"), on: db) == ["1 High St", "2 Mill Rd"])
            #expect(try contacts.attributions(PlaceFilter(account: "default"), on: db) == ["© gazetteer"])
            #expect(try contacts.places(ofKeys: ["bob"], account: "default", on: db).isEmpty)
        }
    }

    @Test func `the attribution depends on the filter`() async throws {
        try await Database.test.run { db throws in
            try storeSome(on: db)
            let germany = try #require(Country("DE"))
            for filter in [
                PlaceFilter(account: "default", countries: [germany]),
                PlaceFilter(account: "default", labels: ["Work"]),
                PlaceFilter(account: "default", statuses: [.waiting]),
                PlaceFilter(account: "default", minimumConfidence: 0.025),
                PlaceFilter(account: "default", minimumConfidence: 0.035),
            ] {
                let places = try contacts.places(filter, limit: 100, on: db).filter { $0.coordinate != nil }
                let providers = Set(places.compactMap(\.provider))
                let named = try contacts.attributions(filter, on: db)
                #expect(named.contains("© gazetteer") == providers.contains("gazetteer"))
                #expect(named.contains("© OpenStreetMap contributors") == providers.contains("photon"))
            }
        }
    }

    @Test(arguments: [1, 2, 3, 5]) func `pages of any size add up to the whole list`(size: Int) async throws {
        try await Database.test.run { db throws in
            for number in 0..<7 {
                let addresses = (0..<(number % 3 + 1)).map { address("home", "\(number) Street \($0)") }
                try store(
                    Friend(sourceKey: "\(number)", name: "", addresses: addresses),
                    in: number == 3 ? "other" : "default", on: db)
            }
            let filter = PlaceFilter(account: "default")
            let whole = try contacts.places(filter, limit: 100, on: db)
            #expect(whole.count == 12)
            var pages: [ContactPlace] = []
            while true {
                let page = try contacts.places(filter, after: pages.last, limit: size, on: db)
                if page.isEmpty { break }
                #expect(page.count <= size)
                pages += page
            }
            #expect(pages == whole)
        }
    }

    @Test func `friends' addresses are found by key, in order`() async throws {
        try await Database.test.run { db throws in
            try storeSome(on: db)
            let found = try contacts.places(ofKeys: ["ada", "cy", "nobody"], account: "default", on: db)
            #expect(found.keys.sorted() == ["ada"])
            #expect(found["ada"]?.map(\.address.street) == ["1 High St", "2 Mill Rd"])
        }
    }

    enum Statistics: CaseIterable { case none, olderThanAccount, recent }

    /// PostgreSQL may use the generic plan after five runs of a statement.
    @Test(arguments: ["force_custom_plan", "force_generic_plan"], Statistics.allCases)
    func `some friends are read without reading others`(plans: String, statistics: Statistics) async throws {
        try await Database.test.run { db throws in
            if statistics == .olderThanAccount {
                _ = try fill("other", on: db)
                try db.query("ANALYZE")
            }
            let account = try fill("default", on: db)
            if statistics == .recent { try db.query("ANALYZE") }
            try db.transaction { db in
                try db.query("SELECT set_config('plan_cache_mode', \(plans), true)")
                let keys = (1...20).map { "key \($0 * 200)" }
                var before = try friendsRead(on: db)
                #expect(try contacts.places(ofKeys: keys, account: "default", on: db).count == 20)
                #expect(try friendsRead(on: db) - before == 20)
                before = try friendsRead(on: db)
                #expect(try ContactWriter().storedFriends(keys, of: account, on: db).count == 20)
                #expect(try friendsRead(on: db) - before == 20)
            }
        }
    }

    /// Adds 5,000 friends of a new account. Returns its id.
    private func fill(_ account: String, on db: isolated Connection) throws -> Int {
        let account = try contacts.openAccount(named: account, on: db)
        try db.query(
            """
            WITH added AS (
                INSERT INTO friends (account, source_key, name)
                SELECT \(account)::integer, 'key ' || number, '' FROM generate_series(1, 5000) AS number
                RETURNING id
            )
            INSERT INTO addresses (friend, position, city) SELECT id, 1, 'Ely' FROM added
            """)
        return account
    }

    /// The number of rows of `friends` that this session has read.
    private func friendsRead(on db: isolated Connection) throws -> Int {
        try db.query(
            "SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relname = 'friends'"
        )[0].read("read")
    }
}
