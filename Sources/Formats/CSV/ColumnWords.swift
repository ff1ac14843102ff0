import CWords
import Geocoding

/// The names of columns in the languages of spreadsheets. The table is `Sources/CWords/tables/columns.txt`.
struct ColumnWords {
    /// A meaning of a name. Of two columns with one meaning, the lower rank is the better one: a town before its
    /// municipality.
    struct Meaning {
        let language: String
        let field: ContactField
        let rank: Int
    }

    /// The meanings of a name's key, in the order of the table.
    static let meanings: [String: [Meaning]] = {
        var meanings: [String: [Meaning]] = [:]
        for row in words_columns().rows {
            guard let field = ContactField(rawValue: String(row[0])) else { continue }
            for (rank, name) in row[2].split(separator: ",").enumerated() {
                meanings[ContactField.key(String(name)), default: []].append(
                    Meaning(language: String(row[1]), field: field, rank: rank))
            }
        }
        return meanings
    }()

    /// The words that belong to one of several addresses, with its label. A longer word comes before a word that it
    /// starts with.
    static let groups: [(word: String, label: String)] = ["home", "work", "other"]
        .flatMap { label in keys(of: label).map { ($0, label) } }
        .sorted { $0.word.count > $1.word.count }

    /// The names that mean a house number behind the column of a street.
    static let numbers = keys(of: "numberOfStreet")

    /// The words of a row with a sum, such as `Zwischensumme`.
    static let totals = keys(of: "total")

    /// The names of months, whole and abbreviated.
    static let months = Set(words("month").flatMap { $0.split(separator: " ").map { ContactField.key(String($0)) } })

    /// Names that mean a coordinate or a size: `Breite`, `Länge`.
    static let widths = keys(of: "width")
    static let lengths = keys(of: "length")

    private static func words(_ field: String) -> [Substring] {
        words_columns().rows.filter { $0[0] == field }.flatMap { $0[2].split(separator: ",") }
    }

    private static func keys(of field: String) -> Set<String> {
        Set(words(field).map { ContactField.key(String($0)) })
    }

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
        if key.utf8.count > 2 || key == "id", let field = ContactField(key: key) { return field }
        return previous == .street && Self.numbers.contains(key) ? .houseNumber : nil
    }

    /// The rank of a name among those of its field; a name that the table lacks comes last.
    static func rank(of key: String, as field: ContactField) -> Int {
        (meanings[key] ?? []).filter { $0.field == field }.map(\.rank).min() ?? .max
    }
}
