import Geocoding
import JSON
import Processes

/// The format of a track. It is written piece by piece, so that a year of positions needs no memory.
package enum TrackFormat: String, CaseIterable, Sendable {
    case geojson
    case gpx

    package var contentType: String {
        switch self {
        case .geojson: "application/geo+json"
        case .gpx: "application/gpx+xml"
        }
    }

    /// The text before the first location.
    package var head: String {
        switch self {
        case .geojson: #"{"type":"FeatureCollection","features":["#
        case .gpx:
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Waypost" xmlns="http://www.topografix.com/GPX/1/1">
            <trk><trkseg>

            """
        }
    }

    /// `isFirst` is true for the first location, which has no separator before it.
    package func text(of location: StoredLocation, isFirst: Bool) -> String {
        switch self {
        case .geojson: (isFirst ? "\n" : ",\n") + Self.feature(location)
        // One point for the arrival, and one for the departure.
        case .gpx:
            Self.point(location, at: location.timestamp)
                + (location.waitTime > 0 ? Self.point(location, at: location.timestamp + location.waitTime) : "")
        }
    }

    /// The text after the last location.
    package var tail: String {
        switch self {
        case .geojson: "\n]}\n"
        case .gpx: "</trkseg></trk>\n</gpx>\n"
        }
    }

    /// https://www.rfc-editor.org/rfc/rfc7946
    private static func feature(_ location: StoredLocation) -> String {
        JSONWriter.text { json in
            json.object { json in
                json.member("type", "Feature")
                json.member("id", location.id)
                json.object("geometry") { json in
                    json.member("type", "Point")
                    json.list("coordinates", [location.lng, location.lat]) { $0.value($1) }
                }
                json.object("properties") { json in
                    json.member("user", location.user)
                    json.member("timestamp", Timestamp.text(location.timestamp))
                    json.member("wait_time", location.waitTime)
                    json.member("accuracy", location.accuracy)
                }
            }
        }
    }

    /// https://www.topografix.com/GPX/1/1/. Its xsd:decimal does not permit an exponent.
    private static func point(_ location: StoredLocation, at moment: Double) -> String {
        """
        <trkpt lat="\(location.lat.withoutExponent)" lon="\(location.lng.withoutExponent)">\
        <time>\(Timestamp.text(moment))</time></trkpt>

        """
    }
}
