import CWords
import Geocoding

/// A field of a contact that a column may contain.
enum ContactField: String, Hashable, CaseIterable {
    case key, id, name, given, middle, family, nickname, organisation
    case label, street, houseNumber, street2, poBox, formatted
    /// A postcode and a town together.
    case postcodeCity
    case city, region, postcode, country
    case latitude, longitude, geo, provider

    /// The field for a header of this name.
    init?(header: String) {
        self.init(key: Self.key(header))
    }

    init?(key: String) {
        guard let field = ColumnWords.meanings[key]?.first?.field else { return nil }
        self = field
    }

    /// Returns whether a contact may have the field several times, once for each address.
    var isOfAddress: Bool { isPlace || [.label, .latitude, .longitude, .geo, .provider].contains(self) }

    /// Returns whether the field helps to find a place.
    var isPlace: Bool {
        switch self {
        case .street, .houseNumber, .street2, .poBox, .formatted, .postcodeCity, .city, .region, .postcode, .country:
            true
        default: false
        }
    }

    /// A header without differences of spelling: `Código_Postal` and `codigo postal` are equal.
    static func key(_ header: String) -> String {
        Folding.loose(header).filter { $0 != " " }
    }
}

/// The names of columns in the languages of spreadsheets. The table is `Sources/CWords/tables/columns.txt`.
struct ColumnWords {
    /// The meanings of a name's key, in the order of the table.
    static let meanings: [String: [(language: String, field: ContactField)]] = {
        var meanings: [String: [(language: String, field: ContactField)]] = [:]
        for row in words_columns().rows {
            guard let field = ContactField(rawValue: String(row[0])) else { continue }
            for name in row[2].split(separator: ",") {
                meanings[ContactField.key(String(name)), default: []].append((String(row[1]), field))
            }
        }
        return meanings
    }()

    /// The words that belong to one of several addresses, with its label. A longer word comes before a word that it
    /// starts with.
    static let groups: [(word: String, label: String)] = words_columns().rows
        .filter { ["home", "work", "other"].contains($0[0]) }
        .flatMap { row in
            row[2].split(separator: ",").map { (ContactField.key(String($0)), String(row[0])) }
        }
        .sorted { $0.word.count > $1.word.count }

    /// The names that mean a house number behind the column of a street.
    static let numbers = Set(
        words_columns().rows.filter { $0[0] == "numberOfStreet" }
            .flatMap { $0[2].split(separator: ",").map { ContactField.key(String($0)) } })

    private let languages: Set<String>

    /// Finds the languages that fit most of the names. They decide the meaning of names that others have too.
    init(ofHeader keys: [String]) {
        var counts: [String: Int] = [:]
        for key in keys {
            for language in Set((Self.meanings[key] ?? []).map(\.language)) { counts[language, default: 0] += 1 }
        }
        let most = counts.values.max()
        languages = Set(counts.filter { $0.value == most }.keys)
    }

    /// The field for a column; nil if it is unknown. `previous` is the field of the column before.
    func field(for key: String, after previous: ContactField?) -> ContactField? {
        let meanings = Self.meanings[key] ?? []
        if let own = meanings.first(where: { languages.contains($0.language) }) { return own.field }
        // Two letters, such as "by" and "il", are also abbreviations of other things.
        if key.utf8.count > 2 || key == "id", let first = meanings.first { return first.field }
        return previous == .street && Self.numbers.contains(key) ? .houseNumber : nil
    }
}
