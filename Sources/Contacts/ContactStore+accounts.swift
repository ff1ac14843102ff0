package import Postgres
package import Questions
package import Queue

extension ContactStore {
    /// Returns the id of the account with this name, and creates the account if it does not exist.
    package func openAccount(named name: String, on database: isolated Connection) throws -> Int {
        try database.query("INSERT INTO accounts (name) VALUES (\(name)) ON CONFLICT DO NOTHING")
        return try database.query("SELECT id FROM accounts WHERE name = \(name)")[0].read("id")
    }

    /// Returns the names of all accounts, by their ids.
    package func accountNames(on database: isolated Connection) throws -> [Int: String] {
        let rows = try database.query("SELECT id, name FROM accounts")
        return try Dictionary(
            rows.map { (try $0.read("id"), try $0.read("name")) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sets the chain for new addresses of an account. Returns false if the account does not exist.
    package func use(chain: String, for account: String, on database: isolated Connection) throws -> Bool {
        try database.query("UPDATE accounts SET chain = \(chain) WHERE name = \(account)").affected > 0
    }

    /// Does the same, and writes the act to the log.
    package func use(
        chain: String, for account: String, by author: Author, on database: isolated Connection
    ) throws -> Bool {
        let former = try database.query("SELECT chain FROM accounts WHERE name = \(account) FOR NO KEY UPDATE").first
        guard let former: String = try former?.read("chain"), try use(chain: chain, for: account, on: database) else {
            return false
        }
        if former != chain {
            try AuditLog().append(
                .useChain, chain, before: ["chain": former], after: ["chain": chain, "account": account], by: author,
                on: database)
        }
        return true
    }

    /// Returns the lanes of an account's chain.
    package func lanes(of account: String, on database: isolated Connection) throws -> Set<String> {
        Set(try chain(ofAccount: account, on: database).plan.links.map(\.lane))
    }

    /// Returns the lanes in which waiting addresses of an account may be: those of its chain that have jobs.
    package func lanes(awaitedBy account: Int, on database: isolated Connection) throws -> [LaneState] {
        let chain = try QuestionQueue().chain(chain(of: account, on: database), on: database)
        let own = Set(chain.plan.links.map(\.lane))
        return try JobQueue().lanes(on: database).filter { own.contains($0.lane) && $0.ready + $0.later + $0.held > 0 }
    }

    /// Returns the chain of an account, or the one it would have if it existed.
    package func chain(ofAccount account: String, on database: isolated Connection) throws -> StoredChain {
        let name = try database.query("SELECT chain FROM accounts WHERE name = \(account)").first
            .map { try $0.read("chain", as: String.self) }
        return try QuestionQueue().chain(name ?? "default", on: database)
    }

    /// Returns the name of an account's chain.
    package func chain(of account: Int, on database: isolated Connection) throws -> String {
        try database.query("SELECT chain FROM accounts WHERE id = \(account)").first?.read("chain") ?? "default"
    }
}
