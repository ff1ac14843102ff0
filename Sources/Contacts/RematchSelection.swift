import Geocoding
import Postgres
package import Questions

/// Selects answers of friends' addresses to ask again. A person's decision is never asked again.
package struct RematchSelection: Hashable, Sendable {
    /// Located answers, unless it has another status.
    package var answers: AnswerFilter
    /// The account of the addresses; nil for all accounts.
    package var account: Int?
    package var friend: Int?
    package var address: Int?
    /// The codes of their countries; empty for all.
    package var countries: [String]
    /// The chain along which they are asked; nil for the account's chain.
    package var chain: String?
    /// The most questions.
    package var limit: Int?

    package init(
        _ answers: AnswerFilter = AnswerFilter(), account: Int? = nil, friend: Int? = nil, address: Int? = nil,
        countries: [String] = [], chain: String? = nil, limit: Int? = nil
    ) {
        self.answers = answers
        self.answers.status = answers.status ?? .located
        (self.account, self.friend, self.address) = (account, friend, address)
        (self.countries, self.chain, self.limit) = (countries, chain, limit)
    }
}

extension RematchSelection {
    /// The selection as text for the log.
    func words(of count: Int) -> [String: String] {
        [
            "questions": "\(count)", "account": account.map(String.init), "friend": friend.map(String.init),
            "address": address.map(String.init),
            "countries": countries.isEmpty ? nil : countries.joined(separator: ","), "chain": chain,
            "limit": limit.map(String.init),
        ].compactMapValues(\.self).merging(answers.words.filter { $0 != ("status", "located") }) { $1 }
    }
}

/// An address whose answer is to be asked again.
struct Rematchable {
    let address: Int
    /// The question to ask. If the answer was taken from another spelling, the question of that spelling.
    let question: Int
    /// The code of its country.
    let country: String?
    let chain: String
    let isUnderWay: Bool

    init(_ row: Row) throws {
        address = try row.read("address")
        question = try row.read("question")
        country = try row.readIfPresent("country_code")
        chain = try row.read("chain")
        isUnderWay = try row.read("is_under_way")
    }
}

extension RematchSelection {
    /// Returns up to `limit` addresses after the one with this id.
    ///
    /// crosses rooms: an address has a place only through its hash, so the two tables are read as one.
    func addresses(after last: Int, limit: Int, on database: isolated Connection) throws -> [Rematchable] {
        try database.query(
            """
            SELECT addresses.id AS address, coalesce(source.id, answer.id) AS question, addresses.country_code,
                   coalesce(\(chain)::text, accounts.chain) AS chain,
                   EXISTS (
                       SELECT FROM geocodes AS shadow WHERE shadow.shadow_of = coalesce(source.id, answer.id)
                   ) AS is_under_way
            FROM addresses
            JOIN friends ON friends.id = addresses.friend
            JOIN accounts ON accounts.id = friends.account
            CROSS JOIN LATERAL (
                SELECT id, pinned_at, latitude, longitude, \(part: AnswerFilter.columns)
                FROM geocodes
                WHERE geocodes.hash = addresses.hash
                LIMIT 1
            ) AS answer
            LEFT JOIN LATERAL (
                SELECT id
                FROM geocodes
                WHERE geocodes.id = answer.shared_from AND may_be_shared(status, pinned_at, expires_at)
                  AND (latitude, longitude, precision, provider) IS NOT DISTINCT FROM
                      (answer.latitude, answer.longitude, answer.precision, answer.provider)
                LIMIT 1
            ) AS source ON true
            WHERE addresses.id > \(last) AND addresses.place_status = \(answers.status?.rawValue)
              AND friends.deleted_at IS NULL AND answer.pinned_at IS NULL AND \(part: answers.condition(of: "answer"))
              AND (\(account)::integer IS NULL OR addresses.owner = \(account)::integer)
              AND (\(friend)::bigint IS NULL OR addresses.friend = \(friend)::bigint)
              AND (\(address)::bigint IS NULL OR addresses.id = \(address)::bigint)
              AND (cardinality(\(countries)::text[]) = 0 OR addresses.country_code = ANY (\(countries)::text[]))
            ORDER BY addresses.id
            LIMIT \(limit)
            """
        ).map(Rematchable.init)
    }
}
