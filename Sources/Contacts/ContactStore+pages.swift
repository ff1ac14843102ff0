package import Postgres

/// Pages that are counted from the beginning, as Monica's clients ask for them.
extension ContactStore {
    /// The numbers of the friends of a page, and how many there are in all.
    package func page(
        _ page: ContactPage, query: String? = nil, account: Int, on database: isolated Connection
    ) throws -> (ids: [Int], total: Int) {
        let total: Int = try database.query(
            """
            SELECT count(*) AS total
            FROM friends
            WHERE account = \(account) AND deleted_at IS NULL
              AND (\(query)::text IS NULL
                   OR strpos(lower(concat_ws(' ', name, first_name, last_name, nickname)), lower(\(query))) > 0)
            """)[0].read("total")
        let ids: [Int] = try database.query(
            """
            SELECT id
            FROM friends
            WHERE account = \(account) AND deleted_at IS NULL
              AND (\(query)::text IS NULL
                   OR strpos(lower(concat_ws(' ', name, first_name, last_name, nickname)), lower(\(query))) > 0)
            ORDER BY extract(epoch FROM CASE WHEN \(page.isByChange) THEN updated_at ELSE created_at END)
                         * \(page.sign)::integer,
                     id * \(page.sign)::integer
            LIMIT \(page.limit) OFFSET \(page.offset)
            """
        ).map { try $0.read("id") }
        return (ids, total)
    }

    /// The addresses of a page, of all friends or of one: each as its friend with this address alone.
    package func addressPage(
        _ page: ContactPage, of friend: Int? = nil, account: Int, on database: isolated Connection
    ) throws -> (addresses: [FriendRecord], total: Int) {
        let total: Int = try database.query(
            """
            SELECT count(*) AS total
            FROM addresses
            JOIN friends ON friends.id = addresses.friend
            WHERE friends.account = \(account) AND friends.deleted_at IS NULL
              AND (\(friend)::bigint IS NULL OR friends.id = \(friend))
            """)[0].read("total")
        let ids: [Int] = try database.query(
            """
            SELECT addresses.id
            FROM addresses
            JOIN friends ON friends.id = addresses.friend
            WHERE friends.account = \(account) AND friends.deleted_at IS NULL
              AND (\(friend)::bigint IS NULL OR friends.id = \(friend))
            ORDER BY extract(epoch FROM CASE WHEN \(page.isByChange) THEN addresses.updated_at
                                             ELSE addresses.created_at END) * \(page.sign)::integer,
                     addresses.id * \(page.sign)::integer
            LIMIT \(page.limit) OFFSET \(page.offset)
            """
        ).map { try $0.read("id") }
        return (try addresses(ids, account: account, on: database), total)
    }

    /// The addresses of these numbers, each as its friend with this address alone.
    package func addresses(
        _ ids: [Int], account: Int, on database: isolated Connection
    ) throws -> [FriendRecord] {
        let owners: [Int] = try database.query("SELECT DISTINCT friend FROM addresses WHERE id = ANY (\(ids))")
            .map { try $0.read("friend") }
        var found: [Int: FriendRecord] = [:]
        for friend in try friends(owners, account: account, on: database) {
            for address in friend.addresses {
                found[address.id] = friend
                found[address.id]?.addresses = [address]
            }
        }
        return ids.compactMap { found[$0] }
    }
}

package struct ContactPage: Hashable, Sendable {
    package let number: Int
    package let limit: Int
    package let isByChange: Bool
    package let isDescending: Bool

    package init(_ number: Int, limit: Int, isByChange: Bool = false, isDescending: Bool = false) {
        self.number = number
        self.limit = limit
        self.isByChange = isByChange
        self.isDescending = isDescending
    }

    package var offset: Int { (number - 1) * limit }
    var sign: Int { isDescending ? -1 : 1 }
}
