import Foundation
import Geocoding
import Testing

@testable import Questions

/// The number of calls for two spellings if the first one was answered perfectly: by hash, or by loose key and grade.
struct SpellingTests {
    /// An address with the spellings of each field. The first spelling is a geocoder's.
    private struct Entry {
        let kind: String
        let country: String
        /// Street, postcode, town and region, each with its spellings.
        let fields: [[String]]

        init(_ line: Substring) {
            let columns = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.split(separator: "~", omittingEmptySubsequences: false).map(String.init) }
            (kind, country, fields) = (columns[0][0], columns[1][0], Array(columns[2...]))
        }

        var first: Address { spelled(nil, "") }

        /// The address with one field in another spelling.
        func spelled(_ field: Int?, _ spelling: String) -> Address {
            var texts = fields.map { $0[0] }
            if let field { texts[field] = spelling }
            return Address(street: texts[0], city: texts[2], region: texts[3], postcode: texts[1], country: country)
        }

        var others: [Address] {
            fields.indices.flatMap { field in fields[field].dropFirst().map { spelled(field, $0) } }
        }
    }

    private let entries: [Entry]
    private let chain = Chain([.init("test")])
    private let somewhere: Coordinate

    init() throws {
        somewhere = try #require(Coordinate(latitude: 1, longitude: 1))
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Spellings/equal.txt")
        entries = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.map(Entry.init)
    }

    /// The perfect answer for an address.
    private func answer(to address: Address) -> Place {
        let parts = AddressParts(address)
        let precision: Precision = !parts.street.isEmpty ? .rooftop : address.postcode.isEmpty ? .city : .postcode
        let place = Placemark(
            coordinate: somewhere, thoroughfare: parts.street.nonEmpty, subThoroughfare: parts.houseNumber.nonEmpty,
            locality: address.city.nonEmpty, administrativeArea: address.region.nonEmpty,
            postalCode: address.postcode.nonEmpty, countryCode: Country(address.country)?.code)
        return Place(placemark: place, precision: precision, areaConfidence: 1, provider: "test")
    }

    private func share(_ one: Address, _ other: Address) -> Bool {
        if AddressHash(one) == AddressHash(other) { return true }
        guard LooseKey(one) == LooseKey(other) else { return false }
        return answer(to: one).areaConfidence(for: other, along: chain) != nil
    }

    @Test(arguments: [
        ("Munster", "Münster", "DE"), ("Hof", "Höf", "DE"), ("Wald", "Wäld", "DE"), ("Vitoria", "Vitória", "BR"),
    ])
    func `towns that differ in accents share a call only with one postcode`(
        _ one: String, _ other: String, _ country: String
    ) {
        let street = "Hauptstr. 5"
        #expect(
            !share(
                Address(street: street, city: one, country: country),
                Address(street: street, city: other, country: country)))
        #expect(
            share(
                Address(street: street, city: one, postcode: "12345", country: country),
                Address(street: street, city: other, postcode: "12345", country: country)))
    }

    @Test func `nine in ten spellings of an address need no call`() {
        var counts: [String: (pairs: Int, alike: Int, shared: Int)] = [:]
        for entry in entries {
            for other in entry.others {
                let isAlike = AddressHash(entry.first) == AddressHash(other)
                for kind in [entry.kind, "all"] {
                    counts[kind, default: (0, 0, 0)].pairs += 1
                    counts[kind, default: (0, 0, 0)].alike += isAlike ? 1 : 0
                    counts[kind, default: (0, 0, 0)].shared += share(entry.first, other) ? 1 : 0
                }
            }
        }
        for (kind, count) in counts {
            let least = kind == "all" ? 0.93 : 0.88
            #expect(Double(count.shared) / Double(count.pairs) >= least, "\(kind): \(count)")
        }
        #expect(counts["all"]?.pairs ?? 0 >= 500)
    }

    @Test func `no two of ten thousand addresses that differ by rule share a call`() {
        var pairs = 0
        func expectApart(_ one: Address, _ other: Address, _ why: String) {
            pairs += 1
            if share(one, other) { Issue.record("\(why): \(one) and \(other)") }
        }
        for entry in entries {
            let address = entry.first
            for (why, other) in differing(from: address) { expectApart(address, other, why) }
            for spelling in entry.fields[0].dropFirst() {
                let spelled = entry.spelled(0, spelling)
                for (why, street) in streets(differingFrom: spelled) {
                    var other = spelled
                    other.street = street
                    expectApart(address, other, why)
                }
            }
            for other in entries
            where other.country == entry.country
                && (other.fields[0][0] != entry.fields[0][0] || other.fields[2][0] != entry.fields[2][0])
            {
                expectApart(address, other.first, "other address")
                var moved = address
                moved.street = other.fields[0][0]
                if StreetKey(moved.street, in: nil) != StreetKey(address.street, in: nil) {
                    expectApart(address, moved, "other street")
                }
            }
        }
        #expect(pairs >= 10_000)
    }
}

