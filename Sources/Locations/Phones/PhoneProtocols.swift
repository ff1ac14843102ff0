package import JSON
import Processes
import Tracking

/// The messages that OwnTracks posts in its HTTP mode: https://owntracks.org/booklet/tech/json/
package enum OwnTracks {
    /// True for a message that only the phone's key can decrypt: https://owntracks.org/booklet/features/encrypt/
    package static func isEncrypted(_ message: JSONValue) -> Bool {
        message.object?["_type"]?.text == "encrypted"
    }

    /// Returns nil for other kinds of messages. They are not stored, and get the same reply as a location.
    package static func fix(in message: JSONValue) -> ReceivedFix? {
        guard let object = message.object, object["_type"]?.text == "location" else { return nil }
        let members = MemberReader(object)
        return ReceivedFix(members.text("tid")) { () throws(ReceivedFix.Unusable) in
            Fix(
                id: try members.id("_id"), lat: try members.number("lat"), lng: try members.number("lon"),
                accuracy: try members.optionalNumber("acc"), timestamp: try members.timestamp("tst"))
        }
    }
}

/// The batches that Overland posts: https://github.com/aaronpk/Overland-iOS#api
package enum Overland {
    /// Returns nil if the body is not a batch. Log entries and trips are left out: they only repeat a position with the
    /// time of writing.
    package static func fixes(in body: JSONValue) -> [ReceivedFix]? {
        guard let features = body.object?["locations"]?.list else { return nil }
        // Colota and newer versions of Overland send the id here.
        let device = MemberReader(body.object ?? [:]).text("device_id")
        return features.compactMap { feature in
            let properties = feature.object?["properties"]?.object ?? [:]
            let members = MemberReader(properties)
            let action = properties["action"]?.text
            if action != nil && action != "visit" || properties["type"]?.text == "trip" { return nil }
            if action == "visit", !members.has("arrival_date"), !members.has("departure_date") { return nil }
            return ReceivedFix(members.text("device_id") ?? device) { () throws(ReceivedFix.Unusable) in
                guard let point = feature.object?["geometry"]?.object?["coordinates"]?.list, point.count >= 2,
                    case .number(let lng) = point[0], case .number(let lat) = point[1]
                else { throw .init(reason: "has no coordinates of two numbers") }
                let accuracy = try members.optionalNumber("horizontal_accuracy")
                guard action == "visit" else {
                    return Fix(lat: lat, lng: lng, accuracy: accuracy, timestamp: try members.timestamp("timestamp"))
                }
                return try visit(lat, lng, accuracy, members)
            }
        }
    }

    /// A visit is a stay from its arrival to its departure. iOS reports it twice, first without the departure. A visit
    /// with an unknown arrival is a fix at its end.
    private static func visit(
        _ lat: Double, _ lng: Double, _ accuracy: Double?, _ members: MemberReader
    ) throws(ReceivedFix.Unusable) -> Fix {
        guard members.has("arrival_date") else {
            return Fix(lat: lat, lng: lng, accuracy: accuracy, timestamp: try members.timestamp("departure_date"))
        }
        let arrival = try members.timestamp("arrival_date")
        let departure = members.has("departure_date") ? try members.timestamp("departure_date") : arrival
        return Fix(lat: lat, lng: lng, accuracy: accuracy, timestamp: arrival, waitTime: departure - arrival)
    }
}

/// The protocol of OsmAnd and of Traccar's client: https://www.traccar.org/osmand/
package enum OsmAnd {
    /// Reads the parameters of a query or a form. Without a timestamp, the fix gets `now`.
    package static func fix(in parameters: [(name: String, value: String)], now: Double) -> ReceivedFix {
        let values = Dictionary(parameters.map { ($0.name, $0.value) }) { first, _ in first }
        return ReceivedFix(values["id"] ?? values["deviceid"]) { () throws(ReceivedFix.Unusable) in
            if let valid = values["valid"], valid == "false" || valid == "0" {
                throw .init(reason: "is marked as not valid", .notValid)
            }
            func number(_ name: String) throws(ReceivedFix.Unusable) -> Double? {
                guard let text = values[name] else { return nil }
                guard let number = Double(text) else { throw .init(reason: "has a \(name) that is not a number") }
                return number
            }
            let pair = values["location"]?.split(separator: ",").map { Double($0) } ?? []
            guard let lat = try number("lat") ?? pair.first ?? nil, let lng = try number("lon") ?? pair.last ?? nil
            else {
                throw .init(reason: "has no lat and lon")
            }
            var time = now
            if let text = values["timestamp"] {
                guard
                    let given = Double(text).flatMap(Timestamp.seconds) ?? Timestamp.seconds(text)
                        ?? Timestamp.seconds(text + "Z")
                else { throw .init(reason: "has a timestamp that is neither a number nor a time") }
                time = given
            }
            return Fix(lat: lat, lng: lng, accuracy: try number("accuracy"), timestamp: time)
        }
    }

    /// Reads JSON as Traccar's client sends it from version 9 on: one location, or a list of them. Returns nil for
    /// anything else.
    package static func fixes(in body: JSONValue) -> [ReceivedFix]? {
        guard let object = body.object, let location = object["location"] else { return nil }
        let device = object["device_id"]?.text
        return (location.list ?? [location]).map { location in
            ReceivedFix(device) { () throws(ReceivedFix.Unusable) in
                let members = MemberReader(location.object ?? [:])
                let place = try members.object("coords")
                return Fix(
                    id: try members.id("uuid"), lat: try place.number("latitude"), lng: try place.number("longitude"),
                    accuracy: try place.optionalNumber("accuracy"), timestamp: try members.timestamp("timestamp"))
            }
        }
    }
}
