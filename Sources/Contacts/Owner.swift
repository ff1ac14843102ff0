import Geocoding
import Postgres
import Questions
import Queue

/// The settings of an account for its addresses.
struct Owner {
    let account: Int
    let chain: String
    let hasPins: Bool
}

extension ContactWriter {
    func owner(_ account: Int, on database: isolated Connection) throws -> Owner {
        let row = try database.query("SELECT chain, has_pins FROM accounts WHERE id = \(account)::integer").first
        guard let row else {
            throw ContactError("there is no account \(account) any more; the contacts were not stored")
        }
        return Owner(account: account, chain: try row.read("chain"), hasPins: try row.read("has_pins"))
    }

    /// Stores the positions of addresses as pins, and sets the hash of each address that has a pin in this account.
    ///
    /// Call it before friends are locked, in every transaction that does both.
    func pin(_ addresses: inout [HashedAddress], of owner: Owner, on database: isolated Connection) throws {
        let brought = addresses.compactMap { address in
            address.position.map {
                ContactPin(
                    hash: address.plainHash.pinned(in: owner.account), address: address.address, position: $0,
                    distantPart: address.distantPart)
            }
        }
        guard owner.hasPins || !brought.isEmpty else { return }
        if !owner.hasPins {
            try database.query(
                "UPDATE accounts SET has_pins = true WHERE id = \(owner.account)::integer AND NOT has_pins")
        }
        try geocodes.upsert(brought, of: owner.account, on: database)
        let pinned = addresses.map { $0.plainHash.pinned(in: owner.account) }
        let known = try geocodes.pins(among: pinned, on: database)
        for (index, hash) in pinned.enumerated() where known.contains(hash) { addresses[index].hash = hash }
    }

    /// Asks the addresses without a pin. Returns how many had not been asked before.
    func ask(
        _ addresses: [HashedAddress], for owner: Owner, priority: Priority = .usual, on database: isolated Connection
    ) throws -> Int {
        let open = addresses.filter { $0.hash == $0.plainHash }
        guard !open.isEmpty else { return 0 }
        return try questions.ask(open.map(\.question), along: owner.chain, priority: priority, on: database)
    }
}

/// The reason why contacts can't be stored. Contains nothing of the contacts.
package struct ContactError: Error, CustomStringConvertible {
    package let description: String
    package let cause: Cause

    /// A cause that a caller may want to handle in its own way.
    package enum Cause: Sendable {
        /// Another import of the same feed has begun since then.
        case takenOver
        /// The friend has the largest number of addresses.
        case full
        case other
    }

    init(_ description: String, cause: Cause = .other) {
        self.description = description
        self.cause = cause
    }
}
