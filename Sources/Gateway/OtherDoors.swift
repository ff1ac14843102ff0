import Geocoding
import HTTP
import JSON

/// https://github.com/jpmens/revgeod, the server of OwnTracks' Recorder
extension Door {
    static let revgeod = Door(
        path: ["rev"],
        endpoints: [
            Endpoint("") { request throws(GatewayRefusal) in
                guard request.isGiven("lat"), request.isGiven("lon") else {
                    throw GatewayRefusal(406, "One of lat or lon missing")
                }
                var query = GatewayQuery(
                    try request.coordinate(missing: { "\($0) is missing" }, notNumber: { "\($0) is not a number" }))
                query.limit = 1
                return GatewayCall(query, in: request.language) { revgeod($0.places.first) }
            }
        ],
        refusal: { refusal, _ in .text(refusal.sentence, status: refusal.status) })

    private static func revgeod(_ place: GatewayPlace?) -> ServerResponse {
        .json(type: "application/json") { json in
            json.object { json in
                json.object("address") { json in
                    json.member("village", place?.line ?? "unknown address")
                    if let town = place?.placemark.locality { json.member("locality", town) }
                    json.member("cc", place?.placemark.countryCode?.uppercased() ?? "")
                    json.null("tzname")
                    json.member("s", place?.provider ?? "waypost")
                }
            }
        }
    }
}

/// https://github.com/addok/addok/blob/master/docs/api.md
extension Door {
    static let addok = Door(
        path: ["addok"],
        endpoints: [
            Endpoint("search") { request throws(GatewayRefusal) in try addokSearch(request) },
            Endpoint("reverse") { request throws(GatewayRefusal) in
                let subject = try request.coordinate(
                    missing: { "The parameter \($0) is missing." },
                    notNumber: { "The parameter \($0) must be a number." })
                var query = GatewayQuery(subject)
                query.limit = try addokLimit(request, 1)
                let here: Coordinate? = if case .coordinate(let here) = subject { here } else { nil }
                return GatewayCall(query, in: request.language) { [limit = query.limit] in
                    addok($0.places, query: nil, from: here, limit)
                }
            },
        ],
        files: [
            FileEndpoint(
                path: ["search", "csv"], rows: ["search"], line: "q",
                parameters: ["postcode", "citycode", "type", "lat", "lon"].map { ($0, []) },
                added: ["latitude", "longitude", "result_label", "result_score", "result_score_next"] + addokColumns),
            FileEndpoint(
                path: ["reverse", "csv"], rows: ["reverse"],
                parameters: [("lat", ["latitude", "lat"]), ("lon", ["longitude", "lon", "lng", "long"])],
                added: ["result_latitude", "result_longitude", "result_label", "result_distance"] + addokColumns),
        ],
        refusal: { refusal, _ in
            .json(refusal.status) { json in
                json.object { json in
                    json.member("title", refusal.status == 400 ? "Bad request" : refusal.sentence)
                    json.member("description", refusal.sentence)
                }
            }
        })

    private static let addokColumns = ["type", "id", "housenumber", "name", "street", "postcode", "city", "context"].map
    {
        "result_\($0)"
    }

    private static let addokTypes: [(name: String, kinds: Set<PlaceKind>)] = [
        ("housenumber", [.house]), ("street", [.street]), ("locality", [.part, .postcode]),
        ("municipality", [.town, .county, .region, .country]),
    ]

    private static func addokLimit(_ request: GatewayRequest, _ value: Int) throws(GatewayRefusal) -> Int {
        try request.whole("limit", in: 1...50, byDefault: value, or: "The parameter limit must be a number.")
    }

    private static func addokSearch(_ request: GatewayRequest) throws(GatewayRefusal) -> GatewayCall {
        guard let line = request.text("q") else { throw GatewayRefusal(400, "Missing query") }
        let postcode = request.text("postcode").map { " \($0)" } ?? ""
        var query = GatewayQuery(.line(line + postcode, country: ""))
        query.limit = try addokLimit(request, 5)
        // Its default is 1: its programs ask at each key.
        query.isLocal = request["autocomplete"] == "1"
        query.kinds = addokTypes.first { $0.name == request["type"] }?.kinds
        if request.isGiven("lat") || request.isGiven("lon"),
            case .coordinate(let place) = try request.coordinate(
                missing: { "The parameter \($0) is missing." }, notNumber: { "The parameter \($0) must be a number." })
        {
            query.near = place
        }
        return GatewayCall(query, in: request.language) { [limit = query.limit] in
            addok($0.places, query: line, from: nil, limit)
        }
    }

