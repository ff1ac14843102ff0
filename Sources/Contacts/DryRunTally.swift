import Formats
import Geocoding
import Questions

/// Counts the contents of a source, each address once.
struct DryRunTally {
    private(set) var contacts = 0
    private(set) var addresses = 0
    private(set) var refused = 0
    private(set) var new = 0
    private(set) var load: ChainLoad

    /// The first eight bytes of each hash, which take some 16 bytes of memory with the free space of a set. The chance
    /// that two of 1,000,000 addresses have equal first bytes is 1 in 37,000,000, and then a forecast is one call
    /// short.
    private var seen: Set<UInt64> = []

    init(chain: Chain) {
        load = ChainLoad(along: chain)
    }

    var distinct: Int { seen.count }

    /// Reads until there are `limit` addresses that were not read before, or no more. Addresses with a position of
    /// their own need no answer and are only counted.
    mutating func read(
        _ reader: inout some ContactSource, upTo limit: Int
    ) async throws -> [(hash: AddressHash, address: Address)] {
        var questions: [(hash: AddressHash, address: Address)] = []
        while questions.count < limit, let entry = try await reader.next() {
            switch entry {
            case .contact(_, let friend):
                contacts += 1
                addresses += friend.addresses.count
                for labelled in friend.addresses {
                    let hash = AddressHash(labelled.address)
                    let isNew = seen.insert(hash.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }).inserted
                    if isNew, labelled.position == nil { questions.append((hash, labelled.address)) }
                }
            case .refused, .noted: refused += 1
            }
        }
        return questions
    }

    mutating func add(new address: Address) {
        new += 1
        load.add(address)
    }
}
