import JSON
import Processes

extension LocationToUpload {
    /// The key under which a sink stores a location. Texts are compared by their bytes: in Swift, "é" as one character
    /// equals "é" as two.
    struct Key: Hashable {
        private let milliseconds: Int
        private let user: [UInt8]
        private let id: [UInt8]

        init(_ location: LocationToUpload) {
            milliseconds = location.milliseconds
            user = Array(location.user.utf8)
            id = Array(location.id.utf8)
        }
    }

    var key: Key { Key(self) }

    private var milliseconds: Int { Int(clamping: timestamp * 1_000) }

    /// When the stay began, in RFC 3339, to the millisecond.
    var time: String { Timestamp.text(timestamp) }
}

extension Parcel {
    /// Returns each location once. If one occurs several times, the last occurrence counts, in its place.
    func last<Key: Hashable>(by key: (LocationToUpload) -> Key) -> [LocationToUpload] {
        var seen: Set<Key> = []
        return locations.reversed().filter { seen.insert(key($0)).inserted }.reversed()
    }
}

extension JSONWriter {
    /// Writes a location, as `GET /v1/trackers/{user}/locations` does.
    mutating func location(_ location: LocationToUpload) {
        object { json in
            json.member("id", location.id)
            json.member("user", location.user)
            json.member("lat", location.lat)
            json.member("lng", location.lng)
            json.member("accuracy", location.accuracy)
            json.member("timestamp", location.time)
            json.member("wait_time", location.waitTime)
            json.member("uploaded", true)
        }
    }

    /// Writes the members that identify a removed location.
    mutating func removal(_ location: LocationToUpload) {
        object { json in
            json.member("id", location.id)
            json.member("user", location.user)
            json.member("timestamp", location.time)
        }
    }
}
