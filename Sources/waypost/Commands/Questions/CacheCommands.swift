import Geocoding
import Postgres
import Questions
import Shapes
import Terminal
import Wording

struct CacheStatsCommand: Command {
    static let name = "stats"
    static let summary = "Show the stored answers of each provider."
    static let discussion = """
        SHARED answers were given to another spelling or another unit of the house. PINNED are what a \
        person decided. EXPIRING answers will be asked again, or deleted, when their time is over.
        """

    let look = WatchOptions()

    func run() async throws {
        try await look.show(
            in: .folder, { app, db in try app.geocodes.cacheStats(on: db) }, as: { $0 }
        ) {
            stats, screen in
            if stats.isEmpty { return screen.writeLine("No answer is stored.") }
            var table = Table(
                .left("PROVIDER"), .left("STATUS"), .right("ANSWERS"), .right("SHARED"), .right("PINNED"),
                .right("EXPIRING"), .left("OLDEST"))
            for row in stats {
                table.add(
                    row.provider.isEmpty ? "-" : row.provider, row.status.words, Readable.count(row.answers),
                    Readable.count(row.shared), Readable.count(row.pinned), Readable.count(row.expiring),
                    row.oldest.map(Readable.duration) ?? "-")
            }
            table.write(to: screen)
        }
    }
}

struct CacheExpireCommand: ChangingCommand {
    static let name = "expire"
    static let summary = "Expire answers now, so that they are asked again."
    static let discussion = """
        What a person decided stays. Give a filter:

          waypost cache expire --provider nominatim --status not_found --older 30d
        """

    let choice = AnswerChoice()

    func run() async throws {
        let selection = try choice.filter()
        let app = try await Application.forCommand(.folder)
        let count = try await app.database.run { [app] in try app.questions.countExpirable(selection, on: $0) }
        if count == 0 { return Screen.output.writeLine("No answer matches.") }
        try confirm("Expire \(Words.count(count, "answer"))?", isSure: choice.yes)
        let expired = try await app.database.transaction { [app] in
            try app.questions.expire(selection, by: .current, on: $0)
        }
        await app.close()
        Screen.output.writeLine("\(Words.count(expired, "answer")) expired.")
    }
}

struct CachePurgeCommand: ChangingCommand {
    static let name = "purge"
    static let summary = "Delete answers that no address uses any more."
    static let discussion = """
        What a person decided stays. Give a filter:

          waypost cache purge --older 365d
        """

    let choice = AnswerChoice()

    func run() async throws {
        let selection = try choice.filter()
        let app = try await Application.forCommand(.folder)
        let count = try await app.database.run { [app] in try app.questions.countPurgeable(selection, on: $0) }
        if count == 0 { return Screen.output.writeLine("No unused answer matches.") }
        try confirm("Delete \(Words.count(count, "unused answer"))?", isSure: choice.yes)
        let purged = try await app.questions.purge(selection, by: .current, on: app.database)
        await app.close()
        Screen.output.writeLine("Deleted \(Words.count(purged, "answer")).")
    }
}

extension GeocodeStatus: OptionValue {}

/// The choice of answers by a filter, or of all.
struct AnswerChoice: ParameterGroup {
    @Option("--provider", "PROVIDER", "Only answers of this provider.") var provider: String?
    @Option("--status", "STATUS", "Only answers with this status.") var status: GeocodeStatus?
    @Option("--older", "Only answers at least so old.", in: Duration.milliseconds(1)...) var older: Duration?
    @Flag("--all", "All answers.") var all
    @Flag("--yes", "Don't ask for confirmation.") var yes

    func filter() throws(UsageError) -> AnswerFilter {
        let isFiltered = provider != nil || status != nil || older != nil
        if isFiltered, all { throw UsageError("a filter (--provider, --status, --older) and --all exclude each other") }
        if !isFiltered, !all { throw UsageError("give --provider, --status, --older or --all") }
        if status == .waiting { throw UsageError("--status waiting has no answers; give another") }
        return AnswerFilter(provider: provider, status: status, age: older)
    }
}
