import Access
import Contacts
import Formats
import Geocoding
import HTTP
import JSON
import Postgres
import Processes
import Questions
import Queue
import Shapes
import Sinks

/// Files of contacts that are geocoded without storing the contacts.
extension APIServer {
    @ListBuilder<APIRoute> var fileRoutes: [APIRoute] {
        APIRoute(.post, "/v1/geocode/file", .write, is: .unremembered) { (request, sent: SentSettings<FileQuery>) in
            try await filePlaces.with {
                let (request, query) = try await sent.opened(request)
                return try await geocode(request, query)
            }
        }
        .described(
            "postGeocodeFile", "Adds places to a file: CSV, TSV, XLSX, ODS or vCard",
            details: "No contact is stored. At most 32 MiB and 100,000 contacts.", body: .file,
            .file("The file with columns added."),
            .ok("It takes longer: the run.", FileRunView.schema, status: 202, headers: ["Location", "Retry-After"]),
            refuses: [409, 422])
        APIRoute(.post, "/v1/plan/file", .write, is: .unremembered) { (request, sent: SentSettings<FileSettings>) in
            try await filePlaces.with {
                let (request, settings) = try await sent.opened(request)
                return try await plan(request, settings)
            }
        }
        .described(
            "postPlanFile", "Shows how a file is read, and plans its geocoding",
            details: "Nothing is asked and nothing is stored.",
            body: .file, .ok("The columns and the plan."), refuses: [422])
        route(.get, "/v1/geocode/files", .write, .look) { request, db in
            Reply(FileRunList(runs: try FileRunStore().runs(of: request.account, on: db)))
        }
        .described("getGeocodeFiles", "Lists the account's files, the latest first", .ok("The files."))
        route(.get, "/v1/geocode/files/{id}", .write, .look) { request, db in
            Reply(try Self.standing(of: request.id(), account: request.account, on: db))
        }
        .described("getGeocodeFile", "Shows the progress of a file", .ok("The run."))
        APIRoute(.get, "/v1/geocode/files/{id}/result", .write) { (request, query: FileResultQuery) in
            try await filePlaces.with { try await result(request, query, asRows: false) }
        }
        .described(
            "getGeocodeFileResult", "Gives the file back, with columns added", .file("The file."),
            refuses: [409, 422])
        APIRoute(.get, "/v1/geocode/files/{id}/rows", .write) { (request, query: FileResultQuery) in
            try await filePlaces.with { try await result(request, query, asRows: true) }
        }
        .described(
            "getGeocodeFileRows", "Shows the rows with columns added; the first has the names of the columns",
            .ok("The rows.", .list(.list(.anything)).with(example: [["name", "latitude"], ["Ada", 39.5]])),
            refuses: [409, 422])
        APIRoute(.get, "/v1/geocode/files/{id}/events", .write) { request in
            let (id, account) = (try request.id(), request.account)
            _ = try await backend.database(of: account).run {
                try FileRunStore().run(id, account: account, on: $0).orThrow(.notFound)
            }
            return try events(of: fileRuns, for: request, about: "\(id)")
        }
        .described(
            "getGeocodeFileEvents", "Tells each change of a file's progress, at most one a second",
            .events(
                "Server-sent events called `progress`, whose data is a FileRun.",
                "event: progress\ndata: {\"id\":1,\"state\":\"running\"}\n\n"))
        route(.delete, "/v1/geocode/files/{id}", .write, .write) { request, db in
            guard try FileRunStore().delete(request.id(), account: request.account, on: db) else {
                throw RequestError.notFound
            }
            return .nothing
        }
        .described("deleteGeocodeFile", "Deletes a file; its questions are answered all the same", .nothing("Deleted."))
    }

    /// Asks all addresses, waits for a moment, and gives the file back or makes a run of it.
    ///
    /// The run is stored last. If this process is killed before, the client got no run, and the questions so far are
    /// known when it sends the file again.
    private func geocode(_ request: APIRequest, _ query: FileQuery) async throws -> ServerResponse {
        let file = try await SentFile(bodyOf: request, query.settings)
        let (settings, contents, account) = (query.settings, file.contents, request.account)
        let database = backend.database(of: account).withoutLimit
        try await ask(contents.questions, for: account, in: database)
        guard !query.isRun, try await areAnswered(contents.questions.map(\.hash), within: query.wait, in: database)
        else {
            return try await begin(file, query, request, in: database)
        }
        let bytes = try await file.using(settings.name) {
            try await contents.file(of: file.source, adding: settings.added, account: account, on: database)
        }
        return Self.response(bytes, settings, file.source.format)
    }

    private static func response(_ bytes: [UInt8], _ settings: FileSettings, _ format: SourceFormat) -> ServerResponse {
        var response = ServerResponse(
            status: 200, headers: ["Content-Type": "application/octet-stream"], body: .bytes(bytes))
        response.headers.nameAttachment(settings.name.isEmpty ? format.usualName : settings.name)
        return response
    }

    /// Asks in pieces, so that no transaction is long.
    func ask(_ questions: [NewQuestion], for account: Int, in database: AccountDatabase) async throws {
        let size = 2_000
        for start in stride(from: 0, to: questions.count, by: size) {
            let piece = Array(questions[start..<min(questions.count, start + size)])
            try await database.transaction { db in
                let chain = try ContactStore().chain(of: account, on: db)
                if questions.count <= Self.fewQuestions {
                    _ = try QuestionQueue().askAll(piece, along: chain, on: db)
                } else {
                    _ = try QuestionQueue().ask(piece, along: chain, on: db)
                }
            }
        }
    }

