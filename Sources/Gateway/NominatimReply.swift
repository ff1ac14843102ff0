import Geocoding
import Glibc
import HTTP
import JSON

/// Writes places in Nominatim's formats.
struct NominatimReply {
    private let options: NominatimOptions

    init(_ options: NominatimOptions) { self.options = options }

    func response(_ places: [GatewayPlace]) -> ServerResponse {
        if options.format == .xml { return .text(xml(places).document, type: options.type) }
        let json = JSONWriter.bytes { json in
            if options.endpoint == .reverse, places.isEmpty {
                return json.object { $0.member("error", "Unable to geocode") }
            }
            switch options.format {
            case .geojson, .geocodejson: collection(places, to: &json)
            case _ where options.endpoint == .reverse: if let place = places.first { object(place, to: &json) }
            default: json.list(places) { object($1, to: &$0) }
            }
        }
        guard let callback = options.callback else {
            return ServerResponse(status: 200, headers: ["Content-Type": options.type], body: .bytes(json))
        }
        return .text("\(callback)(\(String(decoding: json, as: UTF8.self)))", type: options.type)
    }

    // MARK: json and jsonv2

    private func object(_ place: GatewayPlace, to json: inout JSONWriter) {
        let facts = place.kind.facts
        json.object { json in
            json.member("place_id", place.number.id)
            json.member("licence", place.licence)
            json.member("osm_type", place.number.kind.rawValue)
            json.member("osm_id", place.number.id)
            json.member("lat", place.placemark.coordinate.latitude.sevenDecimals)
            json.member("lon", place.placemark.coordinate.longitude.sevenDecimals)
            json.member(options.format == .json ? "class" : "category", facts.key)
            json.member("type", facts.value)
            rank(of: place, to: &json)
            details(of: place, to: &json)
            json.list("boundingbox", place.box.sides) { $0.value($1.sevenDecimals) }
            if options.geometry == "geojson" {
                json.member("geojson") { point(place, to: &$0) }
            } else if let (name, text) = geometry(of: place) {
                json.member(name, text)
            }
        }
    }

    private func rank(of place: GatewayPlace, to json: inout JSONWriter) {
        json.member("place_rank", place.kind.facts.rank)
        json.member("importance", place.importance)
        json.member("addresstype", place.kind.facts.addressType)
        json.member("name", place.name)
        json.member("display_name", place.label)
    }

    private func details(of place: GatewayPlace, to json: inout JSONWriter) {
        if options.address {
            json.object("address") { json in for part in place.address { json.member(part.name, part.value) } }
        }
        if options.extraTags { json.null("extratags") }
        if options.nameDetails {
            json.object("namedetails") { json in if !place.name.isEmpty { json.member("name", place.name) } }
        }
    }

    /// The member and the text of the wanted form of the point.
    private func geometry(of place: GatewayPlace) -> (name: String, text: String)? {
        let (latitude, longitude) = place.placemark.coordinate.texts
        return switch options.geometry {
        case "text": ("geotext", "POINT(\(longitude) \(latitude))")
        case "kml": ("geokml", "<Point><coordinates>\(longitude),\(latitude)</coordinates></Point>")
        case "svg": ("svg", "cx=\"\(longitude)\" cy=\"\((-place.placemark.coordinate.latitude).withoutExponent)\"")
        default: nil
        }
    }

    // MARK: geojson and geocodejson

    private func collection(_ places: [GatewayPlace], to json: inout JSONWriter) {
        json.object { json in
            json.member("type", "FeatureCollection")
            let licence = places.first?.licence ?? GatewayPlace.anyLicence
            if options.format == .geojson {
                json.member("licence", licence)
            } else {
                json.object("geocoding") { json in
                    json.member("version", "0.1.0")
                    json.member("attribution", licence)
                    json.member("licence", licence)
                    if options.endpoint != .lookup { json.member("query", options.query) }
                }
            }
            json.list("features", places) { json, place in
                json.object { json in
                    json.member("type", "Feature")
                    json.object("properties") { json in
                        if options.format == .geojson {
                            properties(of: place, to: &json)
                        } else {
                            json.object("geocoding") { geocoding(of: place, to: &$0) }
                        }
                    }
                    if options.format == .geojson { json.list("bbox", place.box.corners) { $0.value($1) } }
                    json.member("geometry") { point(place, to: &$0) }
                }
            }
        }
    }

    private func properties(of place: GatewayPlace, to json: inout JSONWriter) {
        json.member("place_id", place.number.id)
        json.member("osm_type", place.number.kind.rawValue)
        json.member("osm_id", place.number.id)
        json.member("place_rank", place.kind.facts.rank)
        json.member("category", place.kind.facts.key)
        json.member("type", place.kind.facts.value)
        json.member("importance", place.importance)
        json.member("addresstype", place.kind.facts.addressType)
        json.member("name", place.name)
        json.member("display_name", place.label)
        details(of: place, to: &json)
    }

