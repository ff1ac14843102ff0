import Geocoding
package import Postgres
package import Queue

/// Operations of a person on stored answers.
extension QuestionQueue {
    /// Counts the answers that ``purge(_:by:on:)`` would delete.
    package func countPurgeable(_ selection: AnswerFilter, on database: isolated Connection) throws -> Int {
        try database.query(
            "SELECT count_purgeable_answers(\(part: selection.purgeConditions)) AS number"
        )[0].read("number")
    }

    /// Deletes up to `limit` answers that no address uses, except a person's decisions. Returns how many.
    package func purge(
        _ selection: AnswerFilter, limit: Int, on database: isolated Connection
    ) throws -> Int {
        try database.query(
            "SELECT purge_answers(\(part: selection.purgeConditions), \(limit)::integer) AS number"
        )[0].read("number")
    }

    /// Deletes all such answers, in pieces. The log contains one act with the total number, written with the first
    /// piece.
    package func purge(
        _ selection: AnswerFilter, by author: Author, on database: some Transacting
    ) async throws -> Int {
        let size = 1_000
        var purged = 0
        while true {
            let piece = try await database.transaction(within: nil) { [purged] db in
                if purged == 0 {
                    let count = try countPurgeable(selection, on: db)
                    guard count > 0 else { return 0 }
                    try AuditLog().keep(.purgeAnswers, after: selection.words(of: count), by: author, on: db)
                }
                return try purge(selection, limit: size, on: db)
            }
            purged += piece
            if piece < size { return purged }
        }
    }

    /// Calls ``GeocodeStore/expire(_:on:)``, and writes the act to the log.
    package func expire(
        _ selection: AnswerFilter, by author: Author, on database: isolated Connection
    ) throws -> Int {
        let expired = try geocodes.expire(selection, on: database)
        if expired > 0 {
            try AuditLog().keep(.expireAnswers, after: selection.words(of: expired), by: author, on: database)
        }
        return expired
    }
}

extension AnswerFilter {
    /// The arguments of `purge_answers`, which knows only these conditions.
    fileprivate var purgeConditions: SQL {
        precondition(
            self == AnswerFilter(provider: provider, status: status, age: age), "a purge knows no other conditions")
        return "\(provider), \(status?.rawValue)::geocode_status, \(age ?? .zero)::interval"
    }

    /// The details in the log: the selection of answers, and their number.
    fileprivate func words(of count: Int) -> [String: String] {
        words.merging(["answers": "\(count)"]) { $1 }
    }
}
