import Contacts
import Geocoding
import HTTP
import JSON

extension APIServer {
    /// `GET /v1/progress`
    func progress(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let (progress, questions) = try await Self.progress(of: request.caller, in: backend, questions)
        return .json { $0.progress(progress, questions: questions) }
    }

    /// `GET /v1/progress/events`: https://html.spec.whatwg.org/multipage/server-sent-events.html
    func progressEvents(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        return events(of: broadcast, for: request)
    }

    static func progressEvent(
        of caller: Caller, in backend: Backend, _ questions: QuestionCounts
    ) async throws -> [UInt8] {
        let (progress, questions) = try await progress(of: caller, in: backend, questions)
        return Array("event: progress\ndata: ".utf8) + JSONWriter.bytes { $0.progress(progress, questions: questions) }
            + Array("\n\n".utf8)
    }

    private static func progress(
        of caller: Caller, in backend: Backend, _ questions: QuestionCounts
    ) async throws -> (AddressProgress, questions: Int?) {
        let (account, database) = (caller.account, backend.database(of: caller.account))
        let (progress, tally) = try await database.run { database in
            try ContactStore().talliedProgress(account: account, on: database)
        }
        // What nobody waits for may take its time.
        let counting = tally.count > QuestionCounts.mostAwaited ? database.withoutLimit : database
        let count = try await questions.count(of: account, at: tally) {
            try await counting.run { try ContactStore().countQuestions(account: account, on: $0) }
        }
        return (progress, count)
    }
}

extension JSONWriter {
    fileprivate mutating func progress(_ progress: AddressProgress, questions: Int?) {
        object { json in
            json.member("addresses", progress.total)
            json.member("questions", questions)
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
        }
    }
}
