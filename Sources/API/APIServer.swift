import Access
import Contacts
package import HTTP
import Locations

/// The HTTP API: its routes and their access rules.
///
/// It is not called `API`, because a type with the name of its module hides all other types in the module.
package struct APIServer: Sendable {
    /// The largest body in unpacked bytes. It allows a long stream of contacts. Routes with one JSON value have smaller
    /// limits.
    package static let largestBody = 4 << 30

    let backend: Backend
    let broadcast: Broadcast
    let positions: Broadcast
    let overviews: Broadcast
    let fixWriters = FixWriters()
    let marks = PageMarks()
    let questions = QuestionCounts()
    let scrapes = ScrapeMemory()
    let streams: EventStreams
    var sessions = SessionStore()

    package init(_ backend: Backend) {
        self.backend = backend
        streams = EventStreams(EventStreams.Limits(connectionsOfAddress: backend.connectionsOfAddress))
        broadcast = Broadcast { [questions] caller, feed in
            try await Self.progressEvent(of: caller, feed: feed, in: backend, questions)
        }
        overviews = Broadcast { caller, _ in try await Self.overviewEvent(for: caller, in: backend) }
        positions = Broadcast { caller, user in try await Self.locationEvent(of: user ?? "", caller, in: backend) }
    }

    /// Contacts, addresses and countries, under `/api` and again under `/monica/api`: see ``ContactForm``.
    private var contactRoutes: [APIRoute] {
        [
            APIRoute(.get, "/api/contacts", .read, contacts),
            APIRoute(.post, "/api/contacts", .write, addContact),
            APIRoute(.get, "/api/contacts/{id}", .read, contact),
            APIRoute(.put, "/api/contacts/{id}", .write, isConditional: true, changeContact),
            APIRoute(.delete, "/api/contacts/{id}", .write, isConditional: true, removeContact),
            APIRoute(.get, "/api/contacts/{id}/addresses", .read, addressesOfContact),
            APIRoute(.get, "/api/addresses", .read, addresses),
            APIRoute(.post, "/api/addresses", .write, addAddress),
            APIRoute(.get, "/api/addresses/{id}", .read, address),
            APIRoute(.put, "/api/addresses/{id}", .write, isConditional: true, changeAddress),
            APIRoute(.delete, "/api/addresses/{id}", .write, isConditional: true, removeAddress),
            APIRoute(.get, "/api/countries", .read, countries),
        ]
    }

    private var routes: [APIRoute] {
        contactRoutes + contactRoutes.map { $0.under("/monica") } + otherRoutes + adminRoutes
    }

    private var otherRoutes: [APIRoute] {
        [
            APIRoute(.post, "/api/contacts/{id}/addresses", .write, addAddressToContact),
            APIRoute(.patch, "/monica/api/contacts/{id}", .write, isConditional: true, changeContact),
            APIRoute(.patch, "/monica/api/addresses/{id}", .write, isConditional: true, changeAddress),
            APIRoute(.get, "/monica/api/me", .read, me),

            // Our own routes.
            APIRoute(.get, "/v1/friends", .read, friends),
            APIRoute(.put, "/v1/friends", .write, isRemembered: false, importFeed),
            APIRoute(.post, "/v1/friends/batch", .read, isRemembered: false, friendBatch),
            APIRoute(.get, "/v1/friends/{id}", .read, friend),
            APIRoute(.delete, "/v1/friends/{id}", .write, isConditional: true, removeFriend),
            APIRoute(.post, "/v1/friends/{id}/geocode", .write, isConditional: true, hurry),
            APIRoute(.post, "/v1/friends/{id}/retry", .write, isConditional: true, retry),
            APIRoute(.post, "/v1/friends/{id}/rematch", .write, isConditional: true, rematchFriend),
            APIRoute(.post, "/v1/addresses/{id}/retry", .write, askAddressAgain),
            APIRoute(.get, "/v1/feeds/{feed}/friends/{key}", .read, feedFriend),
            APIRoute(.put, "/v1/feeds/{feed}/friends/{key}", .write, isConditional: true, putFeedFriend),
            APIRoute(.delete, "/v1/feeds/{feed}/friends/{key}", .write, isConditional: true, removeFeedFriend),
            APIRoute(.get, "/v1/places", .read, places),
            APIRoute(.get, "/v1/suggest", .read, suggest),
            APIRoute(.get, "/v1/progress", .read, progress),
            APIRoute(.get, "/v1/progress/events", .read, progressEvents),

            // These may cost a call or reveal costs, so they need more than the scope `read`.
            APIRoute(.post, "/v1/plan", .write, isRemembered: false, plan),
            APIRoute(.post, "/v1/geocode", .write, isRemembered: false, geocode),
            APIRoute(.get, "/v1/reverse", .write, reverse),

            // Positions.
            APIRoute(.get, "/v1/trackers", .locate, trackers),
            APIRoute(.get, "/v1/trackers/{user}", .locate, tracker),
            APIRoute(.delete, "/v1/trackers/{user}", .write, isConditional: true, eraseTracker),
            APIRoute(.post, "/v1/trackers/{user}/start", .track, isConditional: true, startTracker),
            APIRoute(.post, "/v1/trackers/{user}/stop", .track, isConditional: true, stopTracker),
            APIRoute(.post, "/v1/trackers/{user}/locations", .track, isRemembered: false, takeFixes),
            APIRoute(.get, "/v1/trackers/{user}/locations", .locate, locations),
            APIRoute(.put, "/v1/trackers/{user}/sign-in", .track, isRemembered: false, isConditional: true, signIn),
            APIRoute(.delete, "/v1/trackers/{user}/sign-in", .track, isRemembered: false, isConditional: true, signOut),
            APIRoute(.get, "/v1/trackers/{user}/events", .locate, locationEvents),
            APIRoute(.get, "/v1/trackers/{user}/current", .locate, currentLocation),
            APIRoute(.get, "/v1/trackers/{user}/track.geojson", .locate) { try await track($0, as: .geojson) },
            APIRoute(.get, "/v1/trackers/{user}/track.gpx", .locate) { try await track($0, as: .gpx) },

            // The protocols of phone apps.
            APIRoute(phone: .post, "/v1/owntracks", ownTracks),
            APIRoute(phone: .post, "/v1/overland", overland),
            APIRoute(phone: .get, "/v1/osmand", osmAnd),
            APIRoute(phone: .post, "/v1/osmand", osmAnd),

            APIRoute(.get, "/v1/lanes", .admin, lanes),
            APIRoute(.get, "/v1/lanes/{name}", .admin, lane),
            APIRoute(.get, "/v1/queue", .admin, queue),
            APIRoute(.get, "/v1/overview", .admin, overview),
            APIRoute(.get, "/v1/overview/events", .admin, overviewEvents),
            APIRoute(.get, "/v1/throughput/history", .admin, throughputHistory),

            APIRoute(.get, "/metrics", .admin, metrics),

            APIRoute(.get, "/v1/openapi.json", anyone: description),
            APIRoute(.get, "/livez", anyone: liveness),
            APIRoute(.get, "/health", anyone: health),
            APIRoute(.get, "/readyz", anyone: readiness),
        ]
    }

    /// Watches the database until the task is cancelled, so that no request waits for an unreachable database. Run it
    /// together with the server.
    package func watchDatabase() async { await backend.watch.run() }

    /// All routes, for the server.
    package var router: Router {
        var router = Router()
        for route in routes {
            router.add(route.method, route.pattern, isAlwaysAnswered: route.isAlwaysAnswered) { request in
                try await answer(request, by: route)
            }
        }
        return router
    }
}
