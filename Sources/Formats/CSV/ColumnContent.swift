import Geocoding
import Towns

/// The meaning of a column, guessed from its cells: for columns with unknown names.
enum ColumnContent {
    /// The number of rows that are examined.
    static let sampleSize = 100

    /// The field that at least three of five cells fit, of those that are not blank.
    static func field(of cells: [String]) -> ContactField? {
        let cells = cells.map(\.trimmed).filter { !$0.isEmpty }
        let counts = Dictionary(grouping: cells.compactMap(field(of:)), by: \.self).mapValues(\.count)
        guard let best = counts.max(by: { $0.value < $1.value }), best.value * 5 >= cells.count * 3 else { return nil }
        // Many words are also the name of a small town.
        if best.key == .city, cells.count < 3 { return nil }
        // Ids look like postcodes, but grow from row to row.
        let numbers = cells.compactMap { Int($0) }
        let isAscending =
            cells.count > 2 && numbers.count == cells.count && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
        return best.key == .postcode && isAscending ? nil : best.key
    }

    /// True if most cells have a digit. A check that is cheap, before their fields are found.
    static func haveDigits(_ cells: [String]) -> Bool { most(of: cells) { $0.contains(where: \.isNumber) } }

    /// True if most cells have several parts or many words.
    static func areLines(_ cells: [String]) -> Bool {
        most(of: cells) { $0.contains { $0 == "," || $0.isNewline } || $0.split(separator: " ").count > 3 }
    }

    /// True if most cells are degrees with at least three decimals, and no cell is outside of Earth.
    static func areDegrees(_ cells: [String]) -> Bool {
        most(of: cells) { cell in
            let parts = cell.replacing(",", with: ".").split(separator: ".")
            return parts.count == 2 && parts[1].count > 2
                && Double(parts.joined(separator: ".")).map { abs($0) <= 180 } == true
        }
    }

    /// True if most cells are a street with a number. `Order 17` and `Order 18` are numbers of something else.
    static func areStreets(_ cells: [String]) -> Bool {
        let names = Set(cells.map { $0.filter { !$0.isNumber }.trimmed }.filter { !$0.isEmpty })
        return field(of: cells) == .street && (names.count > 1 || cells.count < 3)
    }

    private static func most(of cells: [String], _ isSo: (String) -> Bool) -> Bool {
        let cells = cells.map(\.trimmed).filter { !$0.isEmpty }
        return !cells.isEmpty && cells.count(where: isSo) * 5 >= cells.count * 3
    }

    static func field(of cell: String) -> ContactField? {
        guard cell.utf8.count < 200, let first = cell.first, first != "*" else { return nil }
        let hasDigit = cell.contains(where: \.isNumber)
        // Two letters may be a country, a state or initials.
        if !hasDigit, cell.count > 2, Country.meant(by: cell) != nil { return .country }
        let read = Gazetteer.shared.read(line: cell, country: "")
        return switch (read.street.isEmpty, read.city.isEmpty, read.postcode.isEmpty) {
        // An amount such as 1234.50 is not a postcode.
        case (true, true, false): Double(cell.replacing(",", with: ".")) != nil && Int(cell) == nil ? nil : .postcode
        case (true, false, true): .city
        case (true, false, false): .postcodeCity
        // `(480) 930-6812 ext. 604` is not a street.
        case (false, true, _):
            hasDigit && cell.lowercased().contains { $0.isLetter && !"ext".contains($0) } ? .street : nil
        case (false, false, _): hasDigit ? .formatted : nil
        case (true, true, true): nil
        }
    }
}