    private static func addok(
        _ places: [GatewayPlace], query: String?, from here: Coordinate?, _ limit: Int
    ) -> ServerResponse {
        .json { json in
            json.object { json in
                json.member("type", "FeatureCollection")
                json.member("version", "draft")
                json.list("features", places) { json, place in
                    json.object { json in
                        json.member("type", "Feature")
                        json.member("geometry") { $0.point(place.placemark.coordinate) }
                        json.object("properties") { addok(place, from: here, to: &$0) }
                    }
                }
                json.member("attribution", places.first?.licence ?? GatewayPlace.anyLicence)
                json.member("licence", places.first?.licence ?? GatewayPlace.anyLicence)
                if let query { json.member("query", query) }
                json.member("limit", limit)
            }
        }
    }

    private static func addok(_ place: GatewayPlace, from here: Coordinate?, to json: inout JSONWriter) {
        let names = place.placemark
        let house = [names.subThoroughfare, names.thoroughfare].compactMap(\.self).joined(separator: " ")
        let name = place.kind == .house && !house.isEmpty ? house : place.name
        let town = [names.postalCode, names.locality].compactMap(\.self).joined(separator: " ")
        json.member("label", place.kind <= .street && !town.isEmpty ? "\(name) \(town)" : name)
        json.member("score", (place.confidence * 10_000).rounded() / 10_000)
        json.member("id", "\(place.number.kind.letter.lowercased())\(place.number.id)")
        json.member("type", addokTypes.first { $0.kinds.contains(place.kind) }?.name)
        json.member("name", name)
        let parts: [(String, String?)] = [
            ("housenumber", names.subThoroughfare), ("street", names.thoroughfare), ("postcode", names.postalCode),
            ("city", names.locality),
            (
                "context",
                [names.subAdministrativeArea, names.administrativeArea, place.countryName].compactMap(\.self)
                    .joined(separator: ", ")
            ),
        ]
        for (name, value) in parts { if let value, !value.isEmpty { json.member(name, value) } }
        if let here { json.member("distance", Int(here.distance(to: names.coordinate).rounded())) }
    }
}

/// https://apidocs.geoapify.com/docs/geocoding/reverse-geocoding
extension Door {
    static let geoapify = Door(
        path: ["geoapify"],
        endpoints: [
            Endpoint("v1/geocode/reverse") { request throws(GatewayRefusal) in
                var query = GatewayQuery(
                    try request.coordinate(
                        missing: { "\"\($0)\" is required" }, notNumber: { "\"\($0)\" must be a number" }))
                query.limit = try request.whole("limit", in: 1...20, byDefault: 1, or: "\"limit\" must be a number")
                return GatewayCall(query, in: request.language) { [subject = query.subject] answer in
                    geoapify(answer.places, subject)
                }
            }
        ],
        refusal: { refusal, _ in
            .json(refusal.status) { json in
                json.object { json in
                    json.member("statusCode", refusal.status)
                    json.member("error", refusal.status == 401 ? "Unauthorized" : "Bad Request")
                    json.member("message", refusal.sentence)
                }
            }
        })

    private static func geoapify(_ places: [GatewayPlace], _ subject: GatewayQuery.Subject) -> ServerResponse {
        .json { json in
            json.object { json in
                json.member("type", "FeatureCollection")
                json.list("features", places) { json, place in
                    json.object { json in
                        json.member("type", "Feature")
                        json.object("properties") { geoapify(place, to: &$0) }
                        json.member("geometry") { $0.point(place.placemark.coordinate) }
                        json.list("bbox", place.box.corners) { $0.value($1) }
                    }
                }
                guard case .coordinate(let here) = subject else { return }
                json.object("query") { json in
                    json.member("lat", here.latitude)
                    json.member("lon", here.longitude)
                }
            }
        }
    }

    private static func geoapify(_ place: GatewayPlace, to json: inout JSONWriter) {
        let names = place.placemark
        json.object("datasource") { json in
            json.member("sourcename", place.provider)
            json.member("attribution", place.licence)
        }
        let street = [names.thoroughfare, names.subThoroughfare].compactMap(\.self).joined(separator: " ")
        let parts: [(String, String?)] = [
            ("name", place.name), ("country", place.countryName), ("country_code", names.countryCode?.lowercased()),
            ("state", names.administrativeArea), ("county", names.subAdministrativeArea), ("city", names.locality),
            ("postcode", names.postalCode), ("district", names.subLocality), ("street", names.thoroughfare),
            ("housenumber", names.subThoroughfare), ("formatted", place.line),
            ("address_line1", street.isEmpty ? place.name : street), ("category", geoapifyTypes[place.kind]),
            ("result_type", geoapifyTypes[place.kind]), ("place_id", "\(place.number.kind.letter)\(place.number.id)"),
        ]
        for (name, value) in parts { if let value, !value.isEmpty { json.member(name, value) } }
        json.member("lon", names.coordinate.longitude)
        json.member("lat", names.coordinate.latitude)
        json.object("rank") { $0.member("confidence", place.confidence) }
    }

    private static let geoapifyTypes: [PlaceKind: String] = [
        .house: "building", .street: "street", .part: "suburb", .town: "city", .postcode: "postcode",
        .county: "county", .region: "state", .country: "country",
    ]
}