extension SpellingTests {
    @Test func `lettered streets, Russian buildings and towns called New something are told apart`() {
        let (same, different) = Self.pairs
        #expect(same.count >= 200 && different.count >= 200)
        for (one, other) in different where share(one, other) || share(other, one) {
            Issue.record("\(one) and \(other) are different houses")
        }
        for (one, other) in same where !share(one, other) {
            Issue.record("\(one) and \(other) are the same house")
        }
    }

    private static var pairs: (same: [(Address, Address)], different: [(Address, Address)]) {
        var same: [(Address, Address)] = []
        var different: [(Address, Address)] = []
        let directions = [("N", "North"), ("S", "South"), ("E", "East"), ("W", "West")]
        for (letter, word) in directions {
            for (number, city, region) in [(5, "Washington", "DC"), (1400, "Sacramento", "CA"), (233, "Lincoln", "NE")]
            {
                func at(_ street: String) -> Address {
                    Address(street: "\(number) \(street)", city: city, region: region, country: "US")
                }
                for (kind, short) in [("Street", "St"), ("Avenue", "Ave"), ("Road", "Rd")] {
                    for end in ["", " NW"] {
                        different.append((at("\(letter) \(kind)\(end)"), at("\(word) \(kind)\(end)")))
                        different.append((at("\(word) \(short)\(end)"), at("\(letter) \(short)\(end)")))
                        same.append((at("\(letter) \(kind)\(end)"), at("\(letter) \(short)\(end)")))
                    }
                    same.append((at("\(word) Park \(kind)"), at("\(letter) Park \(short)")))
                    same.append((at("\(word) 5th \(kind)"), at("\(letter). 5th \(short)")))
                }
                different.append((at("Avenue \(letter)"), at("Avenue \(word)")))
                same.append((at("Avenue \(letter)"), at("Ave. \(letter)")))
            }
        }
        for street in ["улица Мира", "Невский проспект", "улица Ленина"] {
            for (house, building) in [(5, 2), (12, 1), (7, 3), (48, 10)] {
                func at(_ end: String) -> Address {
                    Address(street: "\(street), \(house), \(end)", city: "Казань", country: "RU")
                }
                for (korpus, stroenie) in [("корп.", "стр."), ("корпус", "строение"), ("к.", "стр.")] {
                    different.append((at("\(korpus) \(building)"), at("\(stroenie) \(building)")))
                    different.append((at("\(stroenie) \(building)"), at("\(stroenie) \(building + 1)")))
                }
                same.append((at("корп. \(building)"), at("корпус \(building)")))
                same.append((at("стр. \(building)"), at("строение \(building)")))
            }
        }
        for (one, short) in directions.map({ ($1, "\($0).") }) + [("New", "New"), ("Old", "Old")] {
            for end in ["port", "castle", "field", "bridge", "hampton", "wood"] {
                func at(_ city: String) -> Address { Address(street: "3 Mill Lane", city: city, country: "GB") }
                let name = end.prefix(1).uppercased() + end.dropFirst()
                different.append((at("\(one) \(name)"), at(one + end)))
                same.append((at("\(one) \(name)"), at("\(short)-\(name)".replacing(".-", with: ". "))))
            }
        }
        return (same, different)
    }
}

