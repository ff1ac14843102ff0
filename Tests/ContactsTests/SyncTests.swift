import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Postgres
import Testing

@Suite(.database)
struct SyncTests {
    private let writer = ContactWriter()
    private let contacts = ContactStore()
    private let main = Address(street: "1 Main St", city: "Reno", country: "US")
    private let elm = Address(street: "2 Elm St", city: "Reno", country: "US")
    private let oak = Address(street: "3 Oak St", city: "Reno", country: "US")

    private func friend(_ key: String, _ addresses: Address...) -> Friend {
        Friend(
            sourceKey: key, name: "Friend \(key)", firstName: "Friend", lastName: key, nickname: "F",
            addresses: addresses.map { LabelledAddress(label: "home", address: $0) })
    }

    private func store(_ friends: [Friend], feed: String = "", on db: isolated Connection) throws -> SyncCounts {
        try writer.store(friends, account: ContactStore().openAccount(named: "default", on: db), feed: feed, on: db)
    }

    private func texts(_ sql: SQL, on db: isolated Connection) throws -> [String] {
        try rows(sql, on: db).map { try $0.read("v") }
    }

    /// Each row of the three tables with the transaction that wrote it last.
    private func versions(on db: isolated Connection) throws -> [String] {
        try texts(
            """
            SELECT id || ' ' || xmin || ' ' || updated_at AS v FROM friends
            UNION ALL SELECT id || ' ' || xmin || ' ' || updated_at FROM addresses
            UNION ALL SELECT id || ' ' || xmin FROM geocodes
            ORDER BY 1
            """, on: db)
    }

