import CWords

/// The words that mark the parts of an address, in loose form. The table is `Sources/CWords/tables/address-words.txt`.
enum AddressWords {
    enum Part: String {
        case unit, floor, building, houseNumber, careOf, postBox
        /// `#`, which marks a house number or a flat.
        case sign
    }

    struct Mark {
        var part: Part
        var words: [String]
        /// The countries where the word means this; everywhere, if empty.
        var countries: Set<String> = []
        /// True if it counts only at the start of a line.
        var isFirst = false
        var mayStandAlone = false

        /// An address without a country may be in any country.
        func applies(in country: String?) -> Bool {
            guard let country, !countries.isEmpty else { return true }
            return countries.contains(country)
        }
    }

    static let numberSigns: Set = ["#", "no", "nr", "n", "n°", "num", "numero"]

    /// Marks by their first words, the longest first: `house no` goes before `house`.
    static let marks: [String: [Mark]] = {
        var marks: [String: [Mark]] = [:]
        for row in words_address_words().rows {
            guard let part = Part(rawValue: String(row[0])) else { continue }
            let countries = Set(row[2].split(separator: " ").map(String.init))
            for phrase in row[3].split(separator: ",") {
                let words = phrase.split(separator: " ").map { $0 == "#" ? "#" : Folding.loose(String($0)) }
                marks[words[0], default: []].append(
                    Mark(
                        part: part, words: words, countries: countries, isFirst: row[1] == "first",
                        mayStandAlone: row[1] == "alone"))
            }
        }
        return marks.mapValues { $0.sorted { $0.words.count > $1.words.count } }
    }()

    static let floors = words("behindFloor")
    static let groundFloors = words("groundFloor")
    static let buildings = words("buildingName")
    static let streetNames = words("streetName")
    static let kindsBeforeNames = words("kindBeforeName")
    static let months = words("month")

    private static func words(_ kind: Substring) -> Set<String> {
        Set(
            words_address_words().rows.filter { $0[0] == kind }.flatMap { $0[3].split(separator: ",") }
                .map { Folding.loose(String($0)) })
    }
}
