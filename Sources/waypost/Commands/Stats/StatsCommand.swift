import Contacts
import Questions
import Queue
import Shapes
import Terminal

struct StatsCommand: Command {
    static let name = "stats"
    static let summary = "Show addresses, lanes, throughput, backlog and workers of the cluster."
    static let discussion = """
        A call counts at the moment at which it left, also while it is under way. USED is the share of the permitted calls that \
        the last 60 seconds used; a burst after a rest can bring it above 100%.

          waypost stats --watch
          waypost stats --history 1d
        """

    /// Distinct addresses are counted only if there are at most this many addresses.
    private static let mostToCount = 200_000

    let look = WatchOptions()
    @Option("--history", "Show the calls of this time instead, step by step.") var history: HistorySpan?

    func run() async throws {
        if let history {
            return try await look.show(
                { app, db in try app.queue.history(history, on: db) }, as: { $0 }
            ) {
                $0.write(to: $1)
            }
        }
        try await look.show(
            { [isWatched = look.watch] app, db in
                let (lanes, throughput) = try app.queue.overview(on: db)
                let addresses = try app.contacts.talliedProgress(on: db)
                return Stats(
                    contacts: try app.contacts.counts(on: db), addresses: addresses,
                    // Counting distinct addresses reads each of them: a minute for five million.
                    geocodes: isWatched || addresses.total > Self.mostToCount
                        ? nil : try app.geocodes.counts(ofAddresses: true, on: db),
                    overview: Overview(
                        lanes, throughput, workers: try app.registry.workers(on: db), answered: addresses.answered))
            }, as: { $0 }
        ) { $0.write(to: $1) }
    }
}

extension HistorySpan: OptionValue {
    static var placeholder: String { "TIME" }
}
