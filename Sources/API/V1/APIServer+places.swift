import Access
import Contacts
import Formats
import Geocoding
import HTTP
import Postgres
import Shapes

extension APIServer {
    @ListBuilder<APIRoute> var placeRoutes: [APIRoute] {
        route(.get, "/v1/places", .read, .read, PlacesQuery.self) { try places($0, $1, on: $2) }
            .described(
                "getPlaces", "Shows located addresses in a box, or those nearest to a point, as GeoJSON",
                details: "Give `bbox` or `near`.", .ok("The places.", type: "application/geo+json"), refuses: [422])
    }

    /// https://www.rfc-editor.org/rfc/rfc7946
    private func places(
        _ request: APIRequest, _ query: PlacesQuery, on database: isolated Connection
    ) throws -> Reply<PlaceCollection> {
        let (contacts, account, isComplete) = (ContactStore(), request.account, query.added != .usual)
        // One more shows whether there are more.
        let limit = query.limit + 1
        let features: [PlaceFeature]
        var share: Double?
        if let near = query.near {
            // Not a sample: no nearer place is missing.
            let places = try contacts.places(
                near: near, account: account, limit: limit, isComplete: isComplete, on: database)
            features = places.map { PlaceFeature(place: $0.place, metres: $0.metres, added: query.added) }
        } else {
            let places = try contacts.places(
                in: query.box.orThrow(.notFound), named: query.name, account: account, limit: limit,
                isComplete: isComplete, on: database)
            features = places.map { PlaceFeature(place: $0, added: query.added) }
            share = places.count < limit ? 1 : places.prefix(query.limit).shareIfCut
        }
        let shown = Array(features.prefix(query.limit))
        let providers = Set(shown.compactMap(\.place.place.provider))
        return Reply(
            PlaceCollection(
                attributions: try contacts.attributions(of: providers.sorted(), on: database),
                isTruncated: features.count == limit,
                // A sample allows no more digits.
                share: share.map { ($0 * 1_000_000).rounded() / 1_000_000 }, features: shown),
            type: "application/geo+json")
    }
}

struct PlacesQuery: QueryInput {
    let limit: Int, box: BoundingBox?, near: Coordinate?, name: String?, added: AddedColumns

    private static let latitude = "-?(90([.]0+)?|[1-8]?[0-9]([.][0-9]+)?)"
    private static let longitude = "-?(180([.]0+)?|(1[0-7][0-9]|[1-9]?[0-9])([.][0-9]+)?)"
    private static let corner = longitude + "," + latitude

    init(_ query: inout RequestReader) {
        box = query.box("\(Self.corner),\(Self.corner)")
        near = query.position("\(Self.latitude),\(Self.longitude)")
        name = query.text(
            "query", "Only places of friends whose names contain this text, in upper or lower case.",
            example: "ada")
        limit = query.limit(.places)
        added = query.added()
        if !query.isGiven("near"), !query.isGiven("bbox") { query.mistake("bbox", "is missing") }
        if near != nil, box != nil { query.mistake("near", "does not go with bbox") }
        if near != nil, name != nil { query.mistake("query", "does not go with near") }
    }
}

extension RequestReader {
    /// `latitude,longitude`
    fileprivate mutating func position(_ pattern: @autoclosure () -> String) -> Coordinate? {
        let numbers = parsed(
            "near", .text(0...2000).matching("^\(pattern())$"),
            "`latitude,longitude` in degrees: the nearest places first, each with its distance in `metres`. Not with `bbox` or `query`.",
            example: "39.5296,-119.8138", refusal: "is not latitude,longitude in degrees"
        ) { Self.degrees(2, $0) }
        guard let numbers else { return nil }
        let point = Coordinate(latitude: numbers[0], longitude: numbers[1])
        if point == nil { offEarth("near", "has a latitude beyond 90 or a longitude beyond 180 degrees") }
        return point
    }

