package import Formats
package import Geocoding
import Postgres
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
        package let forecast: Forecast
    }

    /// Uses the chain of `account`, which need not exist yet. `terms` are those of the lanes' providers.
    package init(account: String, terms: [String: ProviderTerms] = [:]) {
        self.account = account
        self.terms = terms
    }

    /// Reads all of `reader`. After each batch `progress` receives how much of the source was read.
    package func run(
        over reader: inout some ContactSource, on database: some ImportDatabase, progress: (Int) -> Void = { _ in }
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
            refused: tally.refused, load: tally.load, forecast: Forecast(tally.load, lanes: lanes, terms: terms))
    }
}
