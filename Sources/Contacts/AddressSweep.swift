import Formats
import Geocoding
package import Postgres
import Questions
package import Queue

/// Batches that the leading coordinator and `purge` run: hash the addresses that another program wrote, and delete
/// friends for good. Each call handles up to `limit` rows.
package struct AddressSweep: Sendable {
    private let writer = ContactWriter()

    package init() {}

    /// Hashes addresses that another program wrote, and asks the new ones. Addresses of soft-deleted friends are left
    /// until the friends are restored.
    package func hashForeign(_ limit: Int, on database: isolated Connection) throws -> Int {
        let found = try database.query(
            """
            SELECT addresses.id, street, city, region, postcode, country, account, chain, has_pins
            FROM addresses
            JOIN friends ON friends.id = friend
            JOIN accounts ON accounts.id = account
            WHERE hash IS NULL AND deleted_at IS NULL
            ORDER BY addresses.id
            LIMIT \(limit)
            FOR UPDATE OF addresses SKIP LOCKED
            """
        ).map(ForeignAddress.init)
        guard !found.isEmpty else { return 0 }
        var hashed: [(id: Int, address: HashedAddress)] = []
        for (_, found) in Dictionary(grouping: found, by: \.owner.account).sorted(by: { $0.key < $1.key }) {
            var addresses = found.map(\.address)
            try writer.pin(&addresses, of: found[0].owner, on: database)
            _ = try writer.ask(addresses, for: found[0].owner, on: database)
            hashed += zip(found.map(\.id), addresses).map { ($0, $1) }
        }
        try writer.fill(hashed, on: database)
        return found.count
    }

    /// Counts the friends that ``purgeDeleted(olderThan:limit:on:)`` would delete in the end.
    package func countDeleted(olderThan age: Duration, on database: isolated Connection) throws -> Int {
        try database.query(
            "SELECT count(*) AS count FROM friends WHERE deleted_at <= now() - \(age)::interval"
        )[0].read("count")
    }

    /// Deletes for good all friends who were soft-deleted `age` ago, in pieces: no lock is held for long, and finished
    /// pieces stay done. The log contains one act with the total number. Returns how many.
    package func purgeDeleted(
        olderThan age: Duration, by author: Author, on database: some DatabaseAccess
    ) async throws -> Int {
        let size = 1_000
        return try await database.inPieces(of: size) { db, purged in
            if purged == 0 {
                let count = try countDeleted(olderThan: age, on: db)
                guard count > 0 else { return 0 }
                try AuditLog().append(
                    .purgeFriends, after: ["friends": "\(count)", "older": age.logged], by: author,
                    on: db)
            }
            return try purgeDeleted(olderThan: age, limit: size, on: db)
        }
    }

    /// Deletes for good up to `limit` friends who were soft-deleted `age` ago, with their addresses and pins. Returns
    /// how many. Answers of providers are kept: `QuestionQueue.purge` deletes those.
    package func purgeDeleted(olderThan age: Duration, limit: Int, on database: isolated Connection) throws -> Int {
        try database.transaction { database in
            let friends: [Int] = try database.query(
                """
                SELECT id
                FROM friends
                WHERE deleted_at <= now() - \(age)::interval
                ORDER BY deleted_at
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
                """
            ).map { try $0.read("id") }
            return try purge(friends, on: database)
        }
    }

    /// Does the same for up to `limit` friends of an account, soft-deleted or not. Run it in a transaction.
    package func purge(account: Int, limit: Int, on database: isolated Connection) throws -> Int {
        let friends: [Int] = try database.query(
            "SELECT id FROM friends WHERE account = \(account)::integer LIMIT \(limit) FOR UPDATE"
        ).map { try $0.read("id") }
        return try purge(friends, on: database)
    }

    private func purge(_ friends: [Int], on database: isolated Connection) throws -> Int {
        guard !friends.isEmpty else { return 0 }
        let hashes = try database.query(
            "DELETE FROM addresses WHERE friend = ANY (\(friends)) RETURNING hash"
        ).compactMap { try $0.readIfPresent("hash", as: AddressHash.self) }
        try writer.geocodes.deleteUnusedPins(hashes, on: database)
        return try database.query("DELETE FROM friends WHERE id = ANY (\(friends))").affected
    }
}

/// An address that another program wrote.
private struct ForeignAddress {
    let id: Int
    let address: HashedAddress
    let owner: Owner

    init(_ row: Row) throws {
        id = try row.read("id")
        address = HashedAddress(LabelledAddress(label: "", address: try Address(row)))
        owner = Owner(account: try row.read("account"), chain: try row.read("chain"), hasPins: try row.read("has_pins"))
    }
}
