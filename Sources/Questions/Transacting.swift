package import Postgres

/// What runs transactions: a pool, or what one account may see of one.
///
/// For acts on so many things that they are done in pieces: no lock is held for long, and what was done stays done.
package protocol Transacting: Sendable {
    @discardableResult
    func transaction<Value: Sendable>(
        within limit: Duration?, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value
}

extension Database: Transacting {}
