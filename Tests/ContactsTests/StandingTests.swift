import DatabaseTesting
import Geocoding
import Postgres
import Testing

@testable import Contacts

/// The copies and tallies that the database keeps for the API, compared with the tables.
@Suite(.database)
struct StandingTests {
    /// The wrong copies in `addresses`, and the wrong tallies.
    private func mistakes(_ database: isolated Connection) throws -> [String] {
        try database.query(
            """
            SELECT 'address ' || addresses.id AS mistake
            FROM addresses
            JOIN friends ON friends.id = friend
            LEFT JOIN geocodes ON geocodes.hash = addresses.hash
            WHERE (owner, place_status, place_precision, place_is_weak, place_is_provisional, map_key) IS DISTINCT FROM
                  (friends.account, coalesce(geocodes.status::text, 'waiting'), geocodes.precision,
                   coalesce(geocodes.status = 'located' AND geocodes.is_weak, false),
                   geocodes.ask_again_at IS NOT NULL,
                   map_key(addresses.id, geocodes.latitude, geocodes.longitude))
            UNION ALL
            SELECT 'addresses: ' || concat_ws(' ', account, status, precision, is_weak, is_provisional, sum(number))
            FROM (
                SELECT account, status, precision, is_weak, is_provisional, addresses AS number FROM address_tallies
                UNION ALL
                SELECT owner, place_status, place_precision, place_is_weak, place_is_provisional, -1
                FROM addresses
                JOIN friends ON friends.id = friend
                WHERE deleted_at IS NULL
            ) AS all_of_them
            GROUP BY account, status, precision, is_weak, is_provisional
            HAVING sum(number) <> 0
            UNION ALL
            SELECT 'friends: ' || account || ' ' || sum(number)
            FROM (
                SELECT account, friends AS number FROM friend_tallies
                UNION ALL
                SELECT account, -1 FROM friends WHERE deleted_at IS NULL
            ) AS all_of_them
            GROUP BY account
            HAVING sum(number) <> 0
            """
        ).map { try $0.read("mistake") }
    }

    @Test func `copies and tallies stay correct after any write to the tables`() async throws {
        try await Database.test.run { db throws in
            try db.run(script: "INSERT INTO accounts (name) VALUES ('one'), ('two')")
            for (what, script) in [
                (
                    "friends with addresses, by another program",
                    """
                    INSERT INTO friends (account, source_key, name)
                    SELECT (SELECT min(id) FROM accounts), n, n FROM generate_series(1, 20) AS n;
                    INSERT INTO addresses (friend, position, city)
                    SELECT id, position, 'Reno ' || id % 7 FROM friends, generate_series(1, 2) AS position
                    """
                ),
                (
                    "questions",
                    """
                    INSERT INTO geocodes (hash, street, city, region, postcode, country)
                    SELECT sha256(n::text::bytea), '', '', '', '', '' FROM generate_series(1, 7) AS n;
                    UPDATE addresses SET hash = sha256((1 + friend % 7)::text::bytea) WHERE friend % 3 > 0
                    """
                ),
                (
                    "answers",
                    """
                    UPDATE geocodes
                    SET status = 'located', latitude = id * 10, longitude = -id * 10, precision = 'city', is_weak = id % 2 = 0
                    WHERE id <= 4;
                    UPDATE geocodes SET status = 'not_found' WHERE id = 5
                    """
                ),
                ("a provider that did not look", "UPDATE geocodes SET ask_again_at = now() WHERE id IN (2, 3)"),
                ("a provider that looked", "UPDATE geocodes SET ask_again_at = NULL WHERE id = 3"),
                ("a coordinate", "UPDATE geocodes SET latitude = 1.5 WHERE id = 1"),
                (
                    "an address for a known answer",
                    "INSERT INTO addresses (friend, position, city, hash) SELECT 2, 3, 'Reno', hash FROM geocodes WHERE id = 2"
                ),
                ("another text", "UPDATE addresses SET city = 'Elko' WHERE friend = 4"),
                ("a soft delete", "UPDATE friends SET deleted_at = now() WHERE id % 5 = 0"),
                ("an answer for somebody soft-deleted", "UPDATE geocodes SET status = 'not_found' WHERE id = 6"),
                ("a return", "UPDATE friends SET deleted_at = NULL WHERE id = 10"),
                ("an address less", "DELETE FROM addresses WHERE friend = 7 AND position = 1"),
                ("a friend less", "DELETE FROM friends WHERE id = 8"),
                ("a friend who was soft-deleted less", "DELETE FROM friends WHERE id = 15"),
                (
                    "a friend of another account",
                    "UPDATE friends SET account = (SELECT max(id) FROM accounts) WHERE id = 11"
                ),
                (
                    "an address of another friend",
                    "UPDATE addresses SET friend = 11, position = 9 WHERE friend = 13 AND position = 1"
                ),
                (
                    "an answer that is forgotten",
                    """
                    UPDATE geocodes SET status = 'waiting', latitude = NULL, longitude = NULL, precision = NULL, is_weak = false,
                        ask_again_at = NULL
                    WHERE id IN (1, 2)
                    """
                ),
                ("the adding up", "SELECT add_up_tallies()"),
                ("everybody gone", "DELETE FROM friends"),
            ] {
                try db.run(script: script)
                #expect(try mistakes(db) == [], "\(what)")
            }
        }
    }

