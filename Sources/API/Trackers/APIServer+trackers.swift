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
    @ListBuilder<APIRoute> var trackerRoutes: [APIRoute] {
        route(.get, "/v1/trackers", .locate, .read, TrackersQuery.self) { request, query, db in
            let (trackers, account) = (TrackerStore(), request.account)
            // Pages by user, so that every page costs the same.
            let page = try Page(query.limit, next: \.user) {
                try trackers.trackers(account: account, after: query.after, limit: $0, on: db)
            }
            let users = page.items.map(\.user)
            let counted = query.counts ? try trackers.countLocations(of: users, account: account, on: db) : nil
            return Reply(page.showing(page.items.map { TrackerView($0, counted?[$0.user]) }))
        }
        .described("getTrackers", "Lists trackers", .ok("Trackers by users."))
        route(.get, "/v1/trackers/{user}", .locate, .read) { Reply(TrackerView(try tracker(of: $0, on: $1))) }
            .described("getTracker", "Shows a user's tracker", .ok("The tracker."))
        APIRoute(.delete, "/v1/trackers/{user}", .write, is: .conditional, eraseTracker)
            .described("deleteTracker", "Erases all that is known of a user's positions", .ok("What was deleted."))
        route(.post, "/v1/trackers/{user}/start", .track, is: .conditional, .write, TrackerStart.self) {
            try startTracker($0, $1, on: $2)
        }
        .described(
            "startTracker", "Turns tracking on", details: "Makes the tracker if the user has none.",
            .stored("The tracker."))
        APIRoute(.post, "/v1/trackers/{user}/stop", .track, is: .conditional, stopTracker)
            .described(
                "stopTracker", "Turns tracking off", details: "From then on nothing is stored.", .stored("The tracker.")
            )
        APIRoute(.post, "/v1/trackers/{user}/locations", .track, is: .unremembered, takeFixes)
            .described(
                "postLocations", "Takes in one fix, a list, or a stream with one in a line",
                details:
                    "The same again changes nothing. Fixes may come late and in any order. A list of locations may be sent as it was answered. A single fix that can't be kept is answered with 422; of a list or a stream the others are kept, and `refusals` names it.",
                body: .lines(
                    "{\"lat\":60.17,\"lng\":24.94,\"timestamp\":\"2026-11-20T10:15:00Z\"}\n{\"lat\":60.18,\"lng\":24.94,\"timestamp\":\"2026-11-20T10:16:00Z\"}\n",
                    or: .either(
                        .model(Models.fix), .list(Models.fix),
                        .object(allowsOthers: true) {
                            Field("data", .list(Models.fix))
                            Field(ifAny: "next_after", .text.orNull)
                        }
                    ).with(example: [["lat": 60.17, "lng": 24.94, "accuracy": 5, "timestamp": "2026-11-20T10:15:00Z"]])),
                .ok("What became of them."), refuses: [409])
        APIRoute(.get, "/v1/trackers/{user}/locations", .locate) { request, query in
            try await read(request) { try locations(request, query, on: $0) }
        }
        .described("getLocations", "Lists a user's locations", .ok("Locations in the order of time."))
        route(
            .put, "/v1/trackers/{user}/sign-in", .track, is: [.unremembered, .conditional], .write, SignIn.self
        ) { try signIn($0, $1, on: $2) }
        .described(
            "signIn", "Keeps a user's sign-in at Firebase",
            details:
                "Workers upload the user's locations with it, and renew its token. It is encrypted before it is stored, and never shown.",
            .stored("The tracker."), refuses: [409])
        route(.delete, "/v1/trackers/{user}/sign-in", .track, is: [.unremembered, .conditional], .write) {
            try signOut($0, on: $1)
        }
        .described(
            "signOut", "Forgets a user's sign-in", details: "From then on the user's locations are only stored.",
            .stored("The tracker."), refuses: [409])
        APIRoute(.get, "/v1/trackers/{user}/events", .locate) { request in
            try events(of: positions, for: request, about: try await knownUser(request))
        }
        .described(
            "getLocationEvents", "Tells each change of the last location, at most one a second",
            .events(
                "Server-sent events called `location`, whose data is a Location, or null before the first.",
                "event: location\ndata: {\"lat\":60.18,\"lng\":24.94,\"timestamp\":\"2026-11-20T10:15:00.000Z\"}\n\n"
            ))
        // The last believed fix, or `null`.
        route(.get, "/v1/trackers/{user}/current", .locate, .read) { request, db in
            let user = try tracker(of: request, on: db).user
            return Reply(try TrackerStore().lastFix(of: user, account: request.account, on: db))
        }
        .described(
            "getCurrentLocation", "Shows a user's last location", .ok("The location; null where there is none."))
        APIRoute(.get, "/v1/trackers/{user}/track.geojson", .locate) { try await track($0, $1, as: .geojson) }
            .described(
                "getTrackAsGeoJSON", "Streams a user's locations as GeoJSON",
                .ok(
                    "A FeatureCollection.",
                    .map(.anything).with(example: [
                        "type": "FeatureCollection",
                        "features": [
                            [
                                "type": "Feature", "id": "heoHNWhdGdwmtxb9iauO",
                                "geometry": ["type": "Point", "coordinates": [24, 60]],
                                "properties": [
                                    "user": "ada", "timestamp": "2026-11-20T10:15:00.000Z", "wait_time": 0,
                                    "accuracy": nil,
                                ],
                            ]
                        ],
                    ]), type: "application/geo+json"
                ).asStream)
        APIRoute(.get, "/v1/trackers/{user}/track.gpx", .locate) { try await track($0, $1, as: .gpx) }
            .described(
                "getTrackAsGPX", "Streams a user's locations as GPX",
                .ok(
                    "A track.",
                    .text.with(
                        example:
                            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"Waypost\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n<trk><trkseg>\n<trkpt lat=\"60.17\" lon=\"24.94\"><time>2026-11-20T10:15:00.000Z</time></trkpt>\n</trkseg></trk>\n</gpx>\n"
                    ), type: "application/gpx+xml"
                ).asStream)
    }

    func tracker(of request: APIRequest, on database: isolated Connection) throws -> TrackerState {
        try TrackerStore().tracker(of: request.user(), account: request.account, on: database).orThrow(.noTracker)
    }

    /// The user in the path, if there is a tracker.
    private func knownUser(_ request: APIRequest) async throws -> String {
        let (user, account) = (try request.user(), request.account)
        return try await read(request) { try TrackerStore().tracker(of: user, account: account, on: $0) }
            .orThrow(.noTracker).user
    }

    private func locations(
        _ request: APIRequest, _ query: LocationsQuery, on database: isolated Connection
    ) throws -> Reply<Page<LocationView, String>> {
        let (user, trackers) = (try tracker(of: request, on: database).user, TrackerStore())
        let page = try Page(query.limit, next: \.cursor.text) {
            try trackers.locations(
                of: user, from: query.span.from, until: query.span.until, after: query.after,
                uploaded: query.uploaded, limit: $0, account: request.account, on: database)
        }
        let places = try trackers.places(of: page.items, on: database)
        return Reply(page.showing(zip(page.items, places).map { LocationView($0, at: $1) }))
    }

    /// The tracker after a write.
    func shown(_ request: APIRequest, on database: isolated Connection) throws -> Reply<TrackerView> {
        Reply(TrackerView(try tracker(of: request, on: database))).showing(request.trackerPath)
    }

    private func startTracker(
        _ request: APIRequest, _ body: TrackerStart, on database: isolated Connection
    ) throws -> Reply<TrackerView> {
        let (user, account, trackers) = (try request.user(), request.account, TrackerStore())
        let wasThere = try trackers.lock(user, account: account, on: database)
        if wasThere {
            try require(request, tracker: user, on: database)
        } else {
            try request.require { nil }
        }
        do {
            let isNew = try trackers.start(
                user, since: body.since, with: body.settings, account: account, by: request.author, on: database)
            // Another request created it after the check.
            if !wasThere, !isNew, !request.conditions.isEmpty { throw RequestError.preconditionFailed }
        } catch is NoSuchSink {
            throw RequestError.invalid(field: "sink", "must be the name of a sink of this account")
        }
        return try shown(request, on: database)
    }

    /// After the response, nothing is stored and nothing is sent to the sink.
    private func stopTracker(_ request: APIRequest) async throws -> Reply<TrackerView> {
        let (user, account) = (try request.user(), request.account)
        let answer = try await write(request) { database in
            try require(request, tracker: user, on: database)
            guard try TrackerStore().stop(user, account: account, by: request.author, on: database) else {
                throw RequestError.noTracker
            }
            return try shown(request, on: database)
        }
        try await waitForUploads(of: user, account: account)
        return answer
    }

    /// Erases all positions of the user.
    private func eraseTracker(_ request: APIRequest) async throws -> Reply<ErasedTracker> {
        let (user, account) = (try request.user(), request.account)
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
                let erased = try TrackerStore().erase(user, account: account, by: request.author, on: database)
            else {
                throw RequestError.noTracker
            }
            return Reply(erased)
        }
    }

    /// Refuses a write to a tracker that does not fulfil the client's conditions.
    func require(_ request: APIRequest, tracker user: String, on database: isolated Connection) throws {
        try request.require {
            guard try TrackerStore().lock(user, account: request.account, on: database) else {
                throw RequestError.noTracker
            }
            return Reply(TrackerView(try tracker(of: request, on: database))).response
        }
    }

    private func waitForUploads(of user: String, account: Int) async throws {
        try await TrackerStore.waitForUploads {
            try await backend.database(of: account).run { database in
                try TrackerStore().isBeingUploaded(user, account: account, on: database)
            }
        }
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

    /// A track that is read page by page from the database while it is sent.
    private func track(_ request: APIRequest, _ span: SpanQuery, as format: TrackFormat) async throws -> ServerResponse
    {
        let (user, account) = (try await knownUser(request), request.account)
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
        status: 404, detail: "This user has no tracker; POST /v1/trackers/{user}/start makes one.")
}
