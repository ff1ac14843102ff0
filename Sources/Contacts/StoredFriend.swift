import Formats
import Geocoding
import Postgres

/// A friend as stored in the tables.
struct StoredFriend {
    let id: Int
    let name: String
    let firstName: String
    let lastName: String
    let nickname: String
    let feed: String
    let isDeleted: Bool
    var addresses: [StoredAddress] = []

    init(_ row: Row) throws {
        id = try row.read("id")
        name = try row.read("name")
        firstName = try row.read("first_name")
        lastName = try row.read("last_name")
        nickname = try row.read("nickname")
        feed = try row.read("feed")
        isDeleted = try row.read("is_deleted")
    }

    /// True if the row itself equals the source.
    func isExactly(_ friend: Friend, feed: String) -> Bool {
        !isDeleted && self.feed.isExactly(feed) && name.isExactly(friend.name)
            && firstName.isExactly(friend.firstName) && lastName.isExactly(friend.lastName)
            && nickname.isExactly(friend.nickname)
    }
}

struct StoredAddress {
    let id: Int
    let position: Int
    let label: String
    let address: Address
    let hash: AddressHash?
    let countryCode: String?
    /// A copy of the question's status.
    let status: String

    /// Returns nil if the friend has no address and the row has only the friend.
    init?(_ row: Row) throws {
        guard let id = try row.readIfPresent("address", as: Int.self) else { return nil }
        self.id = id
        position = try row.read("position")
        label = try row.read("label")
        address = try Address(row)
        hash = try row.readIfPresent("hash")
        countryCode = try row.readIfPresent("country_code")
        status = try row.read("place_status")
    }

    /// True if the question ended without an answer, or its answer was forgotten. Only such a question can be asked
    /// again.
    var lacksAnswer: Bool { ["forgotten", "not_found", "failed"].contains(status) }

    func says(_ other: Address) -> Bool {
        address.street.isExactly(other.street) && address.city.isExactly(other.city)
            && address.region.isExactly(other.region) && address.postcode.isExactly(other.postcode)
            && address.country.isExactly(other.country)
    }
}

extension ContactWriter {
    /// Returns the friends of an account with these source keys, by their places among the keys.
    ///
    /// LIMIT and OFFSET make each key an index lookup. Without them the planner would read all friends of an account
    /// whose table is not analysed yet, again for each batch. The account is a subquery because the planner would take
    /// an account that is newer than the statistics for empty, and compare all its friends with each key.
    func storedFriends(
        _ keys: [String], of account: Int, on database: isolated Connection
    ) throws -> [Int: StoredFriend] {
        var friends: [Int: StoredFriend] = [:]
        let rows = try database.query(
            """
            SELECT place - 1 AS place, friends.id, name, first_name, last_name, nickname, feed,
                   deleted_at IS NOT NULL AS is_deleted,
                   addresses.id AS address, position, label, street, city, region, postcode, country, hash, country_code,
                   place_status
            FROM unnest(\(keys)) WITH ORDINALITY AS given (key, place)
            CROSS JOIN LATERAL (
                SELECT * FROM friends WHERE account = (SELECT \(account)::integer) AND source_key = key LIMIT 1
            ) AS friends
            LEFT JOIN LATERAL (SELECT * FROM addresses WHERE friend = friends.id OFFSET 0) AS addresses ON true
            """)
        for row in rows {
            let place: Int = try row.read("place")
            var friend = try friends[place] ?? StoredFriend(row)
            if let address = try StoredAddress(row) { friend.addresses.append(address) }
            friends[place] = friend
        }
        return friends
    }
}
