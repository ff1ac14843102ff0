package import Postgres

/// Runs transactions: a pool, or the part of a pool that one account may use.
///
/// For acts on many things, which are done in pieces: no lock is held for long, and finished pieces stay done.
package protocol Transacting: Sendable {
    @discardableResult
    func transaction<Value: Sendable>(
        within limit: Duration?, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value
}

extension Database: Transacting {}