    /// A file with at most this many questions goes ahead of background work.
    static let fewQuestions = 100

    func areAnswered(
        _ hashes: [AddressHash], within wait: Duration, in database: AccountDatabase
    ) async throws -> Bool {
        let (end, clock) = (ContinuousClock.now + wait, ContinuousClock())
        while true {
            let began = clock.now
            guard try await database.run({ try FileRunStore().isWaiting(among: hashes, on: $0) }) else { return true }
            let left = end - clock.now
            guard left > .zero else { return false }
            try await clock.sleep(for: min(left, max(.milliseconds(50), (clock.now - began) * 9)))
        }
    }

    private func begin(
        _ file: SentFile, _ query: FileQuery, _ request: APIRequest, in database: AccountDatabase
    ) async throws -> ServerResponse {
        let (settings, account) = (query.settings, request.account)
        let words = FileSettings.words(of: request.http.query)
        let digest = Digest.sha256(words.flatMap { Array($0.utf8) + [0] } + file.bytes)
        let notice = try query.notify.map { url in
            let secret = WebhookSecret.newSecret()
            guard let sealed = try backend.seal(secret, FileRun.sealingContext(digest, of: account)) else {
                throw RequestError.noSealingKey
            }
            return (url: url, secret: secret, sealed: sealed)
        }
        let name = settings.name.isEmpty ? file.source.format.usualName : settings.name
        let standing = try await database.transaction { db -> FileRunView in
            let run = try FileRunStore().add(
                file.contents, file: file.bytes, digest: digest, named: name, settings: words, account: account, on: db)
            guard let run else {
                throw RequestError.conflict(
                    "the account has \(FileRunStore.mostRuns) files here; delete one with DELETE /v1/geocode/files/ID")
            }
            if let notice {
                try FileRunStore().setNotice(notice.url, sealed: notice.sealed, of: run.id, account: account, on: db)
            }
            var standing = try Self.standing(of: run.id, account: account, on: db)
            standing.notifySecret = notice?.secret
            return standing
        }
        var response = Reply(standing, status: 202).response
        response.headers["Location"] = "/v1/geocode/files/\(standing.run.id)"
        response.headers["Retry-After"] = "5"
        return response
    }

    /// The file of a run, or its rows. The run must be done unless a part is wanted.
    private func result(
        _ request: APIRequest, _ query: FileResultQuery, asRows isRows: Bool
    ) async throws -> ServerResponse {
        let (id, account) = (try request.id(), request.account)
        let database = backend.database(of: account).withoutLimit
        let (standing, bytes) = try await database.run { db in
            let standing = try Self.standing(of: id, account: account, on: db)
            guard standing.isDone || query.isPartial else {
                throw RequestError.conflict(
                    "\(standing.progress.waiting) addresses still wait; ask again later, or with ?partial=true")
            }
            return (standing, try FileRunStore().file(of: id, account: account, on: db).orThrow(.notFound))
        }
        let settings = FileSettings(stored: standing.run.settings)
        let file = try await SentFile(bytes, settings)
        let result = try await file.using(settings.name) {
            isRows
                ? try await file.contents.rows(of: file.source, account: account, on: database)
                : try await file.contents.file(
                    of: file.source, adding: settings.added, account: account, on: database)
        }
        guard isRows else { return Self.response(result, settings, file.source.format) }
        return ServerResponse(status: 200, headers: ["Content-Type": "application/json"], body: .bytes(result))
    }

    private func plan(_ request: APIRequest, _ settings: FileSettings) async throws -> Reply<FilePlan> {
        let file = try await SentFile(bodyOf: request, settings)
        let columns = try await file.using(settings.name) { try ColumnReading(of: file.source) }
        let contents = try await file.using(settings.name) { () -> DryRun.Outcome in
            var contacts = KnownContacts(file.contents)
            return try await dryRun(of: &contacts, for: request.caller)
        }
        return Reply(
            FilePlan(
                format: file.source.format, columns: columns, contents: contents, refused: file.contents.refused,
                plan: try await planned(contents, Wishes(), for: request.caller)))
    }

    /// The state of a run.
    private static func standing(of id: Int, account: Int, on database: isolated Connection) throws -> FileRunView {
        let run = try FileRunStore().run(id, account: account, on: database).orThrow(.notFound)
        let progress = try FileRunStore().progress(of: run, on: database)
        let lanes = progress.waiting > 0 ? try ContactStore().lanes(awaitedBy: account, on: database) : []
        return FileRunView(run: run, progress: progress, waits: lanes.map(WaitReason.init))
    }

    static func fileRunEvent(of caller: Caller, _ id: String, in backend: Backend) async throws -> [UInt8] {
        let run = try await backend.database(of: caller.account).run { db in
            try standing(of: Int(digits: id) ?? 0, account: caller.account, on: db)
        }
        return event("progress", run)
    }
}

extension Schema {
    fileprivate static let file = text.with("format", "binary").with(example: "name,city,country\nAda,Reno,US\n")
}

extension Body {
    fileprivate static let file = Body(contents: [
        ("application/octet-stream", .file),
        (
            "multipart/form-data",
            .object(allowsOthers: true) { Field("data", .file, "The file. Other fields are settings.") }
        ),
    ])
}

extension Success {
    fileprivate static func file(_ summary: String) -> Success {
        .ok(summary, .file, type: "application/octet-stream", headers: ["Content-Disposition"])
    }
}
