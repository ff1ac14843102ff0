extension Placemark {
    /// The address in the format of its country, line by line, with the name of the place if it has one.
    ///
    /// The country's line is left out if `origin` is the code of the same country.
    public func addressLines(from origin: String? = nil) -> [String] {
        PostalFormat(of: self).lines(of: self, from: origin)
    }

    /// The same on one line.
    public func addressText(from origin: String? = nil) -> String {
        let format = PostalFormat(of: self)
        return format.lines(of: self, from: origin).joined(separator: format.isEastern(self) ? " " : ", ")
    }

    /// Street and house number, in the order of the country.
    public var streetLine: String? {
        PostalFormat(of: self).streetLine(of: self)
    }

    /// Street and city, or those of them that exist; otherwise `displayName`.
    public var shortAddress: String {
        let city = Self.clean(locality) ?? Self.clean(subLocality) ?? Self.clean(administrativeArea)
        let parts = [streetLine ?? properName, city].compactMap(\.self)
        guard let first = parts.first, let last = parts.last else { return displayName }
        return Folding.loose(first) == Folding.loose(last) ? first : parts.joined(separator: ", ")
    }

    /// The title of the place on a screen. Never blank, and never a pair of numbers.
    public var displayName: String {
        properName ?? streetLine ?? Self.clean(locality) ?? Self.clean(subLocality)
            ?? Self.clean(administrativeArea) ?? countryTitle ?? "Unnamed place"
    }

    /// The name, unless it is blank or a coordinate.
    var properName: String? {
        Self.clean(name).flatMap { Self.isCoordinate($0) ? nil : $0 }
    }

    private var countryTitle: String? {
        Self.clean(countryName) ?? countryCode.flatMap(Country.init)?.name
    }

    private static func clean(_ text: String?) -> String? {
        PostalParts.line(text ?? "").first
    }

    /// True if `text` consists only of two or more numbers, such as `60.1699, 24.9384`, `60.17° N 24.94° E`,
    /// `geo:60.2,24.9`.
    ///
    /// One of them must have a fraction or a degree sign: `12 14` is more likely a house number.
    private static func isCoordinate(_ text: String) -> Bool {
        let signs: Set<Character> = ["°", "′", "″", "'", "\"", "’", "”", "º"]
        var numbers = 0
        for word in text.lowercased().split(whereSeparator: { ",;:()=/ ".contains($0) || signs.contains($0) }) {
            if words.contains(String(word)) { continue }
            guard let number = degrees(word), abs(number) <= 180 else { return false }
            numbers += 1
        }
        return numbers >= 2 && text.contains { $0 == "." || signs.contains($0) }
    }

    private static let words: Set = ["geo", "lat", "lon", "lng", "long", "latitude", "longitude", "n", "s", "e", "w"]

    /// `60.17`, `-33.86`, `n60.17` or `24.94e`.
    private static func degrees(_ word: Substring) -> Double? {
        var digits = word.map { $0 == "−" || $0 == "–" ? "-" : $0 }
        if let last = digits.last, "nsew".contains(last) { digits.removeLast() }
        if let first = digits.first, "nsew".contains(first) { digits.removeFirst() }
        return Double(String(digits))
    }
}
