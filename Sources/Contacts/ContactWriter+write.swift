import Formats
import Geocoding
import Postgres
import Queue

extension ContactWriter {
    /// Writes changes of friends that the transaction has locked, and asks their new addresses.
    func write(
        _ changes: [FriendChange], feed: String, for owner: Owner, priority: Priority, on database: isolated Connection
    ) throws -> SyncCounts {
        var counts = SyncCounts()
        for change in changes {
            if change.isNew || change.isBack {
                counts.added += 1
            } else if change.isChange {
                counts.changed += 1
            } else {
                counts.unchanged += 1
            }
        }
        try rename(changes.filter(\.isRenamed), feed: feed, on: database)
        let addresses = changes.map(\.addresses)
        counts.questions = try ask(
            addresses.flatMap {
                $0.added.map(\.address) + $0.changed.map(\.to.address) + $0.rehashed.map(\.to) + $0.kept
            },
            for: owner, priority: priority, on: database)
        try removeAddresses(addresses.flatMap(\.removed), on: database)
        try rewrite(addresses.flatMap(\.changed), on: database)
        try fill(addresses.flatMap(\.rehashed).map { ($0.row.id, $0.to) }, on: database)
        _ = try insert(
            changes.flatMap { change in change.addresses.added.map { (change.id, $0) } }, of: owner.account,
            on: database)
        return counts
    }

    private func rename(_ changes: [FriendChange], feed: String, on database: isolated Connection) throws {
        guard !changes.isEmpty else { return }
        let friends = changes.map(\.friend)
        try database.query(
            """
            UPDATE friends
            SET name = given.name, first_name = given.first_name, last_name = given.last_name, nickname = given.nickname,
                feed = \(feed), deleted_at = NULL, updated_at = now()
            FROM unnest(
                (SELECT \(changes.map(\.id))), (SELECT \(friends.map(\.name))), (SELECT \(friends.map(\.firstName))),
                (SELECT \(friends.map(\.lastName))), (SELECT \(friends.map(\.nickname)))
            ) AS given (id, name, first_name, last_name, nickname)
            WHERE friends.id = given.id
            """)
    }

    private func removeAddresses(_ rows: [Int], on database: isolated Connection) throws {
        guard !rows.isEmpty else { return }
        try database.query("DELETE FROM addresses WHERE id = ANY (\(rows))")
    }

    /// Changes the text, label or position of rows.
    func rewrite(
        _ changes: [(row: StoredAddress, to: AddressChanges.Placed)], on database: isolated Connection
    ) throws {
        guard !changes.isEmpty else { return }
        let moved = changes.filter { $0.row.position != $0.to.position }.map(\.row.id)
        // Two addresses that swap positions would collide, so each first moves to a free position.
        if !moved.isEmpty {
            try database.query("UPDATE addresses SET position = -position WHERE id = ANY (\(moved))")
        }
        let new = changes.map(\.to.address)
        try database.query(
            """
            UPDATE addresses
            SET position = given.position, label = given.label, street = given.street, city = given.city,
                region = given.region, postcode = given.postcode, country = given.country, hash = given.hash,
                country_code = given.country_code, updated_at = now()
            FROM unnest(
                (SELECT \(changes.map(\.row.id))), (SELECT \(changes.map(\.to.position))), (SELECT \(new.map(\.label))),
                (SELECT \(new.map(\.address.street))), (SELECT \(new.map(\.address.city))),
                (SELECT \(new.map(\.address.region))), (SELECT \(new.map(\.address.postcode))),
                (SELECT \(new.map(\.address.country))), (SELECT \(new.map(\.hash))),
                (SELECT \(new.map(\.countryCode)))
            ) AS given (id, position, label, street, city, region, postcode, country, hash, country_code)
            WHERE addresses.id = given.id
            """)
    }

    /// Fills in the values derived from the text. This does not count as an update.
    ///
    /// Inside a subquery the planner can't see how long the arrays are. For thousands of rows it would otherwise assume
    /// that reading the whole table is cheaper than looking each up.
    func fill(_ hashed: [(id: Int, address: HashedAddress)], on database: isolated Connection) throws {
        guard !hashed.isEmpty else { return }
        try database.query(
            """
            UPDATE addresses
            SET hash = hashed.hash, country_code = hashed.country_code
            FROM unnest(
                (SELECT \(hashed.map(\.id))), (SELECT \(hashed.map(\.address.hash))),
                (SELECT \(hashed.map(\.address.countryCode)))
            ) AS hashed (id, hash, country_code)
            WHERE addresses.id = hashed.id
            """)
    }

    /// Inserts addresses and returns the ids of the new rows.
    func insert(
        _ addresses: [(friend: Int, placed: AddressChanges.Placed)], of account: Int, on database: isolated Connection
    ) throws -> [Int] {
        guard !addresses.isEmpty else { return [] }
        let new = addresses.map(\.placed.address)
        return try database.query(
            """
            INSERT INTO addresses (
                owner, friend, position, label, street, city, region, postcode, country, hash, country_code)
            SELECT \(account)::integer, *
            FROM unnest(
                \(addresses.map(\.friend)), \(addresses.map(\.placed.position)), \(new.map(\.label)),
                \(new.map(\.address.street)), \(new.map(\.address.city)), \(new.map(\.address.region)),
                \(new.map(\.address.postcode)), \(new.map(\.address.country)),
                \(new.map(\.hash)), \(new.map(\.countryCode)))
            RETURNING id
            """
        ).map { try $0.read("id") }
    }
}
