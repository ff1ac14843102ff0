import Access
import Contacts
import Formats
import Geocoding
import HTTP
import JSON

extension APIServer {
    /// `GET /v1/places`: https://www.rfc-editor.org/rfc/rfc7946
    func places(_ request: APIRequest) async throws -> ServerResponse {
        var query = QueryReader(request.http)
        let limit = query.integer("limit", in: 1...10_000) ?? 1_000
        let near = query.position("near")
        if request.http.query("near") == nil { query.require("bbox") }
        let box = query.box("bbox")
        if near != nil, box != nil { query.mistake("near", "does not go with bbox") as Void? }
        let name = query.text("query")
        if near != nil, name != nil { query.mistake("query", "does not go with near") as Void? }
        let added = query.added("add")
        try query.finish()
        if let near { return try await places(near: near, limit: limit, adding: added, request) }
        guard let box else { throw RequestError.notFound }
        let account = request.caller.account
        return try await backend.database(of: account).run { database in
            let contacts = ContactStore()
            // One more shows whether there are more.
            let places = try contacts.places(
                in: box, named: name, account: account, limit: limit + 1, isComplete: added != .usual, on: database)
            let providers = Set(places.prefix(limit).compactMap(\.place.provider))
            let attributions = try contacts.attributions(of: providers.sorted(), on: database)
            return .json(type: "application/geo+json") { json in
                json.object { json in
                    json.member("type", "FeatureCollection")
                    json.list("attribution", attributions) { $0.value($1) }
                    json.member("truncated", places.count > limit)
                    // A sample allows no more digits.
                    let share = places.count > limit ? places.prefix(limit).shareIfCut : 1
                    json.member("share", (share * 1_000_000).rounded() / 1_000_000)
                    json.list("features", places.prefix(limit)) { $0.feature($1, adding: added) }
                }
            }
        }
    }
}

extension APIServer {
    /// The nearest places with their distances. The list is not a sample: no nearer place is missing.
    private func places(
        near point: Coordinate, limit: Int, adding added: AddedColumns, _ request: APIRequest
    ) async throws -> ServerResponse {
        let account = request.caller.account
        return try await backend.database(of: account).run { database in
            let contacts = ContactStore()
            // One more shows whether there are more.
            let found = try contacts.places(
                near: point, account: account, limit: limit + 1, isComplete: added != .usual, on: database)
            let providers = Set(found.prefix(limit).compactMap(\.place.place.provider))
            let attributions = try contacts.attributions(of: providers.sorted(), on: database)
            return .json(type: "application/geo+json") { json in
                json.object { json in
                    json.member("type", "FeatureCollection")
                    json.list("attribution", attributions) { $0.value($1) }
                    json.member("truncated", found.count > limit)
                    json.list("features", found.prefix(limit)) {
                        $0.feature($1.place, metres: $1.metres, adding: added)
                    }
                }
            }
        }
    }
}

extension QueryReader {
    /// `latitude,longitude`
    fileprivate mutating func position(_ name: String) -> Coordinate? {
        guard let text = text(name) else { return nil }
        guard let numbers = Self.degrees(text), numbers.count == 2 else {
            return mistake(name, "is not latitude,longitude in degrees")
        }
        let point = Coordinate(latitude: numbers[0], longitude: numbers[1])
        if point == nil { offEarth(name, "has a latitude beyond 90 or a longitude beyond 180 degrees") }
        return point
    }

    /// `all`, `none`, or names of output columns with commas between them.
    mutating func added(_ name: String) -> AddedColumns {
        guard let text = text(name) else { return .usual }
        let isPlain = text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ",")
        }
        guard isPlain, let added = AddedColumns(text) else {
            let names = AddedColumns.choices.joined(separator: ", ")
            return mistake(name, "is neither all, none nor some of \(names)") ?? .usual
        }
        return added
    }

    /// `west,south,east,north`
    fileprivate mutating func box(_ name: String) -> BoundingBox? {
        guard let text = text(name) else { return nil }
        guard let numbers = Self.degrees(text), numbers.count == 4 else {
            return mistake(name, "is not west,south,east,north in degrees")
        }
        guard let box = BoundingBox(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3]) else {
            offEarth(name, "has a latitude beyond 90 or a longitude beyond 180 degrees")
            return nil
        }
        guard box.south <= box.north else {
            offEarth(name, "has a south that is north of its north")
            return nil
        }
        return box
    }

    /// Numbers in the form of the API description: no exponents, and no leading zeros.
    private static func degrees(_ text: String) -> [Double]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.filter { $0.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?/#) != nil }.compactMap {
            Double($0)
        }
        return numbers.count == parts.count ? numbers : nil
    }
}

extension JSONWriter {
    /// The columns that `add` requests; null if the value is unknown.
    mutating func members(_ added: AddedColumns, of place: KnownPlace, but known: Set<String> = []) {
        for (name, value) in added.values(of: place) where !known.contains(name) { member(name, value?.text) }
    }

    fileprivate mutating func feature(_ place: MappedPlace, metres: Double? = nil, adding added: AddedColumns) {
        object { json in
            json.member("type", "Feature")
            json.member("id", place.id)
            json.object("geometry") { json in
                json.member("type", "Point")
                json.list("coordinates", [place.longitude, place.latitude]) { $0.value($1) }
            }
            json.object("properties") { json in
                json.member("friend", place.friend)
                json.member("name", place.name)
                json.member("label", place.label)
                json.member("precision", place.place.precision?.rawValue)
                json.member("confidence", place.place.confidence)
                json.member("provider", place.place.provider)
                if let metres { json.member("metres", metres.rounded()) }
                json.members(added, of: place.place)
            }
        }
    }
}
