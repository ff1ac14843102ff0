package import Formats
package import Geocoding
package import Postgres
package import Questions
import Queue

/// Reads a source and forecasts the cost of geocoding it. Writes nothing.
package struct DryRun: Sendable {
    private let account: String
    private let terms: [String: ProviderTerms]

    /// The number of addresses that are looked up at a time.
    private static let batchSize = 5_000

    /// The contents of the source, and their cost.
    package struct Outcome: Sendable {
        package var contacts = 0
        package var addresses = 0
        package var distinct = 0
        /// Distinct addresses that need no call: already answered or asked, or located by the contact.
        package var known: Int { distinct - new }
        package var new = 0
        /// Contacts, and parts of them, that an import would leave out.
        package var refused = 0
        /// The links at which the new addresses begin.
        package let load: ChainLoad
        package var forecast: Forecast
    }

    /// Uses the chain of `account`, which need not exist yet. `terms` are those of the lanes' providers.
    package init(account: String, terms: [String: ProviderTerms] = [:]) {
        self.account = account
        self.terms = terms
    }

    /// Reads all of `reader`. After each batch `progress` receives how much of the source was read.
    package func run(
        over reader: inout some ContactSource, on database: some DatabaseAccess, progress: (Int) -> Void = { _ in }
    ) async throws -> Outcome {
        let chain = try await database.run(within: nil) { [account] in
            try ContactStore().chain(ofAccount: account, on: $0)
        }
        var tally = DryRunTally(chain: chain.plan)
        var isAtEnd = false
        while !isAtEnd {
            let questions = try await tally.read(&reader, upTo: Self.batchSize)
            isAtEnd = questions.isEmpty
            let places = try await database.run(within: nil) {
                try GeocodeStore().unanswered(questions, along: chain, on: $0)
            }
            for place in places { tally.add(new: questions[place].address) }
            progress(reader.bytesRead)
        }
        let lanes = try await database.run(within: nil) { try JobQueue().lanes(on: $0).map(\.outlook) }
        return Outcome(
            contacts: tally.contacts, addresses: tally.addresses, distinct: tally.distinct, new: tally.new,
            refused: tally.refused, load: tally.load, forecast: Forecast([tally.load], lanes: lanes, terms: terms))
    }
}

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
    ) async throws -> [NewQuestion] {
        var questions: [NewQuestion] = []
        while questions.count < limit, let entry = try await reader.next() {
            switch entry {
            case .contact(_, let friend):
                contacts += 1
                addresses += friend.addresses.count
                for labelled in friend.addresses {
                    let hash = AddressHash(labelled.address)
                    let isNew = seen.insert(hash.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }).inserted
                    if isNew, labelled.position == nil { questions.append(NewQuestion(labelled.address, hash: hash)) }
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
