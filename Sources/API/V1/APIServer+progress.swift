import Access
import Contacts
import Formats
import Geocoding
import HTTP
import JSON
import Queue

extension APIServer {
    /// `GET /v1/progress`: for the account's addresses, or those of one feed.
    func progress(_ request: APIRequest) async throws -> ServerResponse {
        let feed = try request.feedToFollow()
        let standing = try await Self.progress(of: request.caller, feed: feed, in: backend, questions)
        return .json { $0.progress(standing) }
    }

    /// `GET /v1/progress/events`: https://html.spec.whatwg.org/multipage/server-sent-events.html
    func progressEvents(_ request: APIRequest) async throws -> ServerResponse {
        let feed = try request.feedToFollow()
        return try events(of: broadcast, for: request, about: feed)
    }

    static func progressEvent(
        of caller: Caller, feed: String?, in backend: Backend, _ questions: QuestionCounts
    ) async throws -> [UInt8] {
        let standing = try await progress(of: caller, feed: feed, in: backend, questions)
        return Array("event: progress\ndata: ".utf8) + JSONWriter.bytes { $0.progress(standing) } + Array("\n\n".utf8)
    }

    private static func progress(
        of caller: Caller, feed: String?, in backend: Backend, _ questions: QuestionCounts
    ) async throws -> ProgressStanding {
        let (account, database) = (caller.account, backend.database(of: caller.account))
        let (progress, tally, waits) = try await database.run { database in
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
        // The client doesn't wait for a count of this many addresses, so it has no time limit.
        let counting = tally.count > QuestionCounts.mostAwaited ? database.withoutLimit : database
        let count = try await questions.count(of: account, at: tally) {
            try await counting.run { try ContactStore().countQuestions(account: account, on: $0) }
        }
        return ProgressStanding(progress: progress, questions: count, waits: waits)
    }
}

extension APIRequest {
    fileprivate func feedToFollow() throws -> String? {
        var query = QueryReader(http)
        let feed = query.text("feed", within: .feed)
        try query.finish()
        return feed
    }
}

/// The progress of geocoding, and the reasons why the other addresses wait.
private struct ProgressStanding: Sendable {
    let progress: AddressProgress
    let questions: Int?
    let waits: [WaitReason]

    var isDone: Bool { progress.waiting == 0 }

    /// The time of the slowest lane; nil if one of them has no estimate.
    var doneIn: Double? {
        let times = waits.compactMap(\.seconds)
        return times.count == waits.count ? (times.max() ?? 0).rounded(.up) : nil
    }
}

extension JSONWriter {
    fileprivate mutating func progress(_ standing: ProgressStanding) {
        let progress = standing.progress
        object { json in
            json.member("addresses", progress.total)
            json.member("questions", standing.questions)
            json.object("by_status") { json in
                for status in GeocodeStatus.allCases {
                    json.member(status.rawValue, progress.byStatus[status, default: 0])
                }
            }
            json.object("by_precision") { json in
                for (precision, count) in progress.byPrecision.sorted(by: { $0.key < $1.key }) {
                    json.member(precision.rawValue, count)
                }
            }
            json.member("weak", progress.weak)
            json.member("done", standing.isDone)
            json.member("done_in_seconds", standing.doneIn)
            json.list("waits_for", standing.waits) { json, reason in json.object { $0.waits(reason) } }
        }
    }
}
