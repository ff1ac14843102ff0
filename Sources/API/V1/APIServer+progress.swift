import Access
import Contacts
import Formats
import Geocoding
import HTTP
import Queue
import Shapes

extension APIServer {
    @ListBuilder<APIRoute> var progressRoutes: [APIRoute] {
        APIRoute(.get, "/v1/progress", .read) { (request, query: ProgressQuery) in
            Reply(
                try await Self.progress(
                    of: request.caller, feed: query.feed, request.position, in: backend, questions))
        }
        .described("getProgress", "Counts addresses by their status", .ok("The progress."))
        APIRoute(.get, "/v1/progress/events", .read) { (request, query: ProgressQuery) in
            try events(of: broadcast, for: request, about: query.feed)
        }
        .described(
            "getProgressEvents", "Tells each change of the progress, at most one a second",
            .events(
                "Server-sent events called `progress`, whose data is a Progress.",
                "id: 1\nevent: progress\ndata: {\"addresses\":3,\"questions\":1}\n\n"))
    }

    static func progressEvent(
        of caller: Caller, feed: String?, in backend: Backend, _ questions: QuestionCounts
    ) async throws -> [UInt8] {
        event("progress", try await progress(of: caller, feed: feed, nil, in: backend, questions))
    }

    private static func progress(
        of caller: Caller, feed: String?, _ position: Int?, in backend: Backend, _ questions: QuestionCounts
    ) async throws -> ProgressStanding {
        let account = caller.account
        let (progress, tally, waits) = try await backend.read(of: account, after: position) { database in
            let contacts = ContactStore()
            var (progress, tally) = try contacts.talliedProgress(account: account, on: database)
            if let feed {
                progress = try contacts.progress(
                    account: caller.accountName, feed: feed, countingQuestions: false, on: database)
            }
            let lanes = progress.waiting > 0 ? try contacts.lanes(awaitedBy: account, on: database) : []
            return (progress, tally, lanes.map(WaitReason.init))
        }
        guard feed == nil else { return ProgressStanding(progress: progress, questions: nil, waits: waits) }
        // The client doesn't wait for a count of this many addresses.
        let inBackground = tally.count > QuestionCounts.mostAwaited
        let count = try await questions.count(of: account, at: tally) {
            try await backend.read(of: account, after: position, inBackground: inBackground) {
                try ContactStore().countQuestions(account: account, on: $0)
            }
        }
        return ProgressStanding(progress: progress, questions: count, waits: waits)
    }
}

struct ProgressQuery: QueryInput {
    let feed: String?

    init(_ query: inout RequestReader) {
        feed = query.text(
            "feed", within: .feed, "Only the addresses that this feed brought last. Then `questions` is null.",
            example: "crm")
    }
}

/// The progress of geocoding, and the reasons why the other addresses wait.
struct ProgressStanding: Shaped {
    let progress: AddressProgress
    let questions: Int?
    let waits: [WaitReason]

    var isDone: Bool { progress.waiting == 0 }

    /// The time of the slowest lane; nil if one of them has no estimate.
    var doneIn: Double? {
        let times = waits.compactMap(\.seconds)
        return times.count == waits.count ? (times.max() ?? 0).rounded(.up) : nil
    }

    static let shape = Shape<ProgressStanding>("Progress", "The progress of an account's addresses.") {
        Member("addresses", example: 3) { $0.progress.total }
        Member(
            "questions",
            "Distinct addresses: the most that were asked. Null while more than a million are counted first.",
            example: 1
        ) { $0.questions }
        Member("by_status") { standing in
            let counts = GeocodeStatus.allCases.map { ($0, standing.progress.byStatus[$0, default: 0]) }
            return ByCase(Dictionary(counts) { first, _ in first })
        }
        Member("by_precision") { ByCase($0.progress.byPrecision) }
        Member("weak", "Located addresses whose place is coarser, such as the town of a house.", example: 0) {
            $0.progress.weak
        }
        Member(
            "provisional", "Located addresses for which a provider did not look. They are asked again later.",
            example: 0
        ) { $0.progress.provisional }
        Member("done", "True if no address waits.", example: true) { $0.isDone }
        Member(
            "done_in_seconds", "When the slowest lane that is waited for has done its work; null if that is unknown.",
            example: 0
        ) { $0.doneIn }.bounds(0)
        Member("waits_for", "The lanes that have work, while an address waits.", example: []) { $0.waits }
    }
}