    /// `west,south,east,north`
    fileprivate mutating func box(_ pattern: @autoclosure () -> String) -> BoundingBox? {
        let numbers = parsed(
            "bbox", .text(0...2000).matching("^\(pattern())$"),
            "`west,south,east,north` in degrees. A west that is east of the east reaches across the date line.",
            example: "-125,24,-66,50", refusal: "is not west,south,east,north in degrees"
        ) { Self.degrees(4, $0) }
        guard let numbers else { return nil }
        guard let box = BoundingBox(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3]) else {
            offEarth("bbox", "has a latitude beyond 90 or a longitude beyond 180 degrees")
            return nil
        }
        if box.south > box.north { offEarth("bbox", "has a south that is north of its north") }
        return box
    }

    /// Numbers in the form of the API description: no exponents, and no leading zeros.
    private static func degrees(_ count: Int, _ text: String) -> [Double]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.filter { $0.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?/#) != nil }.compactMap {
            Double($0)
        }
        return numbers.count == parts.count && numbers.count == count ? numbers : nil
    }

    /// Additional columns of addresses and places: `all`, `none`, or names of output columns with commas between them.
    mutating func added() -> AddedColumns {
        let added = parsed(
            "add", .text(0...2_000).matching(AddedColumns.pattern()),
            "More members: `all`, `none`, or names with commas between. They are null if nothing is known.",
            example: "all",
            refusal: "is neither all, none nor some of \(AddedColumns.choices.joined(separator: ", "))"
        ) { text in
            let isPlain = text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ",")
            }
            return isPlain ? AddedColumns(text) : nil
        }
        return added ?? .usual
    }
}

extension AddedColumns {
    /// The parameter's value: `all`, `none`, or names with commas between.
    static func pattern(_ columns: [String] = choices) -> String {
        let names = "(\(columns.joined(separator: "|")))"
        return "^(all|none|\(names)(,\(names))*)$"
    }
}

/// A list of places on a map.
struct PlaceCollection: Shaped {
    let attributions: [String]
    let isTruncated: Bool
    let share: Double?
    let features: [PlaceFeature]

    static let shape = Shape<PlaceCollection>("Places", "RFC 7946") {
        Member("type", example: "FeatureCollection") { _ in "FeatureCollection" }.choices(["FeatureCollection"])
        Member("attribution", "To be shown next to the places.", example: []) { $0.attributions }
        Member("truncated", "True if there are more places than the limit.") { $0.isTruncated }
        Member(
            ifAny: "share", "The share of the box's located addresses that are listed. Missing with `near`.", example: 1
        ) { $0.share }.bounds(0, 1)
        Member("features") { $0.features }
    }
}

struct PlaceFeature: Shaped {
    let place: MappedPlace
    var metres: Double?
    let added: AddedColumns

    static let shape = Shape<PlaceFeature>("", "") {
        Member("type", example: "Feature") { _ in "Feature" }.choices(["Feature"])
        Member("id", example: 1) { $0.place.id }.bounds(1)
        Member("geometry") { Point(place: $0.place) }
        Member("properties") { Properties($0) }
    }

    struct Point: Shaped {
        let place: MappedPlace

        static let shape = Shape<Point>("", "") {
            Member("type", example: "Point") { _ in "Point" }.choices(["Point"])
            Member("coordinates", "Longitude, then latitude.", example: [-119.8, 39.5]) {
                [$0.place.longitude, $0.place.latitude]
            }
        }
    }

    struct Properties: Shaped {
        let feature: PlaceFeature
        let added: AddedValues?
        var place: KnownPlace { feature.place.place }

        init(_ feature: PlaceFeature) {
            self.feature = feature
            added = feature.added == .usual ? nil : AddedValues(feature.added, of: feature.place.place)
        }

        static let shape = Shape<Properties>("", "") {
            Member("friend", example: 1) { $0.feature.place.friend }.bounds(1)
            Member("name", example: "Ada Lovelace") { $0.feature.place.name }
            Member("label", example: "") { $0.feature.place.label }
            Member("precision", example: .city) { $0.place.precision }
            Member("confidence", confidenceHelp, example: 0.9) { $0.place.confidence }.bounds(0, 1)
            Member("area_confidence", areaConfidenceHelp, example: 0.9) { $0.place.areaConfidence }.bounds(0, 1)
            Member("provider", example: "gazetteer") { $0.place.provider }
            Member(ifAny: "metres", "The distance to `near`.") { $0.feature.metres?.rounded() }.bounds(0)
            Member(ifAny: "reason", "Only with `add`.") { $0.added?.values["reason"] }
            Including(ifAny: { $0.added })
        }
    }
}
