import CWords

/// The regions of countries in ISO 3166-2.
package enum Subdivision {
    /// The code, such as `US-NV`, of the region with this name; nil if it is not known.
    package static func code(of name: String, in country: String) -> String? {
        codes["\(country)|\(Folding.loose(name))"].map { "\(country)-\($0)" }
    }

    private static let codes: [String: Substring] = {
        var codes: [String: Substring] = [:]
        for row in words_subdivisions().rows where row.count > 2 {
            for name in row[2...] + [row[1]] {
                let key = "\(row[0])|\(Folding.loose(String(name)))"
                if codes[key] == nil { codes[key] = Substring(row[1]) }
            }
        }
        return codes
    }()
}
