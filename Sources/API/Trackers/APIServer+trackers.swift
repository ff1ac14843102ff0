import Access
import Formats
import FoundationEssentials
import Geocoding
import HTTP
import JSON
import Locations
import Postgres
import Processes
import Shapes
import Tracking

/// A user's tracker and its data. Reading positions needs the scope `locate`; sending them needs `track`.
extension APIServer {
    /// `GET /v1/trackers`: pages by user, so that every page costs the same.
    func trackers(_ request: APIRequest, _ query: TrackersQuery) async throws -> Reply<Page<TrackerView, String>> {
        let account = request.caller.account
        return try await read(request) { database in
            let trackers = TrackerStore()
            let page = try Page(query.limit, next: \.user) {
                try trackers.trackers(account: account, after: query.after, limit: $0, on: database)
            }
            let users = page.items.map(\.user)
            let counted = query.counts ? try trackers.countLocations(of: users, account: account, on: database) : nil
            return Reply(page.showing(page.items.map { TrackerView($0, counted?[$0.user]) }))
        }
    }

    /// `GET /v1/trackers/{user}`
    func tracker(_ request: APIRequest) async throws -> Reply<TrackerView> {
        let (user, account) = (try request.user(), request.caller.account)
        let found = try await read(request) { database in
            try TrackerStore().tracker(of: user, account: account, on: database)
        }
        return try Reply(TrackerView(found.orThrow(.noTracker)))
    }

    /// `POST /v1/trackers/{user}/start`
    func startTracker(_ request: APIRequest, _ body: TrackerStart) async throws -> Reply<TrackerView> {
        let (user, account) = (try request.user(), request.caller.account)
        return try await write(request) { database in
            let trackers = TrackerStore()
            let wasThere = try trackers.lock(user, account: account, on: database)
            if wasThere {
                try require(request, tracker: user, on: database)
            } else {
                try request.require { nil }
            }
            do {
                let isNew = try trackers.start(
                    user, since: body.since, with: body.settings, account: account, by: request.caller.author,
                    on: database)
                // Another request created it after the check.
                if !wasThere, !isNew, !request.conditions.isEmpty { throw RequestError.preconditionFailed }
            } catch is NoSuchSink {
                throw RequestError.invalid(fields: [
                    RequestError.Mistake(field: "sink", detail: "must be the name of a sink of this account")
                ])
            }
            let state = try trackers.tracker(of: user, account: account, on: database).orThrow(.noTracker)
            return Reply(TrackerView(state)).showing(request.trackerPath)
        }
    }

    /// `POST /v1/trackers/{user}/stop`: after the response, nothing is stored and nothing is sent to the sink.
    func stopTracker(_ request: APIRequest) async throws -> Reply<TrackerView> {
        let (user, account) = (try request.user(), request.caller.account)
        let answer = try await write(request) { database in
            let trackers = TrackerStore()
            try require(request, tracker: user, on: database)
            guard try trackers.stop(user, account: account, by: request.caller.author, on: database),
                let state = try trackers.tracker(of: user, account: account, on: database)
            else { throw RequestError.noTracker }
            return Reply(TrackerView(state)).showing(request.trackerPath)
        }
        try await waitForUploads(of: user, account: account)
        return answer
    }

    /// `DELETE /v1/trackers/{user}`: erases all positions of the user.
    func eraseTracker(_ request: APIRequest) async throws -> Reply<ErasedTracker> {
        let (user, account) = (try request.user(), request.caller.account)
        // First stops the tracker, because a worker's running upload would otherwise end after the erasure. The
        // client's conditions are checked here, since stopping changes the tracker. If the tracker is already gone,
        // `write` finds by the idempotency key whether this request erased it.
        try await backend.database(of: account).transaction { database in
            guard try TrackerStore().lock(user, account: account, on: database) else { return }
            try require(request, tracker: user, on: database)
            _ = try TrackerStore().stop(user, account: account, on: database)
        }
        try await waitForUploads(of: user, account: account)
        return try await write(request) { database in
            guard
                let erased = try TrackerStore().erase(user, account: account, by: request.caller.author, on: database)
            else {
                throw RequestError.noTracker
            }
            return Reply(erased)
        }
    }

