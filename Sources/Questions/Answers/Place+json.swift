import FoundationEssentials
package import Geocoding
import JSON

/// The JSON of stored answers. Writing is coded by hand, because each answer of a worker is written here. The keys are
/// those of `Codable`, which reads them.
extension [Place] {
    package init(json: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    }

    /// The value of `geocodes.candidates`.
    package var json: String {
        JSONWriter.text { json in json.list(self) { $0.candidate($1) } }
    }
}

extension Placemark {
    /// `names` is the value of `geocodes.placemark`. The coordinate has columns of its own.
    package init(at coordinate: Coordinate, names: String?) throws {
        self.init(coordinate: coordinate)
        guard let names, names != "{}" else { return }
        let members = try JSONValue(parsing: Array(names.utf8)).object ?? [:]
        for name in Self.names { self[keyPath: name.path] = members[name.stored]?.text }
    }

    /// The value of `geocodes.placemark`: the names, without the coordinate.
    var namesAsJSON: String {
        JSONWriter.text { json in json.object { $0.names(of: self) } }
    }
}

extension JSONWriter {
    fileprivate mutating func candidate(_ candidate: Place) {
        object { json in
            json.object("placemark") { json in
                json.object("coordinate") { json in
                    json.member("latitude", candidate.placemark.coordinate.latitude)
                    json.member("longitude", candidate.placemark.coordinate.longitude)
                }
                json.names(of: candidate.placemark)
            }
            json.member("precision", candidate.precision.rawValue)
            json.member("confidence", candidate.areaConfidence)
            json.member("isWeak", candidate.isWeak)
            json.member("provider", candidate.provider)
            json.present("step", candidate.step?.rawValue)
            if let days = candidate.days { json.member("days", days) }
            json.member("isLent", candidate.isLent)
        }
    }

    fileprivate mutating func names(of place: Placemark) {
        for name in Placemark.names { present(name.stored, place[keyPath: name.path]) }
    }

    /// Writes a member only if there is a value. A zero byte is left out, because PostgreSQL stores no text with one.
    private mutating func present(_ name: String, _ value: String?) {
        guard let value else { return }
        member(name, value.utf8.contains(0) ? value.replacing("\0", with: "") : value)
    }
}
