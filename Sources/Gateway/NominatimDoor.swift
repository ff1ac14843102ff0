import Geocoding
import HTTP
import JSON

/// https://nominatim.org/release-docs/latest/api/Overview/
extension Door {
    static let nominatim = Door(
        path: ["nominatim"],
        endpoints: ["", ".php"].flatMap { ending in
            [
                Endpoint("search\(ending)") { request throws(GatewayRefusal) in
                    try NominatimCall(request, .search).search()
                },
                Endpoint("reverse\(ending)") { request throws(GatewayRefusal) in
                    try NominatimCall(request, .reverse).reverse()
                },
                Endpoint("lookup\(ending)") { request throws(GatewayRefusal) in
                    try NominatimCall(request, .lookup).lookup()
                },
                Endpoint("status\(ending)") { request throws(GatewayRefusal) in try status(request) },
            ]
        },
        refusal: refuse)

    private static func status(_ request: GatewayRequest) throws(GatewayRefusal) -> GatewayCall {
        switch request["format"] ?? "text" {
        case "json":
            GatewayCall(nil) { _ in
                .json {
                    $0.object {
                        $0.member("status", 0)
                        $0.member("message", "OK")
                        $0.member("software_version", "5.3.3")
                        $0.member("database_version", "5.3.3-0")
                    }
                }
            }
        case "text": GatewayCall(nil) { _ in .text("OK") }
        default: throw GatewayRefusal(400, "Parameter 'format' must be one of: text, json")
        }
    }

    private static func refuse(_ refusal: GatewayRefusal, _ request: GatewayRequest) -> ServerResponse {
        if refusal.status == 404 || refusal.status == 405 {
            return .json(refusal.status, type: "application/json") {
                $0.object { $0.member("title", refusal.sentence) }
            }
        }
        let endpoint = request.path.last?.prefix { $0 != "." } ?? ""
        let format = NominatimFormat(request["format"], byDefault: endpoint == "search" ? .jsonv2 : .xml)
        guard let format, endpoint != "status" else {
            return .text("ERROR \(refusal.status): \(refusal.sentence)", status: refusal.status)
        }
        if format == .xml {
            let error = XML(
                "error", [], [XML("code", text: "\(refusal.status)"), XML("message", text: refusal.sentence)])
            return .text(error.document, status: refusal.status, type: "text/xml; charset=utf-8")
        }
        return .json(refusal.status) {
            $0.object {
                $0.object("error") {
                    $0.member("code", refusal.status)
                    $0.member("message", refusal.sentence)
                }
            }
        }
    }
}

enum NominatimFormat: String, CaseIterable {
    case xml, geojson, geocodejson, json, jsonv2

    /// Nil if it is none of them.
    init?(_ text: String?, byDefault format: Self) {
        guard let text else {
            self = format
            return
        }
        self.init(rawValue: text)
    }
}

/// The format of a reply, and its optional members.
struct NominatimOptions: Sendable {
    enum Endpoint { case search, reverse, lookup }

    let endpoint: Endpoint
    let format: NominatimFormat
    let address, extraTags, nameDetails: Bool
    /// The name of the parameter of the wanted geometry without `polygon_`.
    let geometry: String?
    /// The function around the JSON.
    let callback: String?
    /// The text that was asked for, for `geocodejson`.
    let query: String
    /// All parameters, for XML.
    let queryString: String

    var type: String {
        if format == .xml { return "text/xml; charset=utf-8" }
        return callback == nil ? "application/json; charset=utf-8" : "application/javascript; charset=utf-8"
    }
}

private struct NominatimCall {
    private let request: GatewayRequest
    private let options: NominatimOptions

    init(_ request: GatewayRequest, _ endpoint: NominatimOptions.Endpoint) throws(GatewayRefusal) {
        self.request = request
        guard let format = NominatimFormat(request["format"], byDefault: endpoint == .search ? .jsonv2 : .xml) else {
            let all = NominatimFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw GatewayRefusal(400, "Parameter 'format' must be one of: \(all)")
        }
        let geometries = ["geojson", "kml", "svg", "text"].filter { request.flag("polygon_\($0)") }
        guard geometries.count < 2 else {
            throw GatewayRefusal(400, "Too many polygon output options selected.")
        }
        let callback = request["json_callback"]
        guard callback?.utf8.allSatisfy(\.isOfName) ?? true else {
            throw GatewayRefusal(400, "Invalid json_callback value")
        }
        options = NominatimOptions(
            endpoint: endpoint, format: format,
            address: request.flag("addressdetails", byDefault: endpoint != .search),
            extraTags: request.flag("extratags"), nameDetails: request.flag("namedetails"), geometry: geometries.first,
            callback: callback, query: endpoint == .search ? request.text("q") ?? "" : "",
            queryString: request.items.map { "\($0.name)=\($0.value)" }.joined(separator: "&"))
    }

    private func call(_ query: GatewayQuery) -> GatewayCall {
        let options = options
        var call = GatewayCall(query, in: request.language) { NominatimReply(options).response($0.places) }
        // A question without an answer needs no server.
        if query.subject != .nothing { call.passedOn = request.sorted(Self.names) }
        call.type = options.type
        return call
    }

