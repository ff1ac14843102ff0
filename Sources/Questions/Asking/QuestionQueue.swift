package import Postgres
import Queue

/// Questions and their jobs: everything that changes both is done here, in one transaction.
///
/// Asking needs no contact, only an address or a coordinate, and the name of a chain.
package struct QuestionQueue: Sendable {
    let geocodes = GeocodeStore()
    let jobs = JobQueue()

    package init() {}

    /// Returns the current chain with this name.
    package func chain(_ name: String, on database: isolated Connection) throws -> StoredChain {
        guard let chain = try ChainStore().current(name, on: database) else { throw NoSuchChain(name: name) }
        return chain
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
