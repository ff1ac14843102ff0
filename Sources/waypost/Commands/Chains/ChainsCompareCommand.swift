import Geocoding
import Terminal

struct ChainsCompareCommand: ChangingCommand {
    static let name = "compare"
    static let summary = "Ask the addresses of a file along two chains, and show who found what."
    static let discussion = """
        It says first what the calls cost, and asks for confirmation. The calls go through the queue and its limits as all \
        do, but the questions stand apart: answers that are kept are neither used nor changed, and nothing is imported. \
        Interrupted, it resumes where it was when it is started again; at its end the answers are dropped.

          waypost chains compare contacts.csv --with default,strict -o both.csv

        The terminal shows rates, and the places farthest apart by the line of the file. The output has all addresses, \
        by line too. BETTER is what a review would put first.
        """

    @Argument("FILE", "The file of contacts.", completion: .files) var file: String
    @Option("--with", "CHAIN,CHAIN", "The two chains.") var with: String
    @Option("-o", "--output", "FILE", "Write a row for each address, as CSV.", completion: .files) var output: String?
    @Flag("-n", "--dry-run", "Only print what it would cost.") var isDryRun
    let reading = SourceOptions()
    @Option("--workers", "N", "Worker processes of a private cluster.", in: 1...64) var workers = 2
    @Flag("--yes", "Don't ask for confirmation.") var yes
    @Flag("--json", "Print JSON.") var json

    /// The questions are stored until they are answered.
    var changes: Bool { !isDryRun }

    func run() async throws {
        let chains = with.split(separator: ",").map(String.init)
        guard chains.count == 2, chains[0] != chains[1] else {
            throw UsageError("--with takes two chains, such as --with default,strict")
        }
        if reading.report != nil { throw UsageError("--report is for an import") }
        if isDryRun, output != nil { throw UsageError("--dry-run writes nothing; leave --output out") }
        if isDryRun, json { throw UsageError("--dry-run has no JSON; leave --json out") }
        if output == "-", json { throw UsageError("--json and -o - both write to standard output") }
        let work = CompareWork(
            source: try reading.source(file), chains: chains, output: output, isSure: yes, isDry: isDryRun,
            screen: isDryRun ? .output : .errors)
        if let output, work.source.isSame(as: output) { throw UsageError("\(output) is the source itself") }
        let comparison =
            isDryRun
            ? try await Application.withDatabase { try await work.run(in: $0) }
            : try await Application.withCluster(workers: workers) { try await work.run(in: $0) }
        guard let comparison else { return }
        if json { return try Screen.output.writeJSON(ComparisonJSON(comparison)) }
        comparison.write(to: output == "-" ? .errors : .output)
    }
}

/// The form of `chains compare --json`.
private struct ComparisonJSON: Encodable {
    struct Chain: Encodable {
        let chain: String
        let located, weak, needsReview, notFound, failed, better: Int
    }

    struct Distance: Encodable {
        let median, nineOfTen, farthest: Double
    }

    struct Difference: Encodable {
        let line, address: Int
        let metres: Double?
        let better: String?
    }

    let addresses, distinct, equal, bothLocated: Int
    let chains: [Chain]
    let metres: Distance?
    let differences: [Difference]

    init(_ comparison: ChainComparison) {
        (addresses, distinct, equal) = (comparison.rows.count, comparison.distinct, comparison.better(nil))
        chains = comparison.chains.enumerated().map { index, name in
            Chain(
                chain: name, located: comparison.count(index, .located), weak: comparison.weak(index),
                needsReview: comparison.count(index, .needsReview), notFound: comparison.count(index, .notFound),
                failed: comparison.count(index, .failed), better: comparison.better(index))
        }
        let distances = comparison.distances
        bothLocated = distances.count
        if let median = distances.quantile(0.5), let most = distances.quantile(0.9), let farthest = distances.last {
            metres = Distance(median: median, nineOfTen: most, farthest: farthest)
        } else {
            metres = nil
        }
        differences = comparison.differences.map { row in
            Difference(
                line: row.line, address: row.position, metres: row.metres,
                better: row.better.map { comparison.chains[$0] })
        }
    }
}
