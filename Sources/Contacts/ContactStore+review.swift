package import Postgres
package import Questions

/// The review for one account: the questions of its addresses, in its spelling.
extension ContactStore {
    /// Returns questions that wait for a person: up to `limit` after `id`.
    package func toReview(
        of account: Int, after id: Int, limit: Int, on database: isolated Connection
    ) throws -> [QuestionDetails] {
        try questions(
            of: account,
            where: "candidates IS NOT NULL AND geocodes.status = 'needs_review' AND geocodes.id > \(id)", limit: limit,
            on: database)
    }

    /// Returns one question; nil if none of the account's addresses has it.
    package func question(
        _ id: Int, of account: Int, on database: isolated Connection
    ) throws -> QuestionDetails? {
        try questions(of: account, where: "geocodes.id = \(id)", limit: 1, on: database).first
    }

    // crosses rooms: only `addresses` shows which account has a question, and how it spells the address.
    private func questions(
        of account: Int, where condition: SQL, limit: Int, on database: isolated Connection
    ) throws -> [QuestionDetails] {
        try database.query(
            """
            SELECT asked.*, NULL AS at_latitude, NULL AS at_longitude, \(part: QuestionDetails.columns)
            FROM geocodes,
            LATERAL (
                SELECT street, city, region, postcode, country
                FROM addresses
                WHERE addresses.hash = geocodes.hash AND owner = \(account)
                  AND EXISTS (SELECT FROM friends WHERE friends.id = addresses.friend AND deleted_at IS NULL)
                ORDER BY addresses.id
                LIMIT 1
            ) AS asked
            WHERE \(part: condition)
            ORDER BY geocodes.id
            LIMIT \(limit)
            """
        ).map(QuestionDetails.init)
    }
}
