import FoundationEssentials
package import Geocoding
package import Postgres

/// The table `chains`.
package struct ChainStore: Sendable {
    package init() {}

    /// Returns the current chain with this name; nil if there is none.
    package func current(_ name: String, on database: isolated Connection) throws -> StoredChain? {
        try database.query(
            "SELECT id, name, plan::text, is_spared(plan) FROM chains WHERE name = \(name) AND is_current"
        ).first.map(StoredChain.init)
    }

    /// Returns the same, locked until the transaction ends: other transactions that set the chain wait.
    package func lock(_ name: String, on database: isolated Connection) throws -> StoredChain? {
        try database.query(
            "SELECT id, name, plan::text, is_spared(plan) FROM chains WHERE name = \(name) AND is_current FOR UPDATE"
        ).first.map(StoredChain.init)
    }

    /// Returns all current chains.
    package func all(on database: isolated Connection) throws -> [StoredChain] {
        try database.query("SELECT id, name, plan::text, is_spared(plan) FROM chains WHERE is_current ORDER BY name")
            .map(StoredChain.init)
    }

    /// Returns chains by their ids, also those that are no longer current.
    package func chains(_ ids: Set<Int>, on database: isolated Connection) throws -> [Int: Chain] {
        try stored(ids, on: database).mapValues(\.plan)
    }

    func stored(_ ids: Set<Int>, on database: isolated Connection) throws -> [Int: StoredChain] {
        guard !ids.isEmpty else { return [:] }
        let chains = try database.query(
            "SELECT id, name, plan::text, is_spared(plan) FROM chains WHERE id = ANY (\(Array(ids)))"
        ).map(StoredChain.init)
        return Dictionary(uniqueKeysWithValues: chains.map { ($0.id, $0) })
    }

    /// Replaces the chain `name` for new questions. Run it in a transaction.
    @discardableResult
    package func set(_ name: String, to plan: Chain, on database: isolated Connection) throws -> StoredChain {
        let text = String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
        try database.query("UPDATE chains SET is_current = false WHERE name = \(name) AND is_current")
        return try StoredChain(
            database.query(
                """
                INSERT INTO chains (name, plan) VALUES (\(name), \(text)::jsonb)
                RETURNING id, name, plan::text, is_spared(plan)
                """)[0])
    }
}

/// A version of a chain. Its id always means this version.
package struct StoredChain: Identifiable, Hashable, Sendable {
    package let id: Int
    package let name: String
    package let plan: Chain
    /// Its calls cost money or time: it is worth waiting for the answer to another spelling.
    let isSpared: Bool

    init(_ row: Row) throws {
        id = try row.read("id")
        name = try row.read("name")
        isSpared = try row.read("is_spared")
        plan = try JSONDecoder().decode(Chain.self, from: Data(row.read("plan", as: String.self).utf8))
    }
}

extension Chain {
    /// Returns the link at which a question begins; the last link if no condition holds.
    package func start(of subject: Question.Subject) -> Int {
        asksForCountry ? start(inCountry: subject.country) : 0
    }

    /// Returns the same for an address in the country with this code.
    package func start(inCountry country: String?) -> Int {
        link(from: 0, country: country, best: nil) ?? links.count - 1
    }

    /// Counts how many of these addresses begin at each link, in the order of the links.
    package func starts(of addresses: [Address]) -> [(link: Int, count: Int)] {
        guard asksForCountry else { return [(0, addresses.count)] }
        let counts = Dictionary(addresses.map { (start(of: .address($0)), 1) }, uniquingKeysWith: +)
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
