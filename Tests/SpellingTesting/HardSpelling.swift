import Foundation
package import Geocoding

/// A house on the server's map, with its position.
package struct MappedHouse: Sendable {
    package var street: String
    package var number: String
    package var city: String
    package var postcode: String
    package var country: String
    /// A house may be on the map more than once: the building, its shops.
    package var places: [Coordinate]

    package init(
        street: String, number: String, city: String, postcode: String, country: String, places: [Coordinate]
    ) {
        (self.street, self.number, self.city) = (street, number, city)
        (self.postcode, self.country, self.places) = (postcode, country, places)
    }

    package var address: Address {
        Address(street: "\(street) \(number)", city: city, postcode: postcode, country: country)
    }
}

/// A common spelling of an address that a map does not contain.
package struct HardSpelling: Sendable {
    package enum Truth { case house, street, town, nowhere }

    package let kind: String
    /// The expected result.
    package var truth = Truth.house
    /// Nil if the house can't be written like this.
    package let spell: @Sendable (MappedHouse, inout SeededNumbers) -> Address?

    init(
        _ kind: String, _ truth: Truth = .house,
        _ spell: @escaping @Sendable (MappedHouse, inout SeededNumbers) -> Address?
    ) {
        (self.kind, self.truth, self.spell) = (kind, truth, spell)
    }

    private static func changed(
        _ house: MappedHouse, _ change: (inout Address) -> Void
    ) -> Address {
        var address = house.address
        change(&address)
        return address
    }

    /// The plain spelling, for comparison.
    package static let plain = HardSpelling("as it is") { house, _ in house.address }

    package static let all: [HardSpelling] = [
        HardSpelling("town, letters swapped") { house, numbers in
            var letters = Array(house.city)
            let at = Int.random(in: 1..<letters.count - 1, using: &numbers)
            letters.swapAt(at, at + 1)
            return String(letters) == house.city ? nil : changed(house) { $0.city = String(letters) }
        },
        HardSpelling("town, letter lost") { house, numbers in
            var letters = Array(house.city)
            letters.remove(at: Int.random(in: 1..<letters.count, using: &numbers))
            return changed(house) { $0.city = String(letters) }
        },
        HardSpelling("town, wrong letter") { house, numbers in
            var letters = Array(house.city)
            letters[Int.random(in: 1..<letters.count, using: &numbers)] = "x"
            return changed(house) { $0.city = String(letters) }
        },
        HardSpelling("street cut short") { house, _ in
            let short = [("strasse", "str."), ("gasse", "g."), ("katu", "k."), ("tie", "t.")]
            guard let ending = short.first(where: { house.street.hasSuffix($0.0) }) else { return nil }
            return changed(house) { $0.street = "\(house.street.dropLast(ending.0.count))\(ending.1) \(house.number)" }
        },
        HardSpelling("street in two words") { house, _ in
            guard let ending = ["strasse", "katu"].first(where: { house.street.hasSuffix($0) }), ending != house.street
            else { return nil }
            return changed(house) {
                $0.street = "\(house.street.dropLast(ending.count)) \(ending.capitalized) \(house.number)"
            }
        },
        HardSpelling("street with ß") { house, _ in
            guard house.street.hasSuffix("strasse") else { return nil }
            return changed(house) { $0.street = "\(house.street.dropLast(7))straße \(house.number)" }
        },
        HardSpelling("postcode with its country") { house, _ in
            changed(house) { $0.postcode = (house.country == "LI" ? "FL-" : "FI-") + house.postcode }
        },
        HardSpelling("several numbers") { house, _ in
            guard let number = Int(house.number) else { return nil }
            return changed(house) { $0.street = "\(house.street) \(number)-\(number + 2)" }
        },
        HardSpelling("several numbers, spaced") { house, _ in
            guard let number = Int(house.number) else { return nil }
            return changed(house) { $0.street = "\(house.street) \(number) – \(number + 4)" }
        },
        HardSpelling("number with a letter") { house, numbers in
            changed(house) { $0.street += ["a", " B", "c", " d"].randomElement(using: &numbers) ?? "" }
        },
        HardSpelling("floor") { house, _ in
            changed(house) { $0.street += house.country == "LI" ? ", 2. Stock" : ", 3. krs" }
        },
        HardSpelling("flat") { house, _ in
            changed(house) { $0.street += house.country == "LI" ? ", Wohnung 4" : " as 4" }
        },
        HardSpelling("stairs and flat") { house, _ in
            changed(house) { $0.street += house.country == "LI" ? " Top 3" : " A 12" }
        },
        HardSpelling("care of") { house, _ in changed(house) { $0.street = "c/o Meier\n" + $0.street } },
        HardSpelling("company before it") { house, _ in
            changed(house) { $0.street = "Example Trading AG\n" + $0.street }
        },
        HardSpelling("no umlauts") { house, _ in
            let plain = house.street.replacing("ä", with: "a").replacing("ö", with: "o").replacing("ü", with: "u")
            return plain == house.street ? nil : changed(house) { $0.street = "\(plain) \(house.number)" }
        },
        HardSpelling("umlauts in two letters") { house, _ in
            let long = house.street.replacing("ä", with: "ae").replacing("ö", with: "oe").replacing("ü", with: "ue")
            return long == house.street || house.country != "LI"
                ? nil : changed(house) { $0.street = "\(long) \(house.number)" }
        },
        HardSpelling("number first") { house, _ in changed(house) { $0.street = "\(house.number) \(house.street)" } },
        HardSpelling("comma before the number") { house, _ in
            changed(house) { $0.street = "\(house.street), \(house.number)" }
        },
        HardSpelling("Nr.") { house, _ in changed(house) { $0.street = "\(house.street) Nr. \(house.number)" } },
        HardSpelling("capitals") { house, _ in
            changed(house) {
                $0.street = $0.street.uppercased()
                $0.city = $0.city.uppercased()
            }
        },
        HardSpelling("no town") { house, _ in changed(house) { $0.city = "" } },
        HardSpelling("no postcode") { house, _ in changed(house) { $0.postcode = "" } },
        HardSpelling("no country") { house, _ in changed(house) { $0.country = "" } },
        HardSpelling("wrong postcode") { house, numbers in
            changed(house) { $0.postcode = "\($0.postcode.dropLast())\(Int.random(in: 5...8, using: &numbers))" }
        },
        HardSpelling("town of a neighbour") { house, _ in
            changed(house) { $0.city = house.country == "LI" ? (house.city == "Vaduz" ? "Eschen" : "Vaduz") : "Espoo" }
        },
        HardSpelling("region") { house, _ in
            changed(house) { $0.region = house.country == "LI" ? "Oberland" : "Uusimaa" }
        },
        HardSpelling("postcode in the town") { house, _ in
            changed(house) { ($0.city, $0.postcode) = ("\(house.postcode) \(house.city)", "") }
        },
        HardSpelling("typo in the town, flat") { house, numbers in
            var letters = Array(house.city)
            letters.remove(at: Int.random(in: 1..<letters.count, using: &numbers))
            return changed(house) {
                $0.city = String(letters)
                $0.street += house.country == "LI" ? ", 2. Stock" : " as 4"
            }
        },
        HardSpelling("postcode with its country, several numbers") { house, _ in
            guard let number = Int(house.number) else { return nil }
            return changed(house) {
                $0.postcode = (house.country == "LI" ? "FL-" : "FI-") + house.postcode
                $0.street = "\(house.street) \(number)/\(number + 2)"
            }
        },
        HardSpelling("in one line") { house, _ in
            let country = house.country == "LI" ? "Liechtenstein" : "Finland"
            return Address(line: "\(house.street) \(house.number), \(house.postcode) \(house.city), \(country)")
        },
        HardSpelling("NO such number", .street) { house, numbers in
            changed(house) { $0.street = "\(house.street) \(Int.random(in: 700...990, using: &numbers))" }
        },
        HardSpelling("NO such street", .town) { house, numbers in
            changed(house) { $0.street = "\(numbers.word())\(house.country == "LI" ? "weg" : "polku") \(house.number)" }
        },
        HardSpelling("NO such town", .nowhere) { house, numbers in
            changed(house) { ($0.city, $0.postcode) = (numbers.word(), "") }
        },
        HardSpelling("NO such street nor town", .nowhere) { house, numbers in
            changed(house) {
                ($0.street, $0.city, $0.postcode) = ("\(numbers.word())tie 5", numbers.word(), "")
            }
        },
    ]
}

extension HardSpelling {
    /// A typo in the street. Nominatim finds none of these.
    package static let streetTypos = [
        typo("street, letters swapped") { letters, at in
            if at + 1 < letters.count { letters.swapAt(at, at + 1) }
        },
        typo("street, letter lost") { letters, at in letters.remove(at: at) },
        typo("street, wrong letter") { letters, at in letters[at] = "x" },
        typo("street, letter doubled") { letters, at in letters.insert(letters[at], at: at) },
    ]

    private static func typo(
        _ kind: String, _ change: @escaping @Sendable (inout [Character], Int) -> Void
    ) -> HardSpelling {
        HardSpelling(kind) { house, numbers in
            var letters = Array(house.street)
            change(&letters, Int.random(in: 1..<letters.count, using: &numbers))
            let street = String(letters)
            return street == house.street ? nil : changed(house) { $0.street = "\(street) \(house.number)" }
        }
    }
}

/// The same numbers in each run.
package struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A word that is not a place's name.
    mutating func word() -> String {
        let syllables = ["qua", "zor", "xim", "bru", "wex", "plu", "jop", "gny"]
        return (0..<3).map { _ in syllables[Int.random(in: syllables.indices, using: &self)] }.joined().capitalized
    }
}
