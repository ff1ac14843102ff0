import JSON

/// Which kind of contacts a file of JSON holds.
package enum JSONSource: Hashable, Sendable {
    case monica, geoJSON, ndjson

    /// Goes by what stands in the first object, as far as it reaches. Nil where it is none of them.
    package static func kind(beginning bytes: [UInt8]) -> JSONSource? {
        var rest = bytes[...]
        var elements = JSONElements(at: signs.map(\.path), largest: 64) { buffer in
            let piece = rest.prefix(buffer.count)
            buffer.copyBytes(from: piece)
            rest.removeFirst(piece.count)
            return piece.count
        }
        var isContact = false
        // A file that is cut off here, or goes on with a second object, ends in an error: what was seen before it counts.
        while let element = try? elements.next() {
            let sign = signs[element.path]
            let value = element.bytes.flatMap { try? JSONValue(parsing: $0) }
            guard sign.values.isEmpty || sign.values.contains(where: { value == .text($0) }) else { continue }
            if sign.kind != .ndjson { return sign.kind }
            isContact = true
        }
        return isContact ? .ndjson : nil
    }

    /// Where a kind shows, and the texts of which one must stand there. A contact's own `key` counts least: the others
    /// may have members of that name.
    private static let signs: [(path: [String], values: [String], kind: JSONSource)] = [
        (["type"], ["FeatureCollection", "Feature"], .geoJSON),
        (["features", "*", "type"], ["Feature"], .geoJSON),
        (["app_version"], [], .monica),
        (["account", "data", "*", "type"], [], .monica),
        (["key"], [], .ndjson),
    ]
}
