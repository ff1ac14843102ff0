package import Geocoding
import Postgres

/// An address that was asked.
package struct Question: Sendable {
    package let hash: AddressHash
    /// Under which the answer to another spelling is found.
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

/// What is known under a loose key: an answer that may be shared, or a question that waits for one.
struct KnownSpelling {
    let id: Int
    /// Nil while it waits.
    let answer: GradedCandidate?

    init(_ row: Row) throws {
        id = try row.read("id")
        answer = try GradedCandidate(row)
    }
}

extension GradedCandidate {
    /// Whether other spellings of the address may share this answer.
    func isShareable(by inquiry: Inquiry) -> Bool {
        guard case .address(let address) = inquiry.subject, inquiry.chain.sharesHouses else { return false }
        // A street was asked for where an answer is weak, unless there is none.
        return precision <= .street || !isWeak || address.street.isEmpty
    }

    /// How good the answer to another spelling is for `address`; nil where it is none.
    ///
    /// It must be good enough for either text by itself, and hardly worse for this one: who differs from the first in a
    /// number or a town is told apart here, should their loose keys be the same. A place that is coarser than a street
    /// answers those who ask for no more than a town.
    func confidence(for address: Address, along chain: Chain) -> Double? {
        guard confidence >= chain.located else { return nil }
        guard precision <= .street || AddressParts(address).street.isEmpty else { return nil }
        let own = Confidence(of: Candidate(placemark, precision), for: address.respelled(as: placemark)).value
        return own >= chain.located && own >= confidence * 0.8 ? min(own, confidence) : nil
    }
}