    private func ids(on db: isolated Connection) throws -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: try rows("SELECT street, id FROM addresses", on: db).map {
                (try $0.read("street"), try $0.read("id"))
            })
    }

    @Test func `added, changed and unchanged friends are counted apart`() async throws {
        try await Database.test.run { db throws in
            let first = try store([friend("a", main), friend("b", elm)], on: db)
            #expect(first == SyncCounts(added: 2, addresses: 2, questions: 2))
            let second = try store([friend("a", main), friend("b", oak), friend("c", main)], on: db)
            #expect(second == SyncCounts(added: 1, changed: 1, unchanged: 1, addresses: 3, questions: 1))
        }
    }

    @Test func `the same batch again writes no row`() async throws {
        try await Database.test.run { db throws in
            let friends = [friend("a", main, elm), friend("b"), friend("c", main)]
            _ = try store(friends, feed: "book", on: db)
            let before = try versions(on: db)
            #expect(try store(friends, feed: "book", on: db) == SyncCounts(unchanged: 3, addresses: 3))
            #expect(try versions(on: db) == before)
        }
    }

    @Test(arguments: [("forgotten", 1), ("located", 0), ("needs_review", 0), ("waiting", 0)])
    func `an unchanged friend's question is asked again only if its answer was forgotten`(
        status: String, count: Int
    ) async throws {
        try await Database.test.run { db throws in
            let friends = [friend("a", main), friend("b", elm)]
            _ = try store(friends, on: db)
            try db.query(
                """
                UPDATE geocodes
                SET job = NULL, candidates = '[]', status = \(status)::geocode_status,
                    (latitude, longitude, precision) =
                        (SELECT 1, 2, 'city' WHERE \(status) = 'located')
                WHERE street = \(main.street)
                """)
            #expect(try store(friends, on: db) == SyncCounts(unchanged: 2, addresses: 2, questions: count))
        }
    }

    @Test func `only rows of changed friends are written`() async throws {
        try await Database.test.run { db throws in
            _ = try store([friend("a", main), friend("b", elm)], on: db)
            let before = try texts("SELECT xmin::text AS v FROM addresses ORDER BY id", on: db)
            var renamed = friend("b", elm)
            renamed.nickname = "Bee"
            #expect(try store([friend("a", main), renamed], on: db).changed == 1)
            #expect(try texts("SELECT xmin::text AS v FROM addresses ORDER BY id", on: db) == before)
            #expect(try texts("SELECT nickname AS v FROM friends ORDER BY id", on: db) == ["F", "Bee"])
        }
    }

    @Test func `reordered addresses keep their rows`() async throws {
        try await Database.test.run { db throws in
            _ = try store([friend("a", main, elm, oak)], on: db)
            let before = try ids(on: db)
            #expect(try store([friend("a", oak, main, elm)], on: db).changed == 1)
            #expect(try ids(on: db) == before)
            #expect(
                try texts("SELECT street AS v FROM addresses ORDER BY position", on: db)
                    == ["3 Oak St", "1 Main St", "2 Elm St"])
        }
    }

    @Test func `an address keeps its row when an earlier one is removed`() async throws {
        try await Database.test.run { db throws in
            _ = try store([friend("a", main, elm)], on: db)
            let before = try ids(on: db)
            _ = try store([friend("a", elm)], on: db)
            #expect(try ids(on: db) == ["2 Elm St": before["2 Elm St"]])
            #expect(try texts("SELECT position::text AS v FROM addresses", on: db) == ["1"])
        }
    }

    @Test func `another spelling of an address keeps its row and asks nothing`() async throws {
        try await Database.test.run { db throws in
            _ = try store([friend("a", elm, main)], on: db)
            let row = try #require(ids(on: db)["1 Main St"])
            let again = Address(street: "1 MAIN ST", city: "Reno", country: "USA")
            let counts = try store([friend("a", again)], on: db)
            #expect(counts == SyncCounts(changed: 1, addresses: 1))
            #expect(try ids(on: db) == ["1 MAIN ST": row])
        }
    }

    @Test func `a key with a separate accent is not stored, because each door composes it`() async throws {
        try await Database.test.run { db throws in
            #expect(try store([friend("caf\u{E9}", main)], on: db).added == 1)
            #expect(throws: DatabaseError.self) { try store([friend("cafe\u{301}", elm)], on: db) }
        }
    }

    @Test func `the last of two equal keys in a batch is stored`() async throws {
        try await Database.test.run { db throws in
            #expect(try store([friend("a", main), friend("a", elm)], on: db).added == 1)
            #expect(try texts("SELECT street AS v FROM addresses", on: db) == ["2 Elm St"])
        }
    }

    @Test func `a friend imported by another feed belongs to that feed`() async throws {
        try await Database.test.run { db throws in
            _ = try store([friend("a", main)], feed: "one", on: db)
            #expect(try store([friend("a", main)], feed: "other", on: db).changed == 1)
            #expect(try texts("SELECT feed AS v FROM friends", on: db) == ["other"])
        }
    }

    @Test func `a deleted friend that returns has the same addresses`() async throws {
        try await Database.test.run { db throws in
            _ = try store([friend("a", main)], on: db)
            let before = try ids(on: db)
            try db.query("UPDATE friends SET deleted_at = now()")
            #expect(try contacts.counts(on: db) == ContactCounts(friends: 0, addresses: 0, unhashed: 0))
            #expect(try contacts.places(PlaceFilter(account: "default"), limit: 10, on: db).isEmpty)
            #expect(try contacts.progress(account: "default", on: db).total == 0)
            #expect(try store([friend("a", main)], on: db) == SyncCounts(added: 1, addresses: 1))
            #expect(try ids(on: db) == before)
            #expect(try contacts.counts(on: db).friends == 1)
        }
    }

    @Test func `a deleted friend's address is asked only after the friend returns`() async throws {
        try await Database.test.run { db throws in
            _ = try store([friend("a", main)], on: db)
            try db.query("UPDATE friends SET deleted_at = now()")
            try db.query("UPDATE addresses SET street = '3 Oak St'")
            #expect(try AddressSweep().hashForeign(10, on: db) == 0)
            #expect(try rows("SELECT FROM geocodes", on: db).count == 1)
            try db.query("UPDATE friends SET deleted_at = NULL")
            #expect(try AddressSweep().hashForeign(10, on: db) == 1)
            #expect(try rows("SELECT FROM geocodes WHERE job IS NOT NULL", on: db).count == 2)
        }
    }

    @Test func `the country code is set and cleared together with the hash`() async throws {
        try await Database.test.run { db throws in
            _ = try store([friend("a", Address(street: "Yrjönkatu 36", city: "Helsinki", country: "Suomi"))], on: db)
            #expect(try texts("SELECT country_code AS v FROM addresses", on: db) == ["FI"])
            try db.query("UPDATE addresses SET country = 'Sverige'")
            #expect(try texts("SELECT coalesce(country_code, 'none') AS v FROM addresses", on: db) == ["none"])
            #expect(try AddressSweep().hashForeign(10, on: db) == 1)
            #expect(try texts("SELECT country_code AS v FROM addresses", on: db) == ["SE"])
        }
    }

    @Test func `another program's change counts as an update, and filling in a hash does not`() async throws {
        try await Database.test.run { db throws in
            _ = try store([friend("a", main), friend("b", elm)], on: db)
            try db.query("UPDATE friends SET updated_at = '2000-01-01'")
            try db.query("UPDATE addresses SET updated_at = '2000-01-01', hash = NULL")
            #expect(try AddressSweep().hashForeign(10, on: db) == 2)
            let recent: SQL = """
                SELECT source_key AS v FROM friends WHERE updated_at > '2001-01-01'
                UNION ALL
                SELECT street FROM addresses WHERE updated_at > '2001-01-01'
                """
            #expect(try texts(recent, on: db) == [])
            try db.query("UPDATE friends SET nickname = 'Bee' WHERE source_key = 'b'")
            try db.query("UPDATE addresses SET label = 'work' WHERE street = '1 Main St'")
            #expect(try texts(recent, on: db) == ["b", "1 Main St"])
        }
    }

    @Test func `two concurrent imports of the same friends store each friend once`() async throws {
        let database = try Database.test
        let account = try await database.run { try ContactStore().openAccount(named: "default", on: $0) }
        @Sendable func storeAll(_ order: [Int]) async throws -> SyncCounts {
            try await database.run { db throws in
                let friends = order.map {
                    friend("\($0)", Address(street: "\($0) Main St", city: "Reno", country: "US"))
                }
                return try writer.store(friends, account: account, on: db)
            }
        }
        async let one = storeAll(Array(1...300))
        async let other = storeAll(Array((1...300).reversed()))
        let counts = try await [one, other]
        #expect(counts.map(\.added).reduce(0, +) == 300)
        #expect(counts.map(\.unchanged).reduce(0, +) == 300)
        try await database.run { db throws in
            #expect(try rows("SELECT FROM addresses", on: db).count == 300)
        }
    }

    @Test func `the table of countries equals ISO 3166-1 as Country has it`() async throws {
        try await Database.test.run { db throws in
            let stored = try texts("SELECT code || ' ' || name AS v FROM countries ORDER BY code", on: db)
            // Kosovo's code is one that ISO reserves for users.
            #expect(stored == Country.all.filter { $0.code != "XK" }.map { "\($0.code) \($0.name)" }.sorted())
            #expect(stored.count == 249)
            for row in try rows("SELECT code, alpha3 FROM countries", on: db) {
                #expect(Country(try row.read("alpha3"))?.code == (try row.read("code", as: String.self)))
            }
        }
    }
}
