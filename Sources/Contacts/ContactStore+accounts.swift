package import Geocodes
package import Postgres
import Questions
package import Queue

extension ContactStore {
    /// The number of the account with this name, which is opened if there is none.
    package func openAccount(named name: String, on database: isolated Connection) throws -> Int {
        try database.query("INSERT INTO accounts (name) VALUES (\(name)) ON CONFLICT DO NOTHING")
        return try database.query("SELECT id FROM accounts WHERE name = \(name)")[0].read("id")
    }

    /// The names of all accounts, by their numbers.
    package func accountNames(on database: isolated Connection) throws -> [Int: String] {
        let rows = try database.query("SELECT id, name FROM accounts")
        return try Dictionary(
            rows.map { (try $0.read("id"), try $0.read("name")) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sets the chain for new addresses of an account. False when there is no such account.
    package func use(chain: String, for account: String, on database: isolated Connection) throws -> Bool {
        try database.query("UPDATE accounts SET chain = \(chain) WHERE name = \(account)").affected > 0
    }

    /// The same, and the word of it in the log.
    package func use(
        chain: String, for account: String, by author: Author, on database: isolated Connection
    ) throws -> Bool {
        let former = try database.query("SELECT chain FROM accounts WHERE name = \(account) FOR NO KEY UPDATE").first
        guard let former: String = try former?.read("chain"), try use(chain: chain, for: account, on: database) else {
            return false
        }
        if former != chain {
            try AuditLog().keep(
                .useChain, chain, before: ["chain": former], after: ["chain": chain, "account": account], by: author,
                on: database)
        }
        return true
    }

    /// The lanes in which an account's addresses are asked for.
    package func lanes(of account: String, on database: isolated Connection) throws -> Set<String> {
        Set(try chain(ofAccount: account, on: database).plan.links.map(\.lane))
    }

    /// The lanes in which the addresses of an account that wait may do so: those of its chain that have jobs.
    package func lanes(awaitedBy account: Int, on database: isolated Connection) throws -> [LaneState] {
        let chain = try QuestionQueue().chain(chain(of: account, on: database), on: database)
        let own = Set(chain.plan.links.map(\.lane))
        return try JobQueue().lanes(on: database).filter { own.contains($0.lane) && $0.ready + $0.later + $0.held > 0 }
    }

    /// The chain along which an account's addresses are asked for, or would be if there were such an account.
    package func chain(ofAccount account: String, on database: isolated Connection) throws -> StoredChain {
        let name = try database.query("SELECT chain FROM accounts WHERE name = \(account)").first
            .map { try $0.read("chain", as: String.self) }
        return try QuestionQueue().chain(name ?? "default", on: database)
    }

    /// Along which chain an account's addresses are asked for.
    package func chain(of account: Int, on database: isolated Connection) throws -> String {
        try database.query("SELECT chain FROM accounts WHERE id = \(account)").first?.read("chain") ?? "default"
    }
}
