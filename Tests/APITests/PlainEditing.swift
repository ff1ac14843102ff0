import Geocodes
import Geocoding
import Postgres
import Queue

@testable import API
@testable import Contacts

/// Editing in plain SQL and real intake, so that the API is tried on a real database.
struct PlainEditing: ContactEditing {
    let intake: Intake

    func addFriend(_ names: FriendNames, account: Int, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            INSERT INTO friends (account, source_key, name, first_name, last_name, nickname)
            VALUES (\(account), gen_random_uuid()::text, \(names.whole), \(names.first), \(names.last), \(names.nickname))
            RETURNING id
            """)[0].read("id")
    }

    func changeFriend(
        _ id: Int, to names: FriendNames, account: Int, on database: isolated Connection
    ) throws -> Bool {
        try database.query(
            """
            UPDATE friends
            SET name = \(names.whole), first_name = \(names.first), last_name = \(names.last),
                nickname = \(names.nickname), updated_at = clock_timestamp()
            WHERE id = \(id) AND account = \(account) AND deleted_at IS NULL
            """
        ).affected > 0
    }

    func removeFriend(_ id: Int, account: Int, on database: isolated Connection) throws -> Bool {
        try database.query(
            """
            UPDATE friends SET deleted_at = now() WHERE id = \(id) AND account = \(account) AND deleted_at IS NULL
            """
        ).affected > 0
    }

    func addAddress(
        _ address: LabelledAddress, to friend: Int, account: Int, on database: isolated Connection
    ) throws -> Int? {
        guard try exists(friend, account, on: database) else { return nil }
        let hash = try ask(address.address, on: database)
        let place = address.address
        return try database.query(
            """
            INSERT INTO addresses (friend, position, label, street, city, region, postcode, country, country_code, hash)
            SELECT \(friend)::bigint, (SELECT count(*) + 1 FROM addresses WHERE friend = \(friend)::bigint),
                   \(address.label), \(place.street), \(place.city), \(place.region), \(place.postcode),
                   \(place.country), \(Country(place.country)?.code), \(Bytes(hash.bytes))
            RETURNING id
            """)[0].read("id")
    }

    func changeAddress(
        _ id: Int, to address: LabelledAddress, account: Int, on database: isolated Connection
    ) throws -> Bool {
        let hash = try ask(address.address, on: database)
        let place = address.address
        return try database.query(
            """
            UPDATE addresses
            SET label = \(address.label), street = \(place.street), city = \(place.city), region = \(place.region),
                postcode = \(place.postcode), country = \(place.country), hash = \(Bytes(hash.bytes)),
                country_code = \(Country(place.country)?.code), updated_at = clock_timestamp()
            FROM friends
            WHERE addresses.id = \(id) AND friends.id = friend AND account = \(account) AND deleted_at IS NULL
            """
        ).affected > 0
    }

    func removeAddress(_ id: Int, account: Int, on database: isolated Connection) throws -> Bool {
        try database.query(
            """
            DELETE FROM addresses USING friends
            WHERE addresses.id = \(id) AND friends.id = friend AND account = \(account) AND deleted_at IS NULL
            """
        ).affected > 0
    }

    func hurry(friend: Int, account: Int, on database: isolated Connection) throws -> Int? {
        guard try exists(friend, account, on: database) else { return nil }
        return try database.query(
            """
            SELECT count(*) AS waiting
            FROM addresses JOIN geocodes USING (hash)
            WHERE friend = \(friend) AND status = 'waiting'
            """)[0].read("waiting")
    }

    func retry(friend: Int, account: Int, on database: isolated Connection) throws -> Int? {
        guard try exists(friend, account, on: database) else { return nil }
        return 0
    }

    private func exists(_ friend: Int, _ account: Int, on database: isolated Connection) throws -> Bool {
        try !database.query(
            "SELECT FROM friends WHERE id = \(friend) AND account = \(account) AND deleted_at IS NULL"
        ).isEmpty
    }

    private func ask(_ address: Address, on database: isolated Connection) throws -> AddressHash {
        let hash = AddressHash(address)
        _ = try intake.ask([(hash, address)], along: "default", on: database)
        return hash
    }
}
