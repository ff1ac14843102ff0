import JSON

/// The kinds of contact files in JSON.
package enum JSONSource: Hashable, Sendable {
    case monica, geoJSON, ndjson

    /// Detects the kind from the members of the first object, as far as `bytes` contain them. Nil if it is unknown.
    package static func kind(beginning bytes: [UInt8]) -> JSONSource? {
        var rest = bytes[...]
        var elements = JSONElements(at: signs.map(\.path), largest: 64) { buffer in
            let piece = rest.prefix(buffer.count)
            buffer.copyBytes(from: piece)
            rest.removeFirst(piece.count)
            return piece.count
        }
        var isContact = false
        // A text that is cut off, or has a second object, ends with an error. The members before it still count.
        while let element = try? elements.next() {
            let sign = signs[element.path]
            let value = element.bytes.flatMap { try? JSONValue(parsing: $0) }
            guard sign.values.isEmpty || sign.values.contains(where: { value == .text($0) }) else { continue }
            if sign.kind != .ndjson { return sign.kind }
            isContact = true
        }
        return isContact ? .ndjson : nil
    }

    /// The members that identify a kind, with their possible values. A contact's own `key` comes last, because the
    /// other kinds may also have a member of that name.
    private static let signs: [(path: [String], values: [String], kind: JSONSource)] = [
        (["type"], ["FeatureCollection", "Feature"], .geoJSON),
        (["features", "*", "type"], ["Feature"], .geoJSON),
        (["app_version"], [], .monica),
        (["account", "data", "*", "type"], [], .monica),
        (["key"], [], .ndjson),
    ]
}
