import Gateway
import Geocoding
import HTTP
import JSON

extension FuzzTarget {
    /// The parameters of the gateway's doors: each request is refused, or has a reply that a reader of JSON accepts.
    static let gateway = FuzzTarget(
        name: "gateway",
        seeds: [
            "nominatim/search?q=Vaduz&format=jsonv2&limit=1e9&viewbox=9,47,nan,48&bounded=1&countrycodes=li,AT",
            "nominatim/reverse?lat=47.1&lon=9.5&zoom=-1&format=geocodejson&polygon_text=1&extratags=1",
            "nominatim/lookup?osm_ids=R48,N3259553109554847,W1&format=json&json_callback=a",
            "photon/api?q=a&bbox=1,2,3,4&lat=1&lon=2&layer=house&layer=city&limit=x",
            "addok/search?q=a&type=street&lat=1&lon=x",
            "rev?lat=1e308&lon=-0", "geoapify/v1/geocode/reverse?lat=1&lon=2&limit=99999999999999999999",
        ],
        run: { bytes in
            let parts = bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
            let path = String(decoding: parts[0], as: UTF8.self).split(separator: "/").map(String.init)
            guard let query = FormBody.fields(Array(parts.dropFirst().first ?? [])) else { return }
            for door in Door.all where path.starts(with: door.path) {
                let request = GatewayRequest(
                    ServerRequest(.get, path: path, query: query), path: Array(path.dropFirst(door.path.count)))
                let response: ServerResponse
                do throws(GatewayRefusal) {
                    response = try door.call(request).reply(GatewayAnswer(places, .local))
                } catch {
                    response = door.refuse(error, request)
                }
                guard response.headers["Content-Type"]?.hasPrefix("application/json") == true else { continue }
                guard (try? JSONValue(parsing: response.bytes)) != nil else {
                    preconditionFailure("a reply is not JSON")
                }
            }
        })

    private static let places: [GatewayPlace] = {
        guard let place = Coordinate(latitude: 47.14, longitude: 9.52) else { return [] }
        let names = Placemark(
            coordinate: place, thoroughfare: "Städtle \"\u{1}", subThoroughfare: "32", locality: "Vaduz",
            countryCode: "LI")
        return Precision.allCases.map {
            GatewayPlace(
                names, $0, confidence: 1, isWeak: false, provider: "gazetteer", licence: "CC BY",
                countryName: "Liechtenstein")
        }
    }()
}