    /// The parameters of the real server.
    private static let names: Set = [
        "q", "amenity", "street", "city", "county", "state", "country", "postalcode", "lat", "lon", "zoom", "osm_ids",
        "format", "json_callback", "limit", "addressdetails", "extratags", "namedetails", "entrances",
        "accept-language", "countrycodes", "layer", "featureType", "exclude_place_ids", "viewbox", "viewboxlbrt",
        "bounded", "dedupe",
        "polygon_geojson", "polygon_kml", "polygon_svg", "polygon_text", "polygon_threshold",
    ]

    func search() throws(GatewayRefusal) -> GatewayCall {
        let parts = ["amenity", "street", "city", "county", "state", "postalcode", "country"]
        let given = parts.filter { request.text($0) != nil }
        let line = request.text("q")
        if line != nil, !given.isEmpty {
            throw GatewayRefusal(
                400,
                "Structured query parameters(\(parts.joined(separator: ", "))) cannot be used together with 'q' parameter."
            )
        }
        guard line != nil || !given.isEmpty else {
            // The real server finds nothing by an empty text, and refuses a missing one.
            if request.items.contains(where: { $0.name == "q" && $0.value.isEmpty }) {
                return call(GatewayQuery(.nothing))
            }
            throw GatewayRefusal(400, "Nothing to search for.")
        }
        let limit = try request.whole("limit", in: 1...50, byDefault: 10, or: "Parameter 'limit' must be a number.")
        let box = try box()
        try checkLayers()
        let codes = (request["countrycodes"] ?? "").split(separator: ",").map { $0.filter { $0 != " " }.uppercased() }
            .filter { $0.utf8.count == 2 }
        let countries = codes.isEmpty ? nil : Set(codes)
        var query = GatewayQuery(subject(line, only: countries))
        query.limit = limit
        query.countries = countries
        query.box = box
        query.isBounded = box != nil && request.flag("bounded")
        query.kinds =
            switch request["featureType"] {
            case "country": [.country]
            case "state": [.region]
            case "city", "settlement": [.town, .part]
            default: nil
            }
        return call(query)
    }

    private func subject(_ line: String?, only countries: Set<String>?) -> GatewayQuery.Subject {
        let country = request.text("country") ?? (countries?.count == 1 ? countries?.first : nil) ?? ""
        if let line { return .line(line, country: country) }
        let street = [request.text("amenity"), request.text("street")].compactMap(\.self).joined(separator: ", ")
        return .address(
            Address(
                street: street, city: request.text("city") ?? "",
                region: request.text("state") ?? request.text("county") ?? "",
                postcode: request.text("postalcode") ?? "", country: country))
    }

    private func box() throws(GatewayRefusal) -> Box? {
        guard let text = request["viewbox"] ?? request["viewboxlbrt"] else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 4 else { throw GatewayRefusal(400, "Bounding box parameter needs 4 coordinates.") }
        guard let box = Box(numbers.compactMap { Double($0.filter { $0 != " " }) }) else {
            throw GatewayRefusal(400, "Bounding box parameter needs to be numbers.")
        }
        return box
    }

    private func checkLayers() throws(GatewayRefusal) {
        let known = ["address", "poi", "railway", "natural", "manmade"]
        let asked = (request["layer"] ?? "").split(separator: ",").map(String.init)
        guard asked.allSatisfy(known.contains) else {
            throw GatewayRefusal(
                400, "Parameter 'layer' must be a comma-separated list of: \(known.joined(separator: ", ")).")
        }
    }

    func reverse() throws(GatewayRefusal) -> GatewayCall {
        let subject = try request.coordinate(
            missing: { "Parameter '\($0)' missing." }, notNumber: { "Parameter '\($0)' must be a number." })
        let zoom = try request.whole("zoom", in: 0...18, byDefault: 18, or: "Parameter 'zoom' must be a number.")
        try checkLayers()
        var query = GatewayQuery(subject)
        query.limit = 1
        query.finest = PlaceKind(zoom: zoom)
        return call(query)
    }

    func lookup() throws(GatewayRefusal) -> GatewayCall {
        let ids = (request["osm_ids"] ?? "").split(separator: ",").compactMap {
            PlaceNumber($0.drop { $0 == " " })
        }
        var query = GatewayQuery(.places(Array(ids.prefix(Self.mostIDs))))
        query.limit = Self.mostIDs
        return call(query)
    }

    private static let mostIDs = 50
}

extension PlaceKind {
    /// The finest kind of place at a zoom of a map.
    fileprivate init(zoom: Int) {
        self =
            switch zoom {
            case ..<5: .country
            case 5...7: .region
            case 8...9: .county
            case 10...12: .town
            case 13...15: .part
            case 16...17: .street
            default: .house
            }
    }
}

extension UInt8 {
    /// A letter of a name in JavaScript, or a dot.
    fileprivate var isOfName: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "."): true
        default: false
        }
    }
}
