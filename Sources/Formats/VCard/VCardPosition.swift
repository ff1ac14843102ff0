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

    static func uri(_ coordinate: Coordinate) -> String {
        "geo:\(exact(coordinate.latitude)),\(exact(coordinate.longitude))"
    }

    /// The form that programs read in all versions before 4.0.
    static func pair(_ coordinate: Coordinate) -> String {
        "\(decimal(coordinate.latitude));\(decimal(coordinate.longitude))"
    }

    /// All digits, without the exponent that Swift writes and the grammar forbids:
    /// https://www.rfc-editor.org/rfc/rfc5870#section-3.3
    private static func exact(_ degrees: Double) -> String {
        let parts = "\(degrees.magnitude)".split(separator: "e-")
        var digits = parts[0].hasSuffix(".0") ? parts[0].dropLast(2) : parts[0]
        if parts.count == 2, let exponent = Int(parts[1]) {
            digits = "0." + String(repeating: "0", count: exponent - 1) + digits.filter { $0 != "." }
        }
        return (degrees < 0 ? "-" : "") + digits
    }

    /// Seven decimals, which is about a centimetre.
    private static func decimal(_ degrees: Double) -> String {
        let units = Int((degrees * 1e7).rounded())
        let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
        let digits = String(rest)
        let fraction = (String(repeating: "0", count: 7 - digits.count) + digits).trimmingZeros
        return "\(units < 0 ? "-" : "")\(whole)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }
}

extension String {
    fileprivate var trimmingZeros: Substring {
        self[..<(lastIndex { $0 != "0" }.map(index(after:)) ?? startIndex)]
    }
}
