package import Postgres
package import Queue

/// An account, with the numbers of its friends and addresses.
package struct Account: Sendable {
    package let id: Int
    package let name: String
    /// The chain along which its addresses go.
    package let chain: String
    package let friends: Int
    package let addresses: Int

    /// The account of commands without `--account`, and of a server without tokens.
    package static let usual = "default"
}

/// There is already an account with this name.
struct AccountExists: Error, CustomStringConvertible {
    let name: String
    package var description: String { "there is already an account called \"\(name)\"" }
}

extension ContactStore {
    /// Returns all accounts by name. Soft-deleted friends are not counted.
    package func accounts(on database: isolated Connection) throws -> [Account] {
        try database.query(
            """
            SELECT id, name, chain,
                   coalesce((SELECT sum(friends) FROM friend_tallies WHERE account = accounts.id), 0)::bigint AS friends,
                   coalesce((SELECT sum(addresses) FROM address_tallies WHERE account = accounts.id), 0)::bigint AS addresses
            FROM accounts
            ORDER BY name
            """
        ).map(Account.init)
    }

    /// Returns the account with this name. Soft-deleted friends are included, so it counts row by row.
    package func countedAccount(named name: String, on database: isolated Connection) throws -> Account? {
        try database.query(
            """
            SELECT id, name, chain, (SELECT count(*) FROM friends WHERE account = accounts.id) AS friends,
                   (SELECT count(*) FROM addresses WHERE owner = accounts.id) AS addresses
            FROM accounts
            WHERE name = \(name)
            """
        ).first.map(Account.init)
    }

    /// Creates an account, and writes the act to the log. Throws ``AccountExists``.
    package func createAccount(named name: String, by author: Author, on database: isolated Connection) throws {
        let created = try database.query("INSERT INTO accounts (name) VALUES (\(name)) ON CONFLICT DO NOTHING")
        guard created.affected > 0 else { throw AccountExists(name: name) }
        try AuditLog().append(.createAccount, name, by: author, on: database)
    }

    /// Renames an account, and writes the act to the log. Returns false if the account does not exist. Throws
    /// ``AccountExists``.
    package func renameAccount(
        _ name: String, to newName: String, by author: Author, on database: isolated Connection
    ) throws -> Bool {
        if try account(named: newName, on: database) != nil { throw AccountExists(name: newName) }
        guard try database.query("UPDATE accounts SET name = \(newName) WHERE name = \(name)").affected > 0 else {
            return false
        }
        try AuditLog().append(
            .renameAccount, newName, before: ["name": name], after: ["name": newName], by: author, on: database)
        return true
    }

    /// Deletes an account whose friends, trackers, sinks and tokens are gone. The database refuses if any of them is
    /// left. Run it in a transaction.
    package func deleteAccount(_ id: Int, on database: isolated Connection) throws {
        // An insert of a row for the account waits for this lock, and then finds no account.
        try database.query("SELECT FROM accounts WHERE id = \(id)::integer FOR UPDATE")
        for table in ["imports", "address_tallies", "friend_tallies", "file_runs"] as [SQL] {
            try database.query("DELETE FROM \(part: table) WHERE account = \(id)::integer")
        }
        try database.query("DELETE FROM accounts WHERE id = \(id)::integer")
    }
}

extension Account {
    fileprivate init(_ row: Row) throws {
        id = try row.read("id")
        name = try row.read("name")
        chain = try row.read("chain")
        friends = try row.read("friends")
        addresses = try row.read("addresses")
    }
}
