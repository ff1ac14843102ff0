package import Postgres
package import Queue

extension QuestionQueue {
    /// Creates a chain, or changes it for new questions: `change` receives the current version. Throws if a link names
    /// a lane that does not exist. Run it in a transaction.
    package func setChain(
        _ name: String, by author: Author, on database: isolated Connection,
        _ change: (StoredChain?) throws -> Chain
    ) throws -> StoredChain {
        let chains = ChainStore()
        let known = try chains.lock(name, on: database)
        let plan = try change(known)
        try jobs.require(Set(plan.links.map(\.lane)), on: database)
        let stored = try chains.set(name, to: plan, on: database)
        let (before, after) = (known?.plan.settings ?? [:], plan.settings)
        if before != after {
            try AuditLog().keep(
                .setChain, name, before: before.filter { $0.value != after[$0.key] },
                after: after.filter { $0.value != before[$0.key] }, by: author, on: database)
        }
        return stored
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
