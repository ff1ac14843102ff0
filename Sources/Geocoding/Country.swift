import CWords

/// A country, recognized in many spellings.
public struct Country: Hashable, Sendable {
    /// ISO 3166-1 alpha-2, in upper case.
    public let code: String

    /// The English name.
    public let name: String

    /// Recognizes codes of two or three letters, English names with their common forms (`U.S.A.`, `Holland`), and the
    /// names in the country's own and in some forty other languages (`Suomi`, `日本`, `Svizzera`).
    ///
    /// England, Scotland, Wales and Northern Ireland are the United Kingdom.
    public init?(_ spelling: String) {
        if let code = Self.codeIndex(spelling) {
            guard let country = Self.table.pairs[code] else { return nil }
            self = country
            return
        }
        var folded: [UInt8] = []
        Folding.canonical(spelling, into: &folded)
        self.init(folded: folded)
    }

    /// Recognizes a spelling that is already in canonical form.
    package init?(folded spelling: some Sequence<UInt8>) {
        guard let country = Self.table.owners[SpellingKey(spelling)] else { return nil }
        self = country
    }

    /// Recognizes a country that an address means. This accepts more than ``init(_:)``, which is part of the recipe of
    /// hashes: `Korea`, `Egypt, Arab Rep.`, `United Kingdom (UK)`.
    package static func meant(by spelling: String) -> Country? {
        if let country = named(spelling) { return country }
        guard let bracket = spelling.utf8.firstIndex(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") })
        else {
            return nil
        }
        let (outside, inside) = (spelling[..<bracket], spelling[bracket...].dropFirst().prefix { !")]".contains($0) })
        return named(String(outside)) ?? named(String(inside))
    }

    private static func named(_ spelling: String) -> Country? {
        if let code = codeIndex(spelling) { return table.pairs[code] }
        var folded: [UInt8] = []
        Folding.canonical(spelling, into: &folded)
        let key = SpellingKey(folded)
        return table.owners[key] ?? aliases[key]
    }

    private init(code: String, name: String) {
        self.code = code
        self.name = name
    }

    /// The code in canonical form.
    var foldedCode: [UInt8] {
        code.utf8.map { $0 | 0x20 }
    }
}

extension Country {
    /// The folded code of one of its regions, in countries where people write regions as codes; nil for any other text.
    package func regionCode(of spelling: String) -> String? {
        Region.code(folded: Array(Folding.canonical(spelling).utf8)[...], in: self)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// All countries, by their codes.
    public static var all: [Country] { table.countries }

    private static let table = Table(words_countries().lines)

    private static let aliases: [SpellingKey: Country] = {
        var aliases: [SpellingKey: Country] = [:]
        for row in words_country_aliases().rows {
            for name in row.dropFirst() {
                aliases[SpellingKey(Folding.canonical(String(name)).utf8)] = Country(String(row[0]))
            }
        }
        return aliases
    }()

    /// The index of two ASCII letters among all pairs of letters; nil for any other text.
    private static func codeIndex(_ spelling: String) -> Int? {
        let utf8 = spelling.utf8
        guard utf8.count == 2, let first = utf8.first, let last = utf8.last else { return nil }
        let (one, other) = (Int(first | 0x20) - 0x61, Int(last | 0x20) - 0x61)
        return (0..<26).contains(one) && (0..<26).contains(other) ? one * 26 + other : nil
    }

    private struct Table {
        var countries: [Country] = []
        var owners: [SpellingKey: Country] = [:]
        /// Indexed by two letters, because most spellings are codes.
        var pairs: [Country?] = []

        init(_ lines: [Slice<UnsafeBufferPointer<UInt8>>]) {
            owners.reserveCapacity(10_000)
            for line in lines {
                let names = line.split(separator: UInt8(ascii: "|"))
                if line.first == UInt8(ascii: " "), let country = countries.last {
                    for name in names { owners[SpellingKey(name)] = country }
                } else {
                    let names = names.map { String(decoding: $0, as: UTF8.self) }
                    let country = Country(code: names[0], name: names[2])
                    countries.append(country)
                    for name in names { owners[SpellingKey(Folding.canonical(name).utf8)] = country }
                }
            }
            let letters = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
            for first in letters {
                for last in letters { pairs.append(owners[SpellingKey([first, last])]) }
            }
        }
    }
}

/// A folded name without its spaces, hyphens and apostrophes: `u s a` is `usa`, `guinea-bissau` is `guinea bissau`.
struct SpellingKey: Hashable {
    private let bytes: [UInt8]

    init(_ folded: some Sequence<UInt8>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(folded.underestimatedCount)
        for byte in folded where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "-") && byte != UInt8(ascii: "'") {
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    func hash(into hasher: inout Hasher) {
        // All at once: an array feeds its hasher byte by byte.
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
