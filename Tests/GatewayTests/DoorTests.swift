import Access
import DatabaseTesting
import Geocoding
import HTTP
import JSON
import Postgres
import Testing

@testable import API
@testable import Gateway

/// Requests at the doors, with the gazetteer alone.
@Suite(.database)
struct DoorTests {
    @Test func `each door writes its own form of an error`() async throws {
        let kit = try await GatewayKit()
        let nominatim = #"{"error":{"code":400,"message":"#
        for (target, status, type, start) in [
            ("/nominatim/search?format=json", 400, "application/json; charset=utf-8", nominatim),
            ("/nominatim/search?q=x&city=y", 400, "application/json; charset=utf-8", nominatim),
            (
                "/nominatim/search?q=x&format=foo", 400, "text/plain; charset=utf-8",
                "ERROR 400: Parameter 'format' must"
            ),
            (
                "/nominatim/reverse?lat=abc&lon=9", 400, "text/xml; charset=utf-8",
                "<?xml version=\"1.0\" encoding=\"UTF-8\" ?><error><code>400"
            ),
            ("/nominatim/reverse?lat=47,1&lon=9&format=json", 400, "application/json; charset=utf-8", nominatim),
            (
                "/nominatim/reverse?lat=1&format=json", 400, "application/json; charset=utf-8",
                nominatim + #""Parameter 'lon' missing."#
            ),
            ("/nominatim/reverse?lat=1e400&lon=9&format=json", 400, "application/json; charset=utf-8", nominatim),
            ("/nominatim/search?q=x&limit=1e99&format=json", 200, "application/json; charset=utf-8", "["),
            ("/nominatim/search?q=x&layer=moon&format=json", 400, "application/json; charset=utf-8", nominatim),
            ("/nominatim/search?q=x&polygon_svg=1&polygon_kml=1", 400, "application/json; charset=utf-8", nominatim),
            ("/nominatim/search?q=x&json_callback=a(b", 400, "application/json; charset=utf-8", nominatim),
            (
                "/nominatim/reverse?lat=-47.3&lon=-31.5&format=geojson", 200, "application/json; charset=utf-8",
                #"{"error":"Unable to geocode"}"#
            ),
            (
                "/nominatim/reverse?lat=91&lon=181&format=jsonv2", 200, "application/json; charset=utf-8",
                #"{"error":"Unable to geocode"}"#
            ),
            ("/nominatim/search?q=qqxzzqvv", 200, "application/json; charset=utf-8", "[]"),
            (
                "/nominatim/lookup?osm_ids=N1,X2,,R99999999999999999999&format=json", 200,
                "application/json; charset=utf-8", "[]"
            ),
            ("/nominatim/status", 200, "text/plain; charset=utf-8", "OK"),
            ("/nominatim/nothing", 404, "application/json", #"{"title":"404 Not Found"}"#),
            ("/photon/api", 400, "application/json", #"{"message":"#),
            ("/photon/api?q=x&layer=moon", 400, "application/json", #"{"message":"#),
            ("/photon/api?q=x&bbox=1,2,3", 400, "application/json", #"{"message":"bbox"#),
            (
                "/photon/reverse/?lat=-47.3&lon=-31.5", 200, "application/json",
                #"{"type":"FeatureCollection","features":[]}"#
            ),
            ("/rev?lat=1", 406, "text/plain; charset=utf-8", "One of lat or lon missing"),
            ("/rev?lat=-47.3&lon=-31.5", 200, "application/json", #"{"address":{"village":"unknown address","cc":"""#),
            (
                "/addok/search/", 400, "application/json; charset=utf-8",
                #"{"title":"Bad request","description":"Missing query"}"#
            ),
            ("/geoapify/v1/geocode/reverse?lat=x&lon=1", 400, "application/json; charset=utf-8", #"{"statusCode":400"#),
            (
                "/geoapify/v1/geocode/reverse?lat=-47.3&lon=-31.5&apiKey=abc", 200, "application/json; charset=utf-8",
                #"{"type":"FeatureCollection","features":[]"#
            ),
        ] {
            let reply = try await kit.ask(target)
            #expect(
                reply.status == status && reply.type == type && reply.text.hasPrefix(start),
                "\(target): \(reply.status) \(reply.type) \(reply.text)")
            #expect(reply.headers["Access-Control-Allow-Origin"] == "*")
        }
        let post = try await kit.ask("/nominatim/search?q=x", .post)
        #expect(post.status == 405 && post.headers["Allow"] == "GET, OPTIONS")
        #expect(try await kit.ask("/nominatim/search?q=x", .head).status == 405)
    }

    @Test func `limits, boxes, countries, kinds and languages hold`() async throws {
        let kit = try await GatewayKit()
        func names(_ rest: String) async throws -> [String] {
            let reply = try await kit.ask("/nominatim/search?format=json&addressdetails=1&" + rest)
            return try #require(try reply.json.list).compactMap { $0.object?["display_name"]?.text }
        }
        let all = try await names("q=Paris")
        #expect(all.count > 1 && all[0] == "Paris, Île-de-France, France")
        #expect(try await names("q=Paris&limit=1").count == 1)
        #expect(try await names("q=Paris&countrycodes=us,XX").allSatisfy { $0.hasSuffix("United States") })
        #expect(try await names("q=Paris&countrycodes=xx").isEmpty)
        #expect(try await names("q=Paris&viewbox=-96,33,-95,34&bounded=1") == ["Paris, Texas, United States"])
        #expect(try await names("q=Paris&viewbox=-95,34,-96,33").first == "Paris, Texas, United States")
        #expect(try await names("q=Paris&featureType=country").isEmpty)
        #expect(try await names("q=Paris&accept-language=de").first == "Paris, Île-de-France, Frankreich")
        #expect(try await names("country=Liechtenstein") == ["Liechtenstein"])
        #expect(try await names("state=Nevada&country=US") == ["Nevada, United States"])
        let header = try await kit.ask("/photon/api?q=Helsinki&limit=1", headers: ["Accept-Language": "sv;q=0.9"])
        #expect(try header.at("features", "0", "properties", "country") == .text("Finland"))
        let state = try await kit.ask("/nominatim/search?q=Reno,+NV&format=json&addressdetails=1&limit=1")
        #expect(try state.at("0", "address", "ISO3166-2-lvl4") == .text("US-NV"))
        // Nearest first, of towns that are equally good; and a bias is what a person types into a field.
        let near = try await kit.ask("/photon/api?q=Springfield&lat=39.8&lon=-89.6&limit=1")
        #expect(try near.at("features", "0", "properties", "state") == .text("Illinois"))
    }

    @Test func `a place has the same number on each call, and lookup finds it`() async throws {
        let kit = try await GatewayKit()
        for target in [
            "q=Helsinki", "city=Reno&country=US", "country=FI", "postalcode=9490&country=LI", "state=Nevada&country=US",
        ] {
            let first = try await kit.ask("/nominatim/search?format=json&limit=1&" + target)
            let (id, type) = (
                try #require(try first.at("0", "osm_id")?.number), try #require(try first.at("0", "osm_type")?.text)
            )
            // Another process does not remember the place.
            let other = try await GatewayKit()
            #expect(
                try await other.ask("/nominatim/search?format=json&limit=1&" + target).at("0", "osm_id")?.number == id)
            for server in [kit, other] where target != "postalcode=9490&country=LI" || server.account == kit.account {
                let found = try await server.ask("/nominatim/lookup?format=json&osm_ids=\(type.prefix(1))\(Int(id))")
                #expect(try found.at("0", "osm_id")?.number == id, "\(target): \(found.text)")
            }
        }
    }

    @Test func `numbers keep a place to a metre, and are exact in JavaScript`() throws {
        var generator = SystemRandomNumberGenerator()
        let edges = [(90.0, 180.0), (-90, -180), (0, 0), (90, -180), (-0.000_001, 179.999_999)]
        let random = (0..<2_000).map { _ in
            (Double.random(in: -90...90, using: &generator), Double.random(in: -180...180, using: &generator))
        }
        for (latitude, longitude) in edges + random {
            let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
            for kind in PlaceKind.allCases where kind != .country {
                let number = PlaceNumber(kind, at: place, country: "FI")
                #expect(number.id > 1 << 50 && number.id < 1 << 53)
                let own = try #require(number.own)
                guard case .coordinate(let found) = own.subject else { return _ = #expect(Bool(false)) }
                #expect(own.kind == kind && found.distance(to: place) < 1)
                #expect(PlaceNumber("\(number.kind.letter)\(number.id)") == number)
            }
        }
        #expect(
            PlaceNumber(.country, at: try #require(Coordinate(latitude: 1, longitude: 1)), country: "FI").own?.subject
                == .country("FI"))
        for text in ["", "R", "R-1", "R+1", "X1", "R1.5", "R99999999999999999999", "48"] {
            #expect(PlaceNumber(text[...]) == nil)
        }
        for id in [0, 1, 48, 1 << 40, 1 << 51, (1 << 53) - 1, 1 << 62, .max] { _ = PlaceNumber(.relation, id).own }
    }

    @Test func `any parameters get a reply in the shape of the door, and never a failure`() async throws {
        let kit = try await GatewayKit()
        var generator = SystemRandomNumberGenerator()
        let names = [
            "q", "format", "lat", "lon", "limit", "zoom", "viewbox", "bounded", "countrycodes", "accept-language",
            "polygon_geojson",
            "polygon_text", "addressdetails", "extratags", "namedetails", "featureType", "layer", "osm_ids", "street",
            "city",
            "state", "postalcode", "country", "json_callback", "bbox", "radius", "lang", "type", "autocomplete", "key",
            "",
        ]
        let values = [
            "", "1", "0", "-1", "NaN", "inf", "1e308", "-1e309", "9223372036854775808", "47.1", "9.5", "Paris",
            "Zürich", "12 Main St, Reno, NV",
            "json", "xml", "geojson", "geocodejson", "jsonv2", "R48", "N3259553109554847,R1", "%00", "%F0%9F%98%80",
            "%D9%85%D8%B5%D8%B1", "1,2,3,4",
            "-181,-91,181,91", "nan,1,2,3", "us,fi", "a,b,c", "<&\">", "house", "%E2%80%8F", "f(x)", "cb", "\u{FFFD}",
            "+++", "de-CH,en;q=0.5",
        ]
        let paths = [
            "/nominatim/search", "/nominatim/reverse", "/nominatim/lookup", "/nominatim/status", "/photon/api",
            "/photon/reverse/",
            "/photon/structured", "/rev", "/addok/search", "/addok/reverse/", "/geoapify/v1/geocode/reverse",
            "/nominatim/x/y",
        ]
        for _ in 0..<4_000 {
            let items = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                "\(names.randomElement(using: &generator) ?? "")=\(values.randomElement(using: &generator) ?? "")"
            }
            let target = "\(paths.randomElement(using: &generator) ?? "")?\(items.joined(separator: "&"))"
            let reply = try await kit.ask(target)
            #expect(reply.status < 500, "\(target): \(reply.text)")
            if reply.type.hasPrefix("application/json") {
                #expect(throws: Never.self, "\(target): \(reply.text)") { try reply.json }
            }
        }
    }
}