    @Test func `summing up tallies changes no total and leaves few rows`() async throws {
        try await Database.test.run { db throws in
            try db.run(
                script: """
                    INSERT INTO accounts (name) VALUES ('one');
                    INSERT INTO friends (account, source_key, name) SELECT id, 'ada', 'Ada' FROM accounts
                    """)
            for position in 1...80 {
                try db.query(
                    "INSERT INTO addresses (friend, position, city) SELECT id, \(position), 'Reno' FROM friends")
            }
            let account: Int = try db.query("SELECT id FROM accounts")[0].read("id")
            let contacts = ContactStore()
            let before = try contacts.addressTally(account: account, on: db)
            #expect(before == Tally(count: 80, changes: 80))
            #expect(try contacts.addUpTallies(on: db) == 79)
            #expect(try contacts.addressTally(account: account, on: db) == before)
            #expect(try db.query("SELECT FROM address_tallies").count == 1)
            #expect(try contacts.addUpTallies(on: db) == 0)
        }
    }

    @Test func `an answer stored while an address is stored reaches that address`() async throws {
        let database = try Database.test
        try await database.run(
            script: """
                INSERT INTO accounts (name) VALUES ('one');
                INSERT INTO friends (account, source_key, name) SELECT id, 'ada', 'Ada' FROM accounts;
                INSERT INTO geocodes (hash, street, city, region, postcode, country)
                VALUES (sha256('1'), '', 'Reno', '', '', '');
                """)
        let (stored, answered) = (Rendezvous(of: 2), Rendezvous(of: 2))
        async let storing: Void = database.transaction { db throws in
            try db.query(
                "INSERT INTO addresses (friend, position, city, hash) SELECT id, 1, 'Reno', sha256('1') FROM friends")
            stored.arriveAndWait()
            answered.arriveAndWait()
        }
        await stored.arrive()
        // Does not wait for the other transaction, and can't see its address.
        try await database.run { try $0.query("UPDATE geocodes SET status = 'not_found'") }
        await answered.arrive()
        try await storing
        try await database.run { db throws in
            #expect(try db.query("SELECT place_status FROM addresses")[0].read("place_status") == "waiting")
            #expect(try ContactStore().settleLeftOvers(10, on: db) == 1)
            #expect(try mistakes(db) == [])
            #expect(try ContactStore().settleLeftOvers(10, on: db) == 0)
        }
    }
}
