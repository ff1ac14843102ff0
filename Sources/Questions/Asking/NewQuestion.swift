package import Geocoding
import Postgres

/// An address that was asked.
package struct NewQuestion: Sendable {
    package let hash: AddressHash
    /// The key under which the answer to another spelling is found.
    package let looseKey: LooseKey
    package let address: Address

    package init(_ address: Address, hash: AddressHash, looseKey: LooseKey) {
        self.hash = hash
        self.looseKey = looseKey
        self.address = address
    }

    package init(_ address: Address) {
        self.init(address, hash: AddressHash(address), looseKey: LooseKey(address))
    }
}

/// A row with the same loose key: an answer that may be shared, or a question that waits for one.
struct KnownSpelling {
    let id: Int
    /// Nil while it waits.
    let answer: Place?

    init(_ row: Row) throws {
        id = try row.read("id")
        answer = try Place(row)
    }
}

extension Place {
    /// True if other spellings of the address may share this answer.
    func isShareable(by question: Question) -> Bool {
        guard case .address(let address) = question.subject, question.chain.sharesHouses else { return false }
        // A weak answer coarser than a street is shared only if the question has no street.
        return precision <= .street || !isWeak || address.street.isEmpty
    }

    /// Returns how good the answer to another spelling is for `address`; nil if it is not good enough.
    ///
    /// It must be good enough for either text by itself, and hardly worse for this one. So addresses that differ in a
    /// number or a town are told apart here, if their loose keys are the same. A place coarser than a street answers
    /// only a question without a street.
    func confidence(for address: Address, along chain: Chain) -> Double? {
        guard confidence >= chain.located else { return nil }
        guard precision <= .street || AddressParts(address).street.isEmpty else { return nil }
        let own = Confidence(of: Candidate(placemark, precision), for: address.respelled(as: placemark)).value
        return own >= chain.located && own >= confidence * 0.8 ? min(own, confidence) : nil
    }
}
