import Geocoding
package import Postgres
import Questions
package import Queue

/// Puts one friend's addresses, or one address, ahead of background work, in one transaction each.
extension FriendEditor {
    /// Hurries the waiting questions of one friend's addresses. Returns their number; nil if the friend does not exist.
    package func hurry(friend: Int, account: Int, on database: isolated Connection) throws -> Int? {
        try database.transaction { database in
            guard try isThere(friend, account: account, on: database) else { return nil }
            return try writer.questions.hurry(questions(of: friend, on: database).map(\.hash), on: database)
        }
    }

    /// Asks those questions of a friend's addresses again that failed, were not found, or whose answers expired, with
    /// the highest priority. Returns how many; nil if the friend does not exist.
    package func retry(friend: Int, account: Int, on database: isolated Connection) throws -> Int? {
        try database.transaction { database -> Int? in
            guard try isThere(friend, account: account, on: database) else { return nil }
            let owner = try writer.owner(account, on: database)
            let questions = try questions(of: friend, on: database)
            let again = try writer.askAgain(questions, for: owner, insisting: true, on: database)
            _ = try writer.questions.hurry(questions.map(\.hash), on: database)
            return again
        }
    }

    /// Asks the question of one address again, with the highest priority, whatever its answer is. A place stays until
    /// there is a better one. A person's decision is not asked again. Returns 0 or 1, the number of questions asked;
    /// nil if the address does not exist.
    package func askAgain(
        address id: Int, account: Int, by author: Author, on database: isolated Connection
    ) throws -> Int? {
        try database.transaction { database -> Int? in
            let row = try database.query(
                """
                SELECT hash, street, city, region, postcode, country, place_status
                FROM addresses
                WHERE id = \(id) AND owner = \(account)::integer
                  AND NOT EXISTS (SELECT FROM friends WHERE friends.id = addresses.friend AND deleted_at IS NOT NULL)
                """
            ).first
            guard let row else { return nil }
            guard let hash = try row.readIfPresent("hash", as: AddressHash.self) else { return 0 }
            let owner = try writer.owner(account, on: database)
            let question = NewQuestion(try Address(row), hash: hash)
            _ = try writer.askAgain([question], for: owner, insisting: true, on: database)
            let hurried = try writer.questions.hurry([hash], on: database)
            guard hurried == 0, let status = try row.readIfPresent("place_status").flatMap(GeocodeStatus.init) else {
                return hurried
            }
            return try Rematch(RematchSelection(AnswerFilter(status: status), account: account, address: id))
                .runNow(by: author, on: database)
        }
    }

    private func questions(of friend: Int, on database: isolated Connection) throws -> [NewQuestion] {
        try database.query(
            """
            SELECT hash, street, city, region, postcode, country
            FROM addresses
            WHERE friend = \(friend) AND hash IS NOT NULL
            """
        ).map { NewQuestion(try Address($0), hash: try $0.read("hash")) }
    }

    func isThere(_ friend: Int, account: Int, on database: isolated Connection) throws -> Bool {
        let rows = try database.query(
            "SELECT FROM friends WHERE id = \(friend) AND account = \(account)::integer AND deleted_at IS NULL")
        return rows.count == 1
    }
}
