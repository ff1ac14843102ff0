package import Formats
package import Geocoding
import Postgres

/// A stored friend, with all addresses and their places.
package struct FriendRecord: Identifiable, Sendable {
    package let id: Int
    package let sourceKey: String
    package let name: String
    package let firstName: String
    package let lastName: String
    package let nickname: String
    package let feed: String
    /// In ISO 8601 and UTC: `2026-11-21T10:00:00Z`.
    package let createdAt: String
    package let updatedAt: String
    package internal(set) var addresses: [AddressRecord]
}

/// A stored address, with its place if it has one. A class, because a copy of its many texts costs more than a
/// reference.
package final class AddressRecord: Identifiable, Sendable {
    package let id: Int
    package let label: String
    package let address: Address
    /// ISO 3166-1, if the country's spelling is known.
    package let countryCode: String?
    package let place: KnownPlace
    /// Empty unless ``FriendDetails/addressTimes`` were read.
    package let createdAt: String
    package let updatedAt: String

    fileprivate init?(_ row: Row, with details: FriendDetails) throws {
        guard let id: Int = try row.readIfPresent("address_id") else { return nil }
        self.id = id
        label = try row.read("label")
        address = try Address(row)
        countryCode = try row.readIfPresent("country_code")
        let hasTimes = details.contains(.addressTimes)
        createdAt = try hasTimes ? row.read("address_created") : ""
        updatedAt = try hasTimes ? row.read("address_updated") : ""
        place =
            if details.contains(.addedColumns) {
                try KnownPlace(row)
            } else {
                try details.contains(.placeNames) ? KnownPlace(named: row) : KnownPlace(usual: row)
            }
    }
}

/// The parts of a friend that few readers need, and that take as long to read as all others.
package struct FriendDetails: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The times at which each address was made and changed.
    package static let addressTimes = Self(rawValue: 1)
    /// The names of each place, the time of its answer, and the hash of its address.
    package static let addedColumns = Self(rawValue: 2)
    /// The names of each place.
    package static let placeNames = Self(rawValue: 4)
    package static let all: Self = [.addressTimes, .addedColumns]
}

extension AddressRecord {
    package var status: GeocodeStatus { place.status }
    package var coordinate: Coordinate? { place.coordinate }
    package var provider: String? { place.provider }
}

extension FriendRecord {
    /// Reads one row for each address, the rows of a friend in succession. A friend without an address has one row.
    static func read(_ rows: Rows, with details: FriendDetails = .all) throws -> [FriendRecord] {
        var friends: [FriendRecord] = []
        for row in rows {
            let id: Int = try row.read("id")
            if friends.last?.id != id { friends.append(try FriendRecord(row, id: id)) }
            if let address = try AddressRecord(row, with: details) {
                friends[friends.count - 1].addresses.append(address)
            }
        }
        return friends
    }

    private init(_ row: Row, id: Int) throws {
        self.id = id
        sourceKey = try row.read("source_key")
        name = try row.read("name")
        firstName = try row.read("first_name")
        lastName = try row.read("last_name")
        nickname = try row.read("nickname")
        feed = try row.read("feed")
        createdAt = try row.read("created")
        updatedAt = try row.read("updated")
        addresses = []
    }
}
