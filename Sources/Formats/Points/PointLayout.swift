import CWords
import Geocoding

/// The columns of a table of address data: which of them are the number, the street, the town and the position.
///
/// It is written as on the command line:
///
///     number=numero+rep,street=nom_voie,city=nom_commune|commune,longitude=lon,latitude=lat
///
/// `|` separates columns of which the first that is not blank counts, `+` columns that are joined. A `/`, `-` or space
/// before the name of a column is written between them, if both are there.
package struct PointLayout: Sendable {
    package enum Part: String, CaseIterable, Sendable {
        case number, street, city, district, region, postcode, country, longitude, latitude
    }

    struct Piece: Sendable {
        let separator: String
        let column: String
    }

    package let name: String
    let country: String
    /// The coordinate system, such as `EPSG:5514`; blank for degrees.
    let system: String
    let parts: [Part: [[Piece]]]

    /// Throws if the header lacks a column that the user named; of columns separated by `|`, all of them.
    func check(_ header: [String], of file: String) throws(ColumnMistake) {
        let known = Set(header.map { $0.trimmed.lowercased() })
        let missing = parts.values.flatMap { choices in
            let lacking = choices.map { $0.map(\.column).filter { !known.contains($0.lowercased()) } }
            return lacking.contains([]) ? [] : lacking.flatMap(\.self)
        }
        guard !missing.isEmpty else { return }
        func list(_ names: [String]) -> String {
            names.prefix(40).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
        }
        throw ColumnMistake(
            "\(file) has no column \(list(Set(missing).sorted())); its columns are \(list(header)); name those instead")
    }

    private static let needed: [Part] = [.number, .street, .longitude, .latitude]

    private init(name: String, country: String = "", system: String = "", parts: [Part: [[Piece]]]) {
        (self.name, self.country, self.system, self.parts) = (name, country, system, parts)
    }

    /// Reads the columns of a table that is not known. Throws all mistakes as one sentence.
    package init(columns text: String) throws(ColumnMistake) {
        var (parts, mistakes) = Self.read(text)
        let missing = Self.needed.filter { parts[$0] == nil }.map(\.rawValue)
        if !missing.isEmpty { mistakes.append("it names no column for \(missing.joined(separator: ", "))") }
        guard mistakes.isEmpty else { throw ColumnMistake(mistakes.joined(separator: "; ")) }
        self.init(name: "columns as given", parts: parts)
    }

    private static func read(_ text: String) -> (parts: [Part: [[Piece]]], mistakes: [String]) {
        var parts: [Part: [[Piece]]] = [:]
        var mistakes: [String] = []
        for rule in text.split(separator: ",") {
            let sides = rule.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else {
                mistakes.append("\"\(rule)\" has no =; write part=column")
                continue
            }
            guard let part = Part(rawValue: String(sides[0]).trimmed) else {
                let known = Part.allCases.map(\.rawValue).joined(separator: ", ")
                mistakes.append("\"\(sides[0])\" is not a part of an address; there are \(known)")
                continue
            }
            parts[part] = pieces(sides[1])
        }
        return (parts, mistakes)
    }

    private static func pieces(_ text: Substring) -> [[Piece]] {
        text.split(separator: "|").map { joined in
            joined.split(separator: "+").enumerated().map { place, piece in
                let separator = place > 0 ? piece.prefix { "/- ".contains($0) } : ""
                return Piece(separator: String(separator), column: piece.dropFirst(separator.count).trimmed)
            }
        }
    }

    /// The layout and its columns: `BAN, France: numero+rep → number, nom_voie → street`.
    var description: String {
        let columns = Part.allCases.compactMap { part -> String? in
            let choices = (parts[part] ?? []).map { pieces in
                pieces.map { $0.separator + $0.column }.joined(separator: "+")
            }
            return choices.isEmpty ? nil : "\(choices.joined(separator: "|")) → \(part)"
        }
        return "\(name): \(columns.joined(separator: ", "))" + (system.isEmpty ? "" : ", in \(system)")
    }
}

extension PointLayout {
    /// The layout of a table with this header; nil if it has no columns for a house and its position.
    init?(header: [String]) {
        let names = Set(header.map { $0.trimmed.lowercased() })
        let known = Self.known.first { layout in
            Self.needed.allSatisfy { part in
                layout.parts[part]?.contains { $0.allSatisfy { names.contains($0.column.lowercased()) } } ?? false
            }
        }
        guard let found = known ?? Self(namesOf: header) else { return nil }
        self = found
    }

    /// Columns with the names that lists of contacts have, in any language.
    private init?(namesOf header: [String]) {
        let keys = header.map(ContactField.key)
        let words = ColumnWords(ofHeader: keys)
        var parts: [Part: [[Piece]]] = [:]
        var previous: ContactField?
        for (key, column) in zip(keys, header) {
            previous = words.field(for: key, after: previous)
            guard let part = previous.flatMap(Self.part), parts[part] == nil else { continue }
            parts[part] = [[Piece(separator: "", column: column.trimmed)]]
        }
        // In a list of contacts, a number next to a street that is not its neighbour may be any number.
        if parts[.number] == nil, let place = keys.firstIndex(where: ColumnWords.numbers.contains) {
            parts[.number] = [[Piece(separator: "", column: header[place].trimmed)]]
        }
        guard Self.needed.allSatisfy({ parts[$0] != nil }) else { return nil }
        self.init(name: "columns by their names", parts: parts)
    }

    private static func part(of field: ContactField) -> Part? {
        switch field {
        case .houseNumber: .number
        case .street: .street
        case .city: .city
        case .region: .region
        case .postcode: .postcode
        case .country: .country
        case .longitude: .longitude
        case .latitude: .latitude
        default: nil
        }
    }

    /// Layouts by their header, from `Sources/CWords/tables/point-layouts.txt`.
    private static let known = words_point_layouts().rows.map { row in
        let columns = row.dropFirst(3).joined(separator: "|")
        return Self(
            name: String(row[0]), country: String(row[1]), system: String(row[2]), parts: read(columns).parts)
    }
}