    /// Refuses a write to a tracker that does not fulfil the client's conditions.
    func require(_ request: APIRequest, tracker user: String, on database: isolated Connection) throws {
        let account = request.caller.account
        try request.require {
            guard try TrackerStore().lock(user, account: account, on: database),
                let state = try TrackerStore().tracker(of: user, account: account, on: database)
            else { throw RequestError.noTracker }
            return Reply(TrackerView(state)).response
        }
    }

    private func waitForUploads(of user: String, account: Int) async throws {
        try await TrackerStore.waitForUploads {
            try await backend.database(of: account).run { database in
                try TrackerStore().isBeingUploaded(user, account: account, on: database)
            }
        }
    }

    /// `GET /v1/trackers/{user}/events`: the last location whenever it has changed, at most once a second.
    func locationEvents(_ request: APIRequest) async throws -> ServerResponse {
        let (user, account) = (try request.user(), request.caller.account)
        let state = try await read(request) { database in
            try TrackerStore().tracker(of: user, account: account, on: database)
        }
        guard state != nil else { throw RequestError.noTracker }
        return try events(of: positions, for: request, about: user)
    }

    static func locationEvent(of user: String, _ caller: Caller, in backend: Backend) async throws -> [UInt8] {
        let account = caller.account
        let (current, place, fix) = try await backend.read(of: account) { database in
            let trackers = TrackerStore()
            let current = try trackers.newestLocation(of: user, account: account, on: database)
            return (
                current, try current.flatMap { try trackers.places(of: [$0], on: database)[0] },
                try trackers.lastFix(of: user, account: account, on: database)
            )
        }
        return event("location", current.map { LocationEvent(LocationView($0, at: place), lastFix: fix) })
    }

    /// `GET /v1/trackers/{user}/current`: the last believed fix, or `null`.
    func currentLocation(_ request: APIRequest) async throws -> Reply<Fix?> {
        let (user, account) = (try request.user(), request.caller.account)
        let (isKnown, found) = try await read(request) { database in
            let trackers = TrackerStore()
            return (
                try trackers.tracker(of: user, account: account, on: database) != nil,
                try trackers.lastFix(of: user, account: account, on: database)
            )
        }
        guard isKnown else { throw RequestError.noTracker }
        return Reply(found)
    }

    /// `GET /v1/trackers/{user}/locations`
    func locations(_ request: APIRequest, _ query: LocationsQuery) async throws -> Reply<Page<LocationView, String>> {
        let (user, account) = (try request.user(), request.caller.account)
        return try await read(request) { database in
            let trackers = TrackerStore()
            guard try trackers.tracker(of: user, account: account, on: database) != nil else {
                throw RequestError.noTracker
            }
            let page = try Page(query.limit, next: \.cursor.text) {
                try trackers.locations(
                    of: user, from: query.span.from, until: query.span.until, after: query.after,
                    uploaded: query.uploaded, limit: $0, account: account, on: database)
            }
            let places = try trackers.places(of: page.items, on: database)
            return Reply(page.showing(zip(page.items, places).map { LocationView($0, at: $1) }))
        }
    }

    /// `GET /v1/trackers/{user}/track.geojson` and `track.gpx`, read page by page from the database while they are
    /// sent.
    func track(_ request: APIRequest, _ span: SpanQuery, as format: TrackFormat) async throws -> ServerResponse {
        let (user, account) = (try request.user(), request.caller.account)
        let isKnown = try await read(request) { try TrackerStore().tracker(of: user, account: account, on: $0) != nil }
        guard isKnown else { throw RequestError.noTracker }
        return ServerResponse(
            status: 200, headers: ["Content-Type": format.contentType],
            body: .stream { writer in
                try await writer.write(Array(format.head.utf8))
                var cursor: LocationCursor?
                repeat {
                    let page = try await read(request) { [cursor] database in
                        try TrackerStore().locations(
                            of: user, from: span.from, until: span.until, after: cursor, account: account, on: database)
                    }
                    var text = ""
                    for location in page {
                        text += format.text(of: location, isFirst: cursor == nil)
                        cursor = location.cursor
                    }
                    if page.isEmpty { cursor = nil } else { try await writer.write(Array(text.utf8)) }
                } while cursor != nil
                try await writer.write(Array(format.tail.utf8))
            })
    }
}

