package import Formats
import Geocoding
import Questions

/// Friends with their hashes: everything that can be computed before the database is needed, while it is busy.
package struct HashedFriends: Sendable {
    /// Each source key once.
    let friends: [HashedFriend]
    /// The places of the source keys in `friends`.
    private let places: [ExactText: Int]

    /// If a source key occurs twice, the later friend counts, as if the two had been stored one after the other.
    package init(_ friends: [Friend]) {
        var codes: [String: String?] = [:]
        var places: [ExactText: Int] = [:]
        var hashed: [HashedFriend] = []
        hashed.reserveCapacity(friends.count)
        for friend in friends {
            let addresses = friend.addresses.map { HashedAddress($0, codes: &codes) }
            let entry = HashedFriend(friend: friend, addresses: addresses)
            if let place = places[ExactText(friend.sourceKey)] {
                hashed[place] = entry
            } else {
                places[ExactText(friend.sourceKey)] = hashed.count
                hashed.append(entry)
            }
        }
        self.friends = hashed
        self.places = places
    }

    var addressCount: Int { friends.reduce(0) { $0 + $1.addresses.count } }

    /// True if a friend is in both, so that the order of storing matters.
    func sharesFriends(with others: HashedFriends) -> Bool {
        places.keys.contains { others.places[$0] != nil }
    }
}

struct HashedFriend: Sendable {
    let friend: Friend
    var addresses: [HashedAddress]
}

/// An address in the form that is stored.
struct HashedAddress: Sendable {
    let label: String
    let address: Address
    let position: Coordinate?
    /// The part of the address from which the position is far away.
    let distantPart: Precision?
    let countryCode: String?
    /// The hash of the address's question.
    let plainHash: AddressHash
    /// The hash that is stored: the plain one, or that of the account's pin.
    var hash: AddressHash

    var question: NewQuestion { NewQuestion(address, hash: hash) }

    /// `codes` caches the countries found so far: recognizing one takes as long as hashing the rest.
    init(_ labelled: LabelledAddress, codes: inout [String: String?]) {
        label = labelled.label
        address = labelled.address
        position = labelled.position
        distantPart = labelled.distantPart
        plainHash = AddressHash(labelled.address)
        hash = plainHash
        if let known = codes[address.country] {
            countryCode = known
        } else {
            countryCode = Country(address.country)?.code
            codes[address.country] = countryCode
        }
    }

    init(_ labelled: LabelledAddress) {
        var codes: [String: String?] = [:]
        self.init(labelled, codes: &codes)
    }
}
