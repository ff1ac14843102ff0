import Access
import Formats
import HTTP
import Shapes

/// Friends, places, questions, the state of the cluster, and the health of this process.
extension APIServer {
    @ListBuilder<APIRoute> var friendRoutes: [APIRoute] {
        APIRoute(.get, "/v1/friends", .read, friends)
            .described("getFriends", "Lists friends", .ok("Friends by their numbers."), refuses: [410])
        APIRoute(.put, "/v1/friends", .write, is: [.unremembered, .outlasting], importFeed)
            .described(
                "putFriends", "Takes in a stream of contacts, one in a line",
                body: .contacts, .ok("The counts of the import."), refuses: [409])
        APIRoute(.post, "/v1/friends/batch", .read, is: .unremembered, friendBatch)
            .described("postFriendsBatch", "Shows several friends", .ok("The friends, and which are missing."))
        APIRoute(.get, "/v1/friends/{id}", .read, friend)
            .described("getFriend", "Shows a friend with all addresses and places", .ok("The friend."))
        APIRoute(.delete, "/v1/friends/{id}", .write, is: .conditional, removeFriend)
            .described("deleteFriend", "Removes a friend", .nothing("Soft-deleted."), refuses: [422])
        APIRoute(.post, "/v1/friends/{id}/geocode", .write, is: .conditional, hurry)
            .described(
                "postFriendGeocode", "Geocodes a friend's waiting addresses before background work", .underWay,
                refuses: [422])
        APIRoute(.post, "/v1/friends/{id}/retry", .write, is: .conditional, retry)
            .described(
                "postFriendRetry", "Asks a friend's addresses again that failed or were not found", .underWay,
                refuses: [422])
        APIRoute(.post, "/v1/friends/{id}/rematch", .write, is: .conditional, rematchFriend)
            .described(
                "postFriendRematch", "Asks a friend's located addresses again, to get better answers",
                details: "The old places stay until better ones are there; what a person decided is never asked.",
                .underWay, refuses: [422])
        APIRoute(.post, "/v1/addresses/{id}/retry", .write, askAddressAgain)
            .described(
                "postAddressRetry", "Asks again for one address, whatever is known of it",
                details: "A place stays until a better one is there. `addresses` is 0 where a person decided.",
                .underWay, refuses: [422])
        APIRoute(.get, "/v1/feeds/{feed}/friends/{key}", .read, feedFriend)
            .described("getFeedFriend", "Shows a friend by feed and key", .ok("The friend."))
        APIRoute(.put, "/v1/feeds/{feed}/friends/{key}", .write, is: .conditional, putFeedFriend)
            .described(
                "putFeedFriend", "Creates or replaces a friend by feed and key", body: .json(Models.feedFriendInput),
                .stored("Replaced."), .made("Created, restored, or taken from another feed."))
        APIRoute(.delete, "/v1/feeds/{feed}/friends/{key}", .write, is: .conditional, removeFeedFriend)
            .described(
                "deleteFeedFriend", "Removes a friend by feed and key", .nothing("Soft-deleted."), refuses: [422])
        APIRoute(.get, "/v1/places", .read, places)
            .described(
                "getPlaces", "Shows located addresses in a box, or those nearest to a point, as GeoJSON",
                details: "Give `bbox` or `near`.", .ok("The places.", type: "application/geo+json"), refuses: [422])
        APIRoute(.get, "/v1/suggest", .read, is: .computed, suggest)
            .described(
                "getSuggest", "Suggests towns whose names begin so",
                details:
                    "From the gazetteer: first those that are called exactly so, then those with the most people. `Accept-Language` says in which language `country` is.",
                .ok("The towns."))
        APIRoute(.get, "/v1/progress", .read, progress)
            .described("getProgress", "Counts addresses by their status", .ok("The progress."))
        APIRoute(.get, "/v1/progress/events", .read, progressEvents)
            .described(
                "getProgressEvents", "Tells each change of the progress, at most one a second",
                .events(
                    "Server-sent events called `progress`, whose data is a Progress.",
                    "id: 1\nevent: progress\ndata: {\"addresses\":3,\"questions\":1}\n\n"))
        APIRoute(.post, "/v1/plan", .write, is: .unremembered, plan)
            .described(
                "postPlan", "Plans the geocoding of contacts: how long it takes, what it costs, and what limits it",
                details: "Nothing is asked and nothing is stored. Up to 100,000 new addresses.",
                body: .contacts, .ok("The plan."))
        APIRoute(.post, "/v1/geocode", .write, is: .unremembered, geocode)
            .described(
                "postGeocode", "Geocodes an address, or a list of them",
                details:
                    "`Accept-Language` says in which language `country` is, where its provider gives only the code.",
                body: .json(Schema.either(.model(Models.questionInput), .model(Models.questionListInput))),
                .ok(
                    "The answer.",
                    .either(AnswerList.schema, AnswerView.schema).with(example: [
                        "status": "located", "reason": nil,
                        "place": [
                            "latitude": 39.5296, "longitude": -119.8138, "precision": "city", "confidence": 0.9,
                            "area_confidence": 0.9, "provider": "gazetteer", "matched_address": nil, "name": nil,
                            "street": nil,
                            "house_number": nil, "city": "Reno", "neighbourhood": nil, "region": "Nevada",
                            "county": nil, "postcode": nil, "country_code": "US", "country": "United States",
                        ],
                    ])),
                .ok(
                    "The question waits; repeat the request soon.",
                    .either(AnswerList.schema, AnswerView.schema).with(example: [
                        "status": "waiting", "reason": "no provider has answered yet", "place": nil,
                        "waits_for": ["lane": "gazetteer", "why": "behind", "seconds": nil],
                    ]), status: 202, headers: ["Retry-After"]))
        APIRoute(.get, "/v1/reverse", .write, reverse)
            .described(
                "getReverse", "Finds what is at a coordinate",
                details: "Follows the chain `reverse`, or the one that `chain` names.", .ok("The answer."),
                .ok("The question waits; repeat the request soon.", status: 202, headers: ["Retry-After"]),
                refuses: [422])
        APIRoute(.get, "/v1/lanes", .admin, lanes)
            .described("getLanes", "Lists lanes", .ok("The lanes."))
        APIRoute(.get, "/v1/lanes/{name}", .admin, lane)
            .described("getLane", "Shows a lane", .ok("The lane."))
        APIRoute(.get, "/v1/queue", .admin, queue)
            .described("getQueue", "Sums up the queue", .ok("The queue."))
        APIRoute(.get, "/v1/overview", .admin, overview)
            .described(
                "getOverview", "Shows all lanes and workers with their throughput",
                details: "A call counts at the moment at which it left, also while it is under way.",
                .ok("The overview."))
        APIRoute(.get, "/v1/overview/events", .admin, overviewEvents)
            .described(
                "getOverviewEvents", "Sends the overview again, at most once a second",
                .events(
                    "Server-sent events called `overview`, whose data is an Overview.",
                    "event: overview\ndata: {\"as_of\":1795169700.25,\"lanes\":[],\"workers\":[]}\n\n"))
        APIRoute(.get, "/v1/throughput/history", .admin, throughputHistory)
            .described(
                "getThroughputHistory", "Shows the calls of each lane step by step",
                details:
                    "A step is a minute of an hour, half an hour of a day, three hours of `7d` and twelve of `30d`; the last one is still going on.",
                .ok("The history."))
        APIRoute(.get, "/metrics", .admin, is: .metrics, metrics)
            .described(
                "getMetrics", "Shows the metrics of this process and of the cluster, for Prometheus",
                details:
                    "While the database is away, whoever was let in during the last hour still gets the numbers of this process.",
                .ok(
                    "The metrics, in the text format of Prometheus.",
                    .text.with(
                        example:
                            "# HELP waypost_leaders 1 where a coordinator leads, 0 where none does.\n# TYPE waypost_leaders gauge\nwaypost_leaders 1\n"
                    ), type: "text/plain; version=0.0.4; charset=utf-8"))
        APIRoute(.get, "/v1/openapi.json", anyone: description)
            .described(
                "getDescription", "Shows this description",
                .ok("This description.", .map(.anything).with(example: ["openapi": "3.1.0"])))
        APIRoute(health: "/livez", liveness)
            .described(
                "getLiveness", "Checks that the process answers",
                .ok("It does, whatever else is the matter."))
        APIRoute(health: "/health", health)
            .described(
                "getHealth",
                "Checks that requests can be answered, and that the cluster receives this process's heartbeats",
                .ok("They can."), refuses: [503])
        APIRoute(health: "/readyz", readiness)
            .described(
                "getReadiness", "Checks that requests can be answered, and that a coordinator leads",
                .ok("They can, and some coordinator leads."), refuses: [503])
    }
}

extension Body {
    /// A stream of contacts, as in the format NDJSON.
    fileprivate static let contacts = Body.lines(
        "{\"key\":\"17\",\"name\":\"Ada Lovelace\",\"addresses\":[{\"label\":\"home\",\"street\":\"1 Main St\",\"city\":\"Reno\",\"country\":\"US\"}]}\n{\"key\":\"18\",\"name\":\"Charles Babbage\"}\n",
        orBytes: true)
}
