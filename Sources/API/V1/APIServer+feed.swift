import Access
import Contacts
import Formats
import HTTP
import Shapes

extension APIServer {
    /// `PUT /v1/friends`: a stream of contacts, one on each line.
    ///
    /// Sending the same stream again changes nothing, so it needs no `Idempotency-Key`.
    func importFeed(_ request: APIRequest, _ query: ImportQuery) async throws -> Reply<SourceImport.Outcome> {
        guard request.http.isOfLines else {
            throw RequestError(status: 415, detail: "The body must be sent as application/x-ndjson.", monicaCode: 37)
        }
        do {
            return Reply(
                try await importFeed(
                    request.body, query, into: backend.database(of: request.caller.account).withoutLimit))
        } catch let error as ContactError where error.cause == .takenOver {
            throw RequestError(
                status: 409, detail: "Another import of this feed has begun since, and replaces this one.",
                monicaCode: 41, reason: .importReplaced)
        }
    }

    /// Stores the contacts as they arrive. If the body breaks off, the import ends there and no friend is removed.
    private func importFeed(
        _ body: RequestBody, _ query: ImportQuery, into database: AccountDatabase
    ) async throws -> SourceImport.Outcome {
        let rules = ImportRules(feed: query.feed, isComplete: query.isComplete, mayBeEmpty: query.mayBeEmpty)
        let run = ImportRun(rules, database: database, account: database.account)
        var contacts = BodyContacts(body)
        var refusals = try Refusals.Log(of: contacts.name)
        let summary = try await run.run(&contacts) { try refusals.add($0) }
        return SourceImport.Outcome(summary: summary, refusals: try refusals.finish())
    }
}

struct ImportQuery: QueryInput {
    let feed: String, isComplete: Bool, mayBeEmpty: Bool

    init(_ query: inout RequestReader) {
        feed = query.requiredText("feed", within: .feed, "The source that is read again and again.", example: "crm")
        isComplete =
            query.flag(
                "complete", "Soft-delete friends of the feed that are not in the stream.", usual: false, example: true)
            ?? false
        mayBeEmpty =
            query.flag(
                "allow_empty",
                "With `complete=true`: a stream without any contact removes all friends of the feed. Without it, no friend is removed then.",
                usual: false, example: false) ?? false
        if mayBeEmpty, !isComplete { query.mistake("allow_empty", "is for complete=true") }
    }
}

/// The contacts in the body of a request, read as they arrive.
struct BodyContacts: ContactSource {
    let name = "the body"
    let totalSize: Int? = nil
    private var pieces: RequestBody.Iterator
    private var contacts = NDJSONContacts()
    private var isEnded = false

    init(_ body: RequestBody) {
        pieces = body.makeAsyncIterator()
    }

    var bytesRead: Int { contacts.bytesRead }

    mutating func next() async throws -> ContactEntry? {
        while true {
            if let entry = contacts.next() { return entry }
            guard !isEnded else { return nil }
            if let piece = try await pieces.next() {
                contacts.feed(piece)
            } else {
                contacts.end()
                isEnded = true
            }
        }
    }
}