    private func geocoding(of place: GatewayPlace, to json: inout JSONWriter) {
        let (facts, names) = (place.kind.facts, place.placemark)
        json.member("place_id", place.number.id)
        json.member("osm_type", place.number.kind.rawValue)
        json.member("osm_id", place.number.id)
        json.member("osm_key", facts.key)
        json.member("osm_value", facts.value)
        json.member("type", facts.layer == "other" ? "locality" : facts.layer)
        if options.endpoint == .reverse { json.member("accuracy", 0) }
        json.member("label", place.label)
        if !place.name.isEmpty { json.member("name", place.name) }
        if options.address {
            // The place's own name is `name` already.
            let parts: [(String, String?, PlaceKind)] = [
                ("housenumber", names.subThoroughfare, .country), ("postcode", names.postalCode, .postcode),
                ("street", names.thoroughfare, .street), ("district", names.subLocality, .part),
                ("city", names.locality, .town), ("county", names.subAdministrativeArea, .county),
                ("state", names.administrativeArea, .region), ("country", place.countryName, .country),
            ]
            for (name, value, kind) in parts where kind != place.kind {
                if let value, !value.isEmpty { json.member(name, value) }
            }
            if let code = names.countryCode { json.member("country_code", code.lowercased()) }
            json.object("admin") { json in
                if let region = names.administrativeArea { json.member("level4", region) }
                if let county = names.subAdministrativeArea { json.member("level6", county) }
            }
        }
        if options.extraTags { json.null("extra") }
    }

    private func point(_ place: GatewayPlace, to json: inout JSONWriter) { json.point(place.placemark.coordinate) }

    // MARK: XML

    private func xml(_ places: [GatewayPlace]) -> XML {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S +00:00", &parts)
        let moment = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let frame = [
            ("timestamp", moment), ("attribution", places.first?.licence ?? GatewayPlace.anyLicence),
            ("querystring", options.queryString),
        ]
        guard options.endpoint == .reverse else {
            var more: [(String, String)] = []
            if options.endpoint == .search {
                more.append(("more_url", ""))
                let shown = places.map { "\($0.number.id)" }.joined(separator: ",")
                if !shown.isEmpty { more.append(("exclude_place_ids", shown)) }
            }
            return XML("searchresults", frame + more, places.map { element("place", of: $0) })
        }
        guard let place = places.first else {
            return XML("reversegeocode", frame, [XML("error", text: "Unable to geocode")])
        }
        var children = [XML("result", attributes(of: place), text: place.label)]
        if options.address { children.append(XML("addressparts", [], addressParts(of: place))) }
        return XML("reversegeocode", frame, children + extras(of: place))
    }

    private func element(_ name: String, of place: GatewayPlace) -> XML {
        let facts = place.kind.facts
        let last = [
            ("display_name", place.label), ("class", facts.key), ("type", facts.value),
            ("importance", "\(place.importance)"),
        ]
        let address = options.address ? addressParts(of: place) : []
        return XML(name, attributes(of: place) + last, address + extras(of: place))
    }

    private func attributes(of place: GatewayPlace) -> [(String, String)] {
        let point = place.placemark.coordinate
        var all = [
            ("place_id", "\(place.number.id)"), ("osm_type", place.number.kind.rawValue),
            ("osm_id", "\(place.number.id)"),
        ]
        if !place.name.isEmpty { all.append(("ref", place.name)) }
        all += [
            ("lat", point.latitude.sevenDecimals), ("lon", point.longitude.sevenDecimals),
            ("boundingbox", place.box.sides.map(\.sevenDecimals).joined(separator: ",")),
            ("place_rank", "\(place.kind.facts.rank)"), ("address_rank", "\(place.kind.facts.rank)"),
        ]
        if options.geometry == "geojson" {
            all.append(("geojson", JSONWriter.text { self.point(place, to: &$0) }))
        } else if let (name, text) = geometry(of: place) {
            all.append((name, text))
        }
        return all
    }

    private func addressParts(of place: GatewayPlace) -> [XML] { place.address.map { XML($0.name, text: $0.value) } }

    private func extras(of place: GatewayPlace) -> [XML] {
        let names = place.name.isEmpty ? [] : [XML("name", [("desc", "name")], text: place.name)]
        return (options.extraTags ? [XML("extratags")] : [])
            + (options.nameDetails ? [XML("namedetails", [], names)] : [])
    }
}

extension GatewayPlace {
    /// For a reply without a place.
    static let anyLicence = "Data from the sources of this server"

    /// Coarse places first, as in Nominatim, whose own figure counts the visitors of Wikipedia.
    fileprivate var importance: Double {
        let rank = max(0.75 - Double(kind.facts.rank) / 40, 0.000_01)
        return (rank * max(confidence, 0.01) * 1e6).rounded() / 1e6
    }
}

extension Box {
    /// South, north, west, east.
    fileprivate var sides: [Double] { [south, north, west, east] }
    /// West, south, east, north.
    var corners: [Double] { [west, south, east, north] }
}

extension Coordinate {
    fileprivate var texts: (latitude: String, longitude: String) {
        (latitude.withoutExponent, longitude.withoutExponent)
    }
}

extension JSONWriter {
    /// A point of GeoJSON.
    mutating func point(_ place: Coordinate) {
        object { json in
            json.member("type", "Point")
            json.list("coordinates", [place.longitude, place.latitude]) { $0.value($1) }
        }
    }
}
