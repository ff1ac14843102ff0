package import Formats
import Geocoding

/// Friends with their hashes: all that can be worked out before a database is needed, beside one that is busy.
package struct HashedFriends: Sendable {
    /// Each source key once.
    let friends: [HashedFriend]

    /// Where a source key comes twice, the later friend counts, as if they had come one after the other.
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
    }

    /// Whether a friend is in both, so that it matters which is stored first.
    func sharesFriends(with others: HashedFriends) -> Bool {
        let keys = Set(others.friends.map { ExactText($0.friend.sourceKey) })
        return friends.contains { keys.contains(ExactText($0.friend.sourceKey)) }
    }
}

struct HashedFriend: Sendable {
    let friend: Friend
    var addresses: [HashedAddress]
}

/// An address as it is to be stored.
struct HashedAddress: Sendable {
    let label: String
    let address: Address
    let position: Coordinate?
    let countryCode: String?
    /// By which it is asked for.
    let plainHash: AddressHash
    /// Under which the answer to another spelling is found.
    let looseKey: LooseKey
    /// What is stored: the plain one, or that of the account's pin.
    var hash: AddressHash

    /// `codes` remembers the countries met so far: to recognise one takes as long as to hash the rest.
    init(_ labelled: LabelledAddress, codes: inout [String: String?]) {
        label = labelled.label
        address = labelled.address
        position = labelled.position
        plainHash = AddressHash(labelled.address)
        looseKey = LooseKey(labelled.address)
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
