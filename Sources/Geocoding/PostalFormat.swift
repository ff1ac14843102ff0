/// The format of addresses on envelopes in a country: the order of the lines, the place of the postcode, the parts in
/// capitals.
///
/// Addresses in Chinese, Japanese and Korean letters go from the large to the small. The same addresses in Latin
/// letters go the other way round.
public struct PostalFormat: Hashable, Sendable {
    /// Nil if the country is unknown. The format is then the most common one.
    public let country: Country?

    private let western: Script
    /// For Chinese, Japanese and Korean letters.
    private let eastern: Script?

    private struct Script: Hashable {
        /// Street and house number.
        let street: PostalLayout
        let address: PostalLayout
        let isEastern: Bool
    }

    /// The format of a country, given by its ISO 3166-1 code or any of its names.
    public init(countryCode: String?) {
        country = countryCode.flatMap(Country.init)
        (western, eastern) = country.flatMap { Self.formats[$0.code] } ?? Self.usual
    }

    public init(of address: Address) {
        self.init(countryCode: address.country)
    }

    public init(of placemark: Placemark) {
        let country = placemark.countryCode.flatMap(Country.init) ?? placemark.countryName.flatMap(Country.init)
        self.init(countryCode: country?.code)
    }

    private static let usual = scripts(PostalFormats.usual)
    private static let formats = PostalFormats.table.mapValues(scripts)

    private static func scripts(_ columns: [Substring]) -> (western: Script, eastern: Script?) {
        let scripts = stride(from: 0, to: columns.count, by: 2).map { column in
            Script(
                street: PostalLayout(columns[column]), address: PostalLayout(columns[column + 1]), isEastern: column > 0
            )
        }
        return (scripts[0], scripts.count > 1 ? scripts[1] : nil)
    }
}

extension PostalFormat {
    /// Returns the lines of `address` for an envelope, without the person's name.
    ///
    /// The last line is the country in English capitals. It is left out if `origin`, the code of the country where the
    /// letter is posted, is the same.
    ///
    /// Each part is printed as it was written, with these exceptions: parts in capitals, regions that the post wants as
    /// a code (`CA` for California), and the spaces and hyphens of postcodes. A region that only repeats the city is
    /// left out. A part without a place in the country's format gets a line of its own.
    public func lines(of address: Address, from origin: String? = nil) -> [String] {
        lines(of: PostalParts(address, in: country)) + countryLine(names: [address.country], from: origin)
    }

    /// Returns the same for a place. Its region and neighbourhood are left out if the country's format has no place for
    /// them and there is a city. Its name, if that is not part of the address, takes the place of the addressee: first,
    /// or last in Chinese, Japanese and Korean letters.
    public func lines(of placemark: Placemark, from origin: String? = nil) -> [String] {
        lines(of: parts(of: placemark))
            + countryLine(names: [placemark.countryCode, placemark.countryName].compactMap(\.self), from: origin)
    }

    /// The street with its house number, on one line.
    func streetLine(of placemark: Placemark) -> String? {
        let parts = PostalParts(placemark, in: country)
        let lines = script(of: parts).street.lines(of: parts)
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }

    /// True if the parts of `placemark` are written without commas, from the large to the small.
    func isEastern(_ placemark: Placemark) -> Bool {
        eastern != nil && script(of: PostalParts(placemark, in: country)).isEastern
    }

    private func parts(of placemark: Placemark) -> PostalParts {
        var parts = PostalParts(placemark, in: country)
        let layout = script(of: parts).address
        if layout.isLocal, let suburb = parts[.district].first { (parts[.city], parts[.district]) = ([suburb], []) }
        if !parts[.city].isEmpty {
            for field in [PostalField.region, .district] where !layout.wants(field) { parts[field] = [] }
        }
        return parts
    }

    private func lines(of parts: PostalParts) -> [String] {
        let script = script(of: parts)
        var composed = parts
        composed[.street] = script.street.lines(of: parts)
        composed[.number] = []
        let others = PostalField.allCases.filter { !script.address.has($0) }
        let address = script.address.lines(of: composed) + others.flatMap { composed[$0] }
        guard let name = parts.name, !parts.says(name), !composed.says(name),
            country.map({ $0 != Country(name) }) ?? true
        else { return address }
        return script.isEastern ? address + [name] : [name] + address
    }

    private func script(of parts: PostalParts) -> Script {
        if let eastern, parts.isEastern { eastern } else { western }
    }

    /// Returns the first of `names` that is a country. A name of an unknown country is printed as it is, in capitals.
    private func countryLine(names: [String], from origin: String?) -> [String] {
        let names = names.flatMap { PostalParts.line($0) }
        let written = names.lazy.compactMap(Country.init).first
        if written == nil, let name = names.last { return [name.uppercased()] }
        guard let destination = written ?? country, origin.flatMap(Country.init) != destination else { return [] }
        return [destination.name.uppercased()]
    }
}
