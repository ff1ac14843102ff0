import Access
import Formats
import HTTP
import Locations
import Shapes

/// Trackers, their locations, and the protocols of phone apps.
extension APIServer {
    @ListBuilder<APIRoute> var trackerRoutes: [APIRoute] {
        APIRoute(.get, "/v1/trackers", .locate, trackers)
            .described("getTrackers", "Lists trackers", .ok("Trackers by users."))
        APIRoute(.get, "/v1/trackers/{user}", .locate, tracker)
            .described("getTracker", "Shows a user's tracker", .ok("The tracker."))
        APIRoute(.delete, "/v1/trackers/{user}", .write, is: .conditional, eraseTracker)
            .described("deleteTracker", "Erases all that is known of a user's positions", .ok("What was deleted."))
        APIRoute(.post, "/v1/trackers/{user}/start", .track, is: .conditional, startTracker)
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
        APIRoute(.get, "/v1/trackers/{user}/locations", .locate, locations)
            .described("getLocations", "Lists a user's locations", .ok("Locations in the order of time."))
        APIRoute(.put, "/v1/trackers/{user}/sign-in", .track, is: [.unremembered, .conditional], signIn)
            .described(
                "signIn", "Keeps a user's sign-in at Firebase",
                details:
                    "Workers upload the user's locations with it, and renew its token. It is encrypted before it is stored, and never shown.",
                .stored("The tracker."), refuses: [409])
        APIRoute(.delete, "/v1/trackers/{user}/sign-in", .track, is: [.unremembered, .conditional], signOut)
            .described(
                "signOut", "Forgets a user's sign-in", details: "From then on the user's locations are only stored.",
                .stored("The tracker."), refuses: [409])
        APIRoute(.get, "/v1/trackers/{user}/events", .locate, locationEvents)
            .described(
                "getLocationEvents", "Tells each change of the last location, at most one a second",
                .events(
                    "Server-sent events called `location`, whose data is a Location, or null before the first.",
                    "event: location\ndata: {\"lat\":60.18,\"lng\":24.94,\"timestamp\":\"2026-11-20T10:15:00.000Z\"}\n\n"
                ))
        APIRoute(.get, "/v1/trackers/{user}/current", .locate, currentLocation)
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
        APIRoute(phone: .post, "/v1/owntracks", ownTracks)
            .described(
                "postOwnTracks", "Takes in what OwnTracks posts in HTTP mode",
                details:
                    "The token is the password of HTTP Basic. \(Self.unusable) An encrypted message is answered with 422.",
                query: [
                    Field(
                        ifAny: "u", .text(within: .user),
                        "The user; else the header X-Limit-U, or the name of HTTP Basic.", example: "ada"),
                    Field(ifAny: "d", .text(within: .user), "The device; not used.", example: "phone"), Self.phoneToken,
                ],
                body: .json(
                    Schema.map(.anything).with(example: [
                        "_type": "location", "lat": 60.17, "lon": 24.94, "tst": 1_795_169_700, "acc": 5,
                    ])
                ).ifAny, .ok("Nothing for the app.", .list(.anything, 0...0).with(example: [])))
        APIRoute(phone: .post, "/v1/overland", overland)
            .described(
                "postOverland", "Takes in a batch of Overland",
                details: "\(Self.unusable) Fixes of devices without a tracker are counted, if the batch has others.",
                query: [
                    Field(ifAny: "user", .text(within: .user), "The user; by default the device_id.", example: "ada"),
                    Self.phoneToken,
                ],
                body: .json(
                    Schema.object(allowsOthers: true) { Field("locations", .list(.anything)) }.with(example: [
                        "locations": [
                            [
                                "type": "Feature", "geometry": ["type": "Point", "coordinates": [24.94, 60.17]],
                                "properties": ["timestamp": "2026-11-20T10:15:00Z", "device_id": "ada"],
                            ]
                        ]
                    ])), .ok("The app deletes its batch.", .object { Field("result", .always("ok")) }))
        APIRoute(phone: .get, "/v1/osmand", osmAnd)
            .described(
                "getOsmAnd", "Takes in a fix as OsmAnd and Traccar's client send it", details: Self.unusable,
                query: Self.osmAndQuery, Success(status: 200, summary: "Stored."))
        APIRoute(phone: .post, "/v1/osmand", osmAnd)
            .described(
                "postOsmAnd", "Takes in a fix as OsmAnd and Traccar's client send it, in a form or in JSON",
                details: Self.unusable, query: Self.osmAndQuery,
                body: .json(
                    Schema.map(.anything).with(example: [
                        "device_id": "ada",
                        "location": [
                            "timestamp": "2026-11-20T10:15:00Z",
                            "coords": ["latitude": 60.17, "longitude": 24.94, "accuracy": 5],
                        ],
                    ]),
                    orForm: .map(.anything).with(example: [
                        "id": "ada", "lat": "60.17", "lon": "24.94", "timestamp": "1795169700",
                    ])
                ).ifAny, Success(status: 200, summary: "Stored."))
    }

    private static let unusable =
        "A fix that can never be kept is answered with 200 and counted. One that is up to a day ahead of the clock is answered with 422 and `Retry-After`, so that the app keeps it."

    private static let phoneToken = Field(
        ifAny: "token", .text(0...512).matching(#"^[^\u0000]*$"#), "The token, for apps that can't set a header.",
        example: "wp_1_…")

    private static let osmAndQuery = [
        Field(ifAny: "id", .text(within: .user), "The user.", example: "ada"),
        Field(ifAny: "lat", .text, example: "60.17"), Field(ifAny: "lon", .text, example: "24.94"),
        Field(
            ifAny: "timestamp", .text(0...100).matching(#"^[^\u0000]*$"#),
            "Seconds or milliseconds since 1970, or RFC 3339; by default now.", example: "1795169700"),
        Field(ifAny: "accuracy", .text, "Metres.", example: "5"), phoneToken,
    ]
}
