import Geocoding
import Postgres
import Processes
import Questions
import Shapes
import Terminal

enum CacheVerbs {
    static let group = Node.group("cache", "See stored answers, expire or delete some.", [stats, expire, purge])

    private static let stats = Node.list(
        "stats", NoInput.self, "Show the stored answers of each provider.",
        """
        SHARED answers were given to another spelling or another unit of the house. PINNED are what a \
        person decided. EXPIRING answers will be asked again, or deleted, when their time is over.
        """, in: .folder, look: { _, app, db in try app.geocodes.cacheStats(on: db) }, as: { $0 },
        empty: "No answer is stored.",
        [
            .left("PROVIDER") { $0.provider.isEmpty ? "-" : $0.provider }, .left("STATUS") { $0.status.words },
            .right("ANSWERS") { Readable.count($0.answers) }, .right("SHARED") { Readable.count($0.shared) },
            .right("PINNED") { Readable.count($0.pinned) }, .right("EXPIRING") { Readable.count($0.expiring) },
            .left("OLDEST") { $0.oldest.map(Readable.duration) ?? "-" },
        ])

    private static let expire = Node.confirmed(
        "expire", AnswerChoice.self, "Expire answers now, so that they are asked again.",
        """
        What a person decided stays. Give a filter:

          waypost cache expire --provider nominatim --status not_found --older 30d
        """, in: .folder,
        find: { input, app, db in
            let count = try app.questions.countExpirable(input.filter, on: db)
            if count == 0 { throw NothingToDo(sentence: "No answer matches.") }
            return count
        }, question: { count, _ in "Expire \(Words.count(count, "answer"))?" }
    ) { _, input, app in
        let expired = try await app.database.transaction { [filter = input.filter] in
            try app.questions.expire(filter, by: .current, on: $0)
        }
        return "\(Words.count(expired, "answer")) expired."
    }

    private static let purge = Node.confirmed(
        "purge", AnswerChoice.self, "Delete answers that no address uses any more.",
        """
        What a person decided stays. Give a filter:

          waypost cache purge --older 365d
        """, in: .folder,
        find: { input, app, db in
            let count = try app.questions.countPurgeable(input.filter, on: db)
            if count == 0 { throw NothingToDo(sentence: "No unused answer matches.") }
            return count
        }, question: { count, _ in "Delete \(Words.count(count, "unused answer"))?" }
    ) { _, input, app in
        let purged = try await app.questions.purge(input.filter, by: .current, on: app.database)
        return "Deleted \(Words.count(purged, "answer"))."
    }
}

extension GeocodeStatus: OptionValue {}

/// The choice of answers by a filter, or of all.
private struct AnswerChoice: ConfirmedInput {
    @Option("--provider", "PROVIDER", "Only answers of this provider.") var provider: String?
    @Option("--status", "STATUS", "Only answers with this status.") var status: GeocodeStatus?
    @Option("--older", "Only answers at least so old.", in: Duration.milliseconds(1)...) var older: Duration?
    @Flag("--all", "All answers.") var all
    @Flag("--yes", "Don't ask for confirmation.") var yes

    func check() throws {
        let isFiltered = provider != nil || status != nil || older != nil
        if isFiltered, all { throw UsageError("a filter (--provider, --status, --older) and --all exclude each other") }
        if !isFiltered, !all { throw UsageError("give --provider, --status, --older or --all") }
        if status == .waiting { throw UsageError("--status waiting has no answers; give another") }
    }

    var filter: AnswerFilter { AnswerFilter(provider: provider, status: status, age: older) }
}
