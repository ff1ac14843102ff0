import FoundationEssentials
package import Postgres
package import Queue

/// A version of a chain. Its id always means this version.
package struct StoredChain: Identifiable, Hashable, Sendable {
    package let id: Int
    package let name: String
    package let plan: Chain
    /// Its calls cost money or time: it is worth waiting for the answer to another spelling.
    let isSpared: Bool

    fileprivate static let columns: SQL = "id, name, plan::text, is_spared(plan)"

    fileprivate init(_ row: Row) throws {
        id = try row.read("id")
        name = try row.read("name")
        isSpared = try row.read("is_spared")
        plan = try JSONDecoder().decode(Chain.self, from: Data(row.read("plan", as: String.self).utf8))
    }
}

/// An account, or a caller, names a chain that does not exist.
package struct NoSuchChain: Error, CustomStringConvertible {
    package let name: String

    package init(name: String) {
        self.name = name
    }

    package var description: String { "there is no chain called \"\(name)\"" }
}

/// The table `chains`.
package struct ChainStore: Sendable {
    package init() {}

    /// Returns the current chain with this name; nil if there is none. With `isLocked`, other transactions that set the
    /// chain wait until this one ends.
    package func current(
        _ name: String, isLocked: Bool = false, on database: isolated Connection
    ) throws -> StoredChain? {
        let lock: SQL = isLocked ? "FOR UPDATE" : ""
        return try chains(where: "name = \(name) AND is_current \(part: lock)", on: database).first
    }

    /// Returns all current chains.
    package func all(on database: isolated Connection) throws -> [StoredChain] {
        try chains(where: "is_current ORDER BY name", on: database)
    }

    /// Returns chains by their ids, also those that are no longer current.
    func chains(_ ids: Set<Int>, on database: isolated Connection) throws -> [Int: StoredChain] {
        guard !ids.isEmpty else { return [:] }
        let chains = try chains(where: "id = ANY (\(Array(ids)))", on: database)
        return Dictionary(chains.map { ($0.id, $0) }) { first, _ in first }
    }

    private func chains(where condition: SQL, on database: isolated Connection) throws -> [StoredChain] {
        try database.query("SELECT \(part: StoredChain.columns) FROM chains WHERE \(part: condition)")
            .map(StoredChain.init)
    }

    /// True if all versions of the chain `name` are its first one, apart from plain links of these lanes.
    func isUntouched(
        _ name: String, apartFrom lanes: Set<String>, on database: isolated Connection
    ) throws -> Bool {
        let plans = try chains(where: "name = \(name)", on: database).map { version in
            var plan = version.plan
            plan.links.removeAll { lanes.contains($0.lane) && $0.isPlain }
            return plan
        }
        return Set(plans).count == 1
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
                RETURNING \(part: StoredChain.columns)
                """)[0])
    }
}

extension QuestionQueue {
    /// Returns the current chain with this name.
    package func chain(_ name: String, on database: isolated Connection) throws -> StoredChain {
        guard let chain = try ChainStore().current(name, on: database) else { throw NoSuchChain(name: name) }
        return chain
    }

    /// Creates a chain, or changes it for new questions: `change` receives the current version. Throws if a link names
    /// a lane that does not exist. Run it in a transaction.
    package func setChain(
        _ name: String, by author: Author, on database: isolated Connection,
        _ change: (StoredChain?) throws -> Chain
    ) throws -> StoredChain {
        let known = try ChainStore().current(name, isLocked: true, on: database)
        let plan = try change(known)
        try jobs.require(Set(plan.links.map(\.lane)), on: database)
        let stored = try ChainStore().set(name, to: plan, on: database)
        let (before, after) = (known?.plan.settings ?? [:], plan.settings)
        if before != after {
            try AuditLog().append(
                .setChain, name, before: before.filter { $0.value != after[$0.key] },
                after: after.filter { $0.value != before[$0.key] }, by: author, on: database)
        }
        return stored
    }
}

extension QuestionQueue {
    /// Appends `links` to the chain "default", unless somebody has set that chain. `lanes` are put there by themselves.
    /// Run it in a transaction.
    package func extendFirstChain(
        with links: [Chain.Link], apartFrom lanes: Set<String> = [], by author: Author,
        on database: isolated Connection
    ) throws {
        guard !links.isEmpty, try ChainStore().isUntouched("default", apartFrom: lanes, on: database) else { return }
        _ = try setChain("default", by: author, on: database) { known in
            guard var plan = known?.plan else { throw NoSuchChain(name: "default") }
            plan.links += links
            return plan
        }
    }
}

extension Chain {
    /// The settings by name, as text for the log.
    fileprivate var settings: [String: String] {
        [
            "links": links.map(\.words).joined(separator: ", "), "located": "\(located)", "review": "\(review)",
            "keep_not_found_days": "\(keepNotFound)", "keep_failed_days": "\(keepFailed)",
            "shares_houses": "\(sharesHouses)",
        ]
    }
}
