import Geocoding

extension ContactPlace {
    /// The coordinate for a vCard. Another import of the card would take it for the contact's own position, so it is
    /// nil while the address waits.
    var finalCoordinate: Coordinate? { status == .located ? coordinate : nil }
}

/// Reads and writes coordinates in vCards.
enum VCardPosition {
    /// Reads `geo:37.38,-122.08` (4.0), `37.38;-122.08` (3.0) and `-122.08,37.38` (2.1, where longitude comes first).
    ///
    /// Many programs write the form of 3.0 into a card of 2.1. A semicolon identifies it.
    static func coordinate(_ text: String, version: String) -> Coordinate? {
        var text = VCardText.unescaped(text).trimmed.lowercased()
        let isURI = text.hasPrefix("geo:")
        if isURI {
            text = text.dropFirst(4).prefix { $0 != ";" }.trimmed
        }
        let hasSemicolon = text.contains(";")
        let numbers = text.split(separator: hasSemicolon ? ";" : ",", omittingEmptySubsequences: false)
            .map { Double($0.trimmed) }
        guard numbers.count == 2 || numbers.count == 3 && isURI, let first = numbers[0], let second = numbers[1] else {
            return nil
        }
        let isLongitudeFirst = !isURI && !hasSemicolon && version == "2.1"
        return Coordinate(
            latitude: isLongitudeFirst ? second : first, longitude: isLongitudeFirst ? first : second)
    }

    /// The grammar forbids an exponent: https://www.rfc-editor.org/rfc/rfc5870#section-3.3
    static func uri(_ coordinate: Coordinate) -> String {
        let degrees = [coordinate.latitude, coordinate.longitude].map { degrees in
            let text = degrees.withoutExponent
            return text.hasSuffix(".0") ? text.dropLast(2) : text[...]
        }
        return "geo:\(degrees.joined(separator: ","))"
    }

    /// The form that programs read in all versions before 4.0.
    static func pair(_ coordinate: Coordinate) -> String {
        [coordinate.latitude, coordinate.longitude].map { degrees in
            var text = degrees.sevenDecimals[...]
            while text.last == "0" { text.removeLast() }
            return text.last == "." ? text.dropLast() : text
        }.joined(separator: ";")
    }
}
