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
    let fileRuns: Broadcast
    let filePlaces = FilePlaces()
    let overviews: Broadcast
    let fixWriters = FixWriters()
    let marks = PageMarks()
    let questions = QuestionCounts()
    let scrapers = CallerMemory(most: 16)
    let suggesters = CallerMemory(most: 1_000)
    /// Reads the friends of an account with the usual columns.
    let friendReads = JointReads<Int, Int, FriendRecord> { ids, account, database in
        let friends = try ContactStore().friends(ids, with: .placeNames, account: account, on: database)
        return Dictionary(friends.map { ($0.id, $0) }) { $1 }
    }
    let streams: EventStreams
    var sessions = SessionStore()

    package init(_ backend: Backend) {
        self.backend = backend
        streams = EventStreams(EventStreams.Limits(connectionsOfAddress: backend.connectionsOfAddress))
        broadcast = Broadcast { [questions] caller, feed in
            try await Self.progressEvent(of: caller, feed: feed, in: backend, questions)
        }
        fileRuns = Broadcast { caller, id in try await Self.fileRunEvent(of: caller, id ?? "", in: backend) }
        overviews = Broadcast { caller, _ in try await Self.overviewEvent(for: caller, in: backend) }
        positions = Broadcast { caller, user in try await Self.locationEvent(of: user ?? "", caller, in: backend) }
    }

    var routes: [APIRoute] {
        let tables: [(APIRoute.Tag, [APIRoute])] = [
            (.app, contactRoutes + addressRoutes),
            (
                .waypost,
                friendRoutes + feedRoutes + placeRoutes + suggestRoutes + progressRoutes + planRoutes + questionRoutes
                    + fileRoutes + clusterRoutes + healthRoutes
            ),
            (.positions, trackerRoutes + phoneRoutes),
            (
                .cluster,
                laneRoutes + workerRoutes + jobRoutes + chainRoutes + cacheRoutes + tokenRoutes + settingRoutes
                    + rematchRoutes + reviewRoutes + logRoutes
            ),
        ]
        return tables.flatMap { tag, routes in
            routes.map { route in
                var route = route
                route.tag = tag
                return route
            }
        }
    }

    /// Watches the database and its standby until the task is cancelled, so that no request waits for an unreachable
    /// database. Run it together with the server.
    package func watchDatabase() async {
        async let standby: Void? = backend.standby?.watch.run()
        await backend.watch.run()
        await standby
    }

    /// All routes, for the server.
    package var router: Router {
        var router = Router()
        for route in routes {
            router.add(
                route.method, route.pattern, isAlwaysAnswered: route.traits.contains(.health), isQuick: route.isQuick
            ) { request in
                try await answer(request, by: route)
            }
        }
        return router
    }
}
