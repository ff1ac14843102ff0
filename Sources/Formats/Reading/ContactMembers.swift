import Geocoding
import JSON

/// The reason why a part of a source is not a contact. It names columns, properties or members, never their content.
struct UnusableContact: Error {
    let reason: String
}

/// A JSON object with data of a contact. It enforces the limits of every source.
struct ContactMembers {
    let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) {
        self.members = members
    }

    /// Returns whether the member exists and is not null.
    func has(_ name: String) -> Bool {
        (members[name] ?? .null) != .null
    }

    /// A text without the white space around it; blank if the member is missing. A number is accepted, because
    /// postcodes are numbers in many files.
    func text(_ name: String, limit: TextLimit = .text) throws(UnusableContact) -> String {
        let text: String
        switch members[name] ?? .null {
        case .null: return ""
        case .text(let written): text = written.tidied
        case .number(let number) where abs(number) < 0x1p53: text = JSONValue.number(number).written ?? ""
        case .number:
            throw UnusableContact(reason: "the member \"\(name)\" is a number too large to be exact; put it in quotes")
        case .bool, .list, .object: throw UnusableContact(reason: "the member \"\(name)\" is not a text")
        }
        guard let stored = limit.fitted(text) else {
            throw UnusableContact(reason: "the member \"\(name)\" \(limit.refusal)")
        }
        // PostgreSQL can't store a zero byte in a text.
        guard !stored.utf8.contains(0) else {
            throw UnusableContact(reason: "there is a NUL character in the member \"\(name)\"")
        }
        return stored
    }

    func key(_ name: String) throws(UnusableContact) -> String {
        try text(name, limit: .key)
    }

    /// A text that becomes a part of a key.
    func id(_ name: String) throws(UnusableContact) -> String {
        try text(name, limit: .id)
    }

    /// The position in the members `latitude` and `longitude`.
    var position: WrittenPosition { WrittenPosition(latitude: members["latitude"], longitude: members["longitude"]) }
}

/// A position as it is in a source: numbers that may be texts, and may be invalid.
enum WrittenPosition {
    case none
    case known(Coordinate)
    case wrong

    init(latitude: JSONValue?, longitude: JSONValue?) {
        let isSaid = [latitude, longitude].contains { $0 != nil && $0 != .null && $0 != .text("") }
        guard isSaid else {
            self = .none
            return
        }
        guard let latitude = latitude?.number, let longitude = longitude?.number,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else {
            self = .wrong
            return
        }
        self = .known(coordinate)
    }

    /// The first item is the longitude: https://www.rfc-editor.org/rfc/rfc7946#section-3.1.1
    init(geoJSON coordinates: JSONValue?) {
        guard let items = coordinates?.list, items.count >= 2 else {
            self = .wrong
            return
        }
        self.init(latitude: items[1], longitude: items[0])
    }
}
