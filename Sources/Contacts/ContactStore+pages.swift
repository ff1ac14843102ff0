package import Postgres

/// Numbered pages, as Monica's clients request them.
extension ContactStore {
    /// Returns the ids of a page's friends, and the total number of friends.
    package func page(
        _ page: ContactPage, account: Int, marks: PageMarks, on database: isolated Connection
    ) throws -> (ids: [Int], total: Int) {
        let tally = try friendTally(account: account, on: database)
        let ids = try rows(
            of: page, .friends, "friends WHERE account = \(account)::integer AND deleted_at IS NULL", account: account,
            changes: tally.changes, marks: marks, on: database)
        return (ids, tally.count)
    }

    /// Returns the ids of a page of friends whose names contain a text, ignoring case, and their total number. From
    /// ``mostFound`` on the total is an estimate: at least the friends found so far, and more if there are more behind
    /// this page.
    package func page(
        _ page: ContactPage, query: String, account: Int, on database: isolated Connection
    ) throws -> (ids: [Int], total: Int) {
        let found: [Int] = try database.query(
            """
            SELECT id
            FROM friends_named(\(query), \(page.isByChange), \(page.isDescending), \(Self.mostFound)::integer, 0) AS id
            """
        ).map { try $0.read("id") }
        let end = page.offset + page.limit
        if found.count < Self.mostFound || end < found.count {
            return (Array(found.dropFirst(page.offset).prefix(page.limit)), found.count)
        }
        let ids: [Int] = try database.query(
            """
            SELECT id
            FROM friends_named(\(query), \(page.isByChange), \(page.isDescending), \(page.limit + 1)::integer,
                               \(page.offset)) AS id
            """
        ).map { try $0.read("id") }
        return (Array(ids.prefix(page.limit)), max(found.count, page.offset + ids.count))
    }

    /// A search counts its matching friends only up to this number.
    static let mostFound = 500

    /// Returns the addresses of a page, each as its friend with only this address.
    package func addressPage(
        _ page: ContactPage, account: Int, marks: PageMarks, on database: isolated Connection
    ) throws -> (addresses: [FriendRecord], total: Int) {
        let tally = try addressTally(account: account, on: database)
        let ids = try rows(
            of: page, .addresses,
            """
            addresses WHERE owner = \(account)::integer
              AND (SELECT deleted_at IS NULL FROM friends WHERE friends.id = addresses.friend)
            """, account: account, changes: tally.changes, marks: marks, on: database)
        return (try addresses(ids, account: account, on: database), tally.count)
    }

    /// Returns the addresses of one friend.
    package func addressPage(
        _ page: ContactPage, of friend: Int, account: Int, on database: isolated Connection
    ) throws -> (addresses: [FriendRecord], total: Int) {
        // A friend has few addresses.
        let rows = try database.query(
            """
            SELECT addresses.id
            FROM addresses
            WHERE friend = \(friend) AND owner = \(account)::integer
              AND (SELECT deleted_at IS NULL FROM friends WHERE friends.id = addresses.friend)
            ORDER BY extract(epoch FROM CASE WHEN \(page.isByChange) THEN updated_at ELSE created_at END)
                         * \(page.sign)::integer,
                     id * \(page.sign)::integer
            """)
        let ids: [Int] = try rows.dropFirst(page.offset).prefix(page.limit).map { try $0.read("id") }
        return (try addresses(ids, account: account, on: database), rows.count)
    }

    /// Returns the ids of a page's rows. `source` is a table and a condition.
    ///
    /// If the first row of the page is known, reading begins there. Otherwise the rows before the page are counted in
    /// an index.
    private func rows(
        of page: ContactPage, _ kind: PageMarks.List.Kind, _ source: SQL, account: Int, changes: Int, marks: PageMarks,
        on database: isolated Connection
    ) throws -> [Int] {
        let list = PageMarks.List(
            kind: kind, account: account, isByChange: page.isByChange, isDescending: page.isDescending,
            limit: page.limit)
        let time: SQL = page.isByChange ? "updated_at" : "created_at"
        let order: SQL = page.isDescending ? "\(part: time) DESC, id DESC" : "\(part: time), id"
        var begin: SQL = "ORDER BY \(part: order) LIMIT \(page.limit + 1) OFFSET \(page.offset)"
        if let key = page.number == 1 ? nil : marks.key(of: page.number, in: list, changes: changes) {
            let from: SQL =
                page.isDescending
                ? "(\(part: time), id) <= (\(key.time)::timestamptz, \(key.id))"
                : "(\(part: time), id) >= (\(key.time)::timestamptz, \(key.id))"
            begin = "AND \(part: from) ORDER BY \(part: order) LIMIT \(page.limit + 1)"
        }
        let found = try database.query(
            """
            SELECT id, to_char(\(part: time) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.USZ') AS time
            FROM \(part: source) \(part: begin)
            """
        ).map { (id: try $0.read("id", as: Int.self), time: try $0.read("time", as: String.self)) }
        for (place, number) in [(0, page.number), (page.limit, page.number + 1)] where place < found.count {
            let key = PageMarks.Key(time: found[place].time, id: found[place].id)
            marks.set(key, of: number, in: list, changes: changes)
        }
        return found.prefix(page.limit).map(\.id)
    }

    /// Returns these addresses, each as its friend with only this address.
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