extension SpellingTests {
    /// Addresses that differ from this one, with the difference.
    private func differing(from address: Address) -> [(String, Address)] {
        var found: [(String, Address)] = []
        func add(_ why: String, _ change: (inout Address) -> Void) {
            var other = address
            change(&other)
            if other != address { found.append((why, other)) }
        }
        for (why, street) in streets(differingFrom: address) { add(why) { $0.street = street } }
        for place in address.postcode.indices where address.postcode[place].isNumber && address.street != "" {
            add("postcode") {
                $0.postcode.replaceSubrange(place...place, with: address.postcode[place] == "7" ? "3" : "7")
            }
        }
        for town in ["Springfield", "Neustadt", "Newtown", "Saint-Denis", "Santa Cruz", "San José", "Frankfurt"] {
            add("town") { $0.city = town }
        }
        add("town") { $0.city = "Neu-" + $0.city }
        for region in ["OH", "Kansas", "Bavaria"] { add("region") { $0.region = region } }
        for country in ["Peru", "Kenya", "Fiji"] { add("country") { $0.country = country } }
        return found
    }

    private func streets(differingFrom address: Address) -> [(String, String)] {
        let parts = AddressParts(address)
        var found: [(String, String)] = []
        func add(_ why: String, number: String) {
            guard let range = address.street.range(of: parts.houseNumber, options: .backwards) else { return }
            found.append((why, address.street.replacingCharacters(in: range, with: number)))
        }
        let number = parts.houseNumber
        if let value = Int(number) {
            for other in [value + 1, value + 2, value + 10, value * 10, value * 10 + 1, value + 100] {
                add("number", number: "\(other)")
            }
            for letter in ["a", "b", " C", "D"] { add("letter", number: number + letter) }
            for other in ["\(value)-\(value + 2)", "\(value) - \(value + 4)"] { add("range", number: other) }
            // In these countries a flat follows the slash, so it is the same house.
            if !["AT", "PL", "AU", "NZ"].contains(address.country) {
                add("slash", number: "\(value)/1")
                add("slash", number: "1/\(value)")
            }
            add("fraction", number: "\(value)½")
            add("raised", number: "\(value)²")
        }
        for kinds in Self.kinds {
            guard let kind = kinds.first(where: address.street.contains) else { continue }
            for other in kinds where other != kind {
                found.append(("kind", address.street.replacingOccurrences(of: kind, with: other)))
            }
        }
        for (ordinal, others) in [
            ("5th", ["6th", "15th"]), ("Fifth", ["Sixth"]), ("26th", ["27th", "6th"]), ("2nd", ["3rd", "22nd"]),
        ]
        where parts.street.contains(ordinal) {
            found += others.map { ("ordinal", address.street.replacingOccurrences(of: ordinal, with: $0)) }
        }
        if ["US", "CA", "GB"].contains(address.country), let range = address.street.range(of: parts.street),
            !parts.street.isEmpty
        {
            for direction in ["North", "S", "East", "NW"] where !parts.street.contains(direction) {
                found.append(
                    ("direction", address.street.replacingCharacters(in: range, with: direction + " " + parts.street)))
            }
        }
        found.append(("building", address.street + ", Building 7"))
        found.append(("box", "PO Box 12"))
        return found
    }

    /// Kinds of streets. No two kinds in a row mean the same.
    private static let kinds = [
        ["Street", "Avenue", "Road", "Lane", "Court", "Drive", "Boulevard", "Place", "Square", "Way", "Terrace"],
        ["Straße", "Weg", "Platz", "Gasse", "Allee", "Ring"], ["straße", "weg", "platz", "gasse", "allee"],
        ["Rue", "Avenue", "Place", "Impasse", "Chemin", "Boulevard"], ["Calle", "Avenida", "Plaza", "Paseo", "Ronda"],
        ["Via", "Corso", "Piazza", "Largo"], ["Rua", "Avenida", "Travessa", "Praça", "Alameda"],
        ["gatan", "vägen"], ["straat", "laan", "plein", "gracht"], ["aleja", "plac", "osiedle"],
        ["улица", "проспект", "площадь"], ["Caddesi", "Sokak", "Bulvarı"], ["utca", "körút", "tér"],
        ["Strada", "Bulevardul", "Calea"], ["tie", "katu"], ["gade", "vej"],
    ]
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
