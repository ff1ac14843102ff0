import CWords

/// The text that the post of a country prints for a region, if that is not the region's own name.
///
/// Kept apart from ``Region``, which hashes are made of and which is frozen.
enum PostalRegion {
    /// Returns the code or name to print for the first known of `names`: nil if none is known, blank if nothing is
    /// printed. The names are those of a region, then of a county and a town.
    static func printed(_ names: [String?], in country: Country) -> String? {
        guard let table = tables[country.code] else { return nil }
        return names.lazy.compactMap(\.self).compactMap { table[key($0)] }.first
    }

    /// Territories of the United States, whose code is printed in place of a state's: `SAN JUAN, PR 00907`.
    static let territories: Set = ["AS", "FM", "GU", "MH", "MP", "PR", "PW", "VI"]

    private static func key(_ name: String) -> String {
        var key = Folding.loose(name)
        for prefix in prefixes where key.hasPrefix(prefix) { key.removeFirst(prefix.count) }
        return key.filter { $0 != " " }
    }

    private static let prefixes = [
        "provincia autonoma di ", "provincia di ", "province of ", "citta metropolitana di ", "metropolitan city of ",
        "libero consorzio comunale di ",
    ]

    private static let tables: [String: [String: String]] = {
        var tables: [String: [String: String]] = [:]
        for row in words_postal_regions().rows {
            for name in row.dropFirst() where !name.isEmpty {
                tables[String(row[0]), default: [:]][key(String(name))] = String(row[1])
            }
        }
        return tables
    }()
}
