import Geocoding
import HTTP
import JSON

/// https://github.com/komoot/photon/blob/master/docs/api-v1.md
extension Door {
    static let photon = Door(
        path: ["photon"],
        endpoints: [
            Endpoint("api") { request throws(GatewayRefusal) in try PhotonCall(request).search() },
            Endpoint("structured") { request throws(GatewayRefusal) in try PhotonCall(request).structured() },
            Endpoint("reverse") { request throws(GatewayRefusal) in try PhotonCall(request).reverse() },
            Endpoint("status") { _ throws(GatewayRefusal) in
                GatewayCall(nil) { _ in .json(type: "application/json") { $0.object { $0.member("status", "Ok") } } }
            },
        ],
        refusal: { refusal, _ in
            .json(refusal.status, type: "application/json") { $0.object { $0.member("message", refusal.sentence) } }
        })
}

/// Parameters that Photon does not have are ignored, because programs send a `key`.
private struct PhotonCall {
    private let request: GatewayRequest

    init(_ request: GatewayRequest) { self.request = request }

    private static let layers: [String: Set<PlaceKind>] = [
        "house": [.house], "street": [.street], "locality": [.part], "district": [.part], "city": [.town],
        "county": [.county], "state": [.region], "country": [.country], "other": [.postcode],
    ]

    private func call(_ query: GatewayQuery, _ limit: Int) throws(GatewayRefusal) -> GatewayCall {
        var query = query
        query.limit = try request.whole("limit", in: 1...50, byDefault: limit, or: "limit must be a number")
        return GatewayCall(query, in: request.language) { answer in
            .json(type: "application/json") { json in
                json.object { json in
                    json.member("type", "FeatureCollection")
                    json.list("features", answer.places) { Self.feature($1, to: &$0) }
                }
            }
        }
    }

    func search() throws(GatewayRefusal) -> GatewayCall {
        guard let line = request.text("q") else {
            throw GatewayRefusal(400, "missing search term 'q': /?q=berlin")
        }
        return try call(narrowed(GatewayQuery(.line(line, country: country))), 15)
    }

    func structured() throws(GatewayRefusal) -> GatewayCall {
        let street = [request.text("street"), request.text("housenumber")].compactMap(\.self).joined(separator: " ")
        let address = Address(
            street: street, city: request.text("city") ?? request.text("district") ?? "",
            region: request.text("state") ?? "", postcode: request.text("postcode") ?? "", country: country)
        guard !address.isEmpty else { throw GatewayRefusal(400, "at least one of the parameters is needed") }
        return try call(narrowed(GatewayQuery(.address(address))), 15)
    }

    private var country: String { request["countrycode"].flatMap { $0.utf8.count == 2 ? $0 : nil } ?? "" }

    private func narrowed(_ query: GatewayQuery) throws(GatewayRefusal) -> GatewayQuery {
        var query = query
        let codes = request.values("countrycode").flatMap { $0.split(separator: ",").map { $0.uppercased() } }
        if !codes.isEmpty { query.countries = Set(codes) }
        if let text = request["bbox"] {
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
            guard let box = Box(numbers) else {
                throw GatewayRefusal(400, "bbox must have 4 numbers: minLon,minLat,maxLon,maxLat")
            }
            (query.box, query.isBounded) = (box, true)
        }
        if request.isGiven("lat") || request.isGiven("lon") {
            if case .coordinate(let place) = try coordinate() { query.near = place }
        }
        // A search with a bias is what a person types into a field.
        query.isLocal = query.near != nil
        query.kinds = try kinds()
        return query
    }

    private func kinds() throws(GatewayRefusal) -> Set<PlaceKind>? {
        let layers = request.values("layer").flatMap { $0.split(separator: ",").map(String.init) }
        var kinds: Set<PlaceKind> = []
        for layer in layers {
            guard let known = Self.layers[layer] else {
                let all = Self.layers.keys.sorted().joined(separator: ", ")
                throw GatewayRefusal(400, "unknown layer; the layers are \(all)")
            }
            kinds.formUnion(known)
        }
        return layers.isEmpty ? nil : kinds
    }

    private func coordinate() throws(GatewayRefusal) -> GatewayQuery.Subject {
        try request.coordinate(missing: { "missing parameter '\($0)'" }, notNumber: { "'\($0)' must be a number" })
    }

    func reverse() throws(GatewayRefusal) -> GatewayCall {
        var query = GatewayQuery(try coordinate())
        _ = try request.number("radius", or: "radius must be a number")
        // The finest layer that is asked for.
        query.finest = try kinds()?.min() ?? .house
        return try call(query, 1)
    }

    private static func feature(_ place: GatewayPlace, to json: inout JSONWriter) {
        let (facts, names) = (place.kind.facts, place.placemark)
        json.object { json in
            json.member("type", "Feature")
            json.object("properties") { json in
                json.member("osm_type", String(place.number.kind.letter))
                json.member("osm_id", place.number.id)
                json.member("osm_key", facts.key)
                json.member("osm_value", facts.value)
                json.member("type", facts.layer)
                let parts: [(String, String?)] = [
                    // A number without its street would be joined with nothing.
                    ("housenumber", names.thoroughfare == nil ? nil : names.subThoroughfare), ("name", place.name),
                    ("street", place.kind == .street ? nil : names.thoroughfare),
                    ("district", place.kind == .part ? nil : names.subLocality),
                    ("city", place.kind == .town ? nil : names.locality),
                    ("county", place.kind == .county ? nil : names.subAdministrativeArea),
                    ("state", place.kind == .region ? nil : names.administrativeArea), ("country", place.countryName),
                    ("postcode", place.kind == .postcode ? nil : names.postalCode),
                    ("countrycode", names.countryCode?.uppercased()),
                ]
                for (name, value) in parts { if let value, !value.isEmpty { json.member(name, value) } }
                if place.kind > .house {
                    let box = place.box
                    json.list("extent", [box.west, box.north, box.east, box.south]) { $0.value($1) }
                }
            }
            json.member("geometry") { $0.point(names.coordinate) }
        }
    }
}
