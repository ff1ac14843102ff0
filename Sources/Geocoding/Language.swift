import CWords

/// A language for the names of countries.
package struct Language: Sendable {
    /// The row of the table; nil for English.
    private let names: [Substring]?

    /// The language of a tag such as `de-AT` (https://www.rfc-editor.org/rfc/rfc5646). English if the table has no such
    /// language.
    package init(_ tag: some StringProtocol) {
        let parts = tag.split(separator: "-").map { $0.lowercased() }
        let rest = parts.dropFirst()
        var name = parts.first ?? ""
        switch name {
        case "zh" where !rest.filter(["hant", "tw", "hk", "mo"].contains).isEmpty && !rest.contains("hans"):
            name = "zh_Hant"
        case "pt" where !rest.isEmpty && !rest.contains("br"): name = "pt_PT"
        case "sr" where rest.contains("latn"): name = "sr_Latn"
        default: break
        }
        names = Self.rows[name]?.split(separator: "|", omittingEmptySubsequences: false)
    }

    /// The name of the country with this code, from the Unicode CLDR; the English name if the CLDR has none.
    package func countryName(_ code: String) -> String? {
        if let names, let column = Self.columns[code], column < names.count, !names[column].isEmpty {
            return String(names[column])
        }
        return Country(code)?.name
    }

    private static let lines = words_country_names().lines.map { String(decoding: $0, as: UTF8.self) }

    private static let columns: [String: Int] = {
        let codes = lines.first?.split(separator: "|", omittingEmptySubsequences: false) ?? []
        return Dictionary(uniqueKeysWithValues: codes.enumerated().dropFirst().map { (String($0.element), $0.offset) })
    }()

    private static let rows = Dictionary(
        uniqueKeysWithValues: lines.dropFirst().map { (String($0.prefix { $0 != "|" }), $0) })
}