extension APIRequest {
    /// The user in the path.
    func user() throws -> String {
        guard let user = http.parameters["user"].flatMap(TextLimit.user.fitted), !user.isEmpty else {
            throw RequestError.notFound
        }
        return user
    }

    /// The path of the tracker, even if the request's own path is longer.
    var trackerPath: String { "/v1/trackers/\((http.parameters["user"] ?? "").percentEncoded)" }
}

extension RequestError {
    static let noTracker = RequestError(
        status: 404, detail: "This user has no tracker; POST /v1/trackers/{user}/start makes one.", monicaCode: 31)
}

struct TrackersQuery: QueryInput {
    let limit: Int, after: String, counts: Bool

    init(_ query: inout RequestReader) {
        limit = query.limit(.records)
        after = query.text("after", within: .user, "`next_after` of the page before.", example: "ada") ?? ""
        counts =
            query.value(
                "add", .choice(["counts"]), "`counts` adds how many locations of each user are stored.",
                example: "counts", refusal: "is not counts"
            ) { $0.text == "counts" ? true : nil } ?? false
    }
}

struct TrackerStart: BodyInput {
    static let name = "TrackerSettings"
    static let isRequired = false
    var settings = TrackerSettings()
    let since: Double?

    init(_ body: inout RequestReader) {
        settings.radius = body.number("radius", in: 1...10_000, usual: 50, example: 60)
        settings.topSpeed = body.number("top_speed", in: 1...30_000_000, usual: 350)
        settings.longestGap = body.number(
            "longest_gap", in: 60...31_622_400,
            "Seconds. A stay does not go on after a longer time without a fix.", usual: 43_200)
        settings.keepsDoubted = body.flag("keeps_doubted", usual: true)
        since = body.moment(
            "since", "Fixes count from this moment on; by default from now.", example: "2026-11-01T00:00:00Z")
        // Otherwise the tracker would be on and accept nothing.
        if let since, since > Date().timeIntervalSince1970 + 60 { body.mistake("since", "is in the future") }
        settings.newestFirst = body.flag("newest_first", "Whether the newest location is uploaded first.")
        let sink = body.text(
            "sink", schema: .text, within: .user,
            "Where the locations are uploaded to; null: nowhere. A new tracker has the account's default sink.")
        if body.isGiven("sink") { settings.sink = sink?.orNil.map { .sink(named: $0) } ?? .nowhere }
    }
}

/// The first moment, and the moment after the last.
struct SpanQuery: QueryInput {
    let from: Double?, until: Double?

    init(_ query: inout RequestReader) {
        from = query.moment("from", "The first moment.", example: "2026-11-20T00:00:00Z")
        until = query.moment("until", "The moment after the last.", example: "2026-11-21T00:00:00Z")
    }
}

struct LocationsQuery: QueryInput {
    let span: SpanQuery, uploaded: Bool?, limit: Int, after: LocationCursor?

    init(_ query: inout RequestReader) {
        span = SpanQuery(&query)
        uploaded = query.flag("uploaded", example: false)
        limit = query.limit(.places)
        after = query.after(
            #"^[0-9]{1,18}-[^\u0000]{0,200}$"#, example: "1795169700000-FoIO8ULIQVkn1EL4OmAC", LocationCursor.init)
    }
}

extension StoredLocation {
    fileprivate var cursor: LocationCursor { LocationCursor(timestamp: timestamp, id: id) }
}

extension LocationCursor {
    /// `MILLISECONDS-ID`
    fileprivate var text: String { "\(Int(clamping: timestamp * 1_000))-\(id)" }

    fileprivate init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int(digits: String(parts[0])),
            case let timestamp = Double(milliseconds) / 1_000, Timestamp.range.contains(timestamp)
        else { return nil }
        self.init(timestamp: timestamp, id: String(parts[1]))
    }
}
