import Foundation
import Geocoding
import Testing

struct ConfidenceTests {
    @Test(arguments: try Example.all()) func `every example in the documentation is true`(example: Example) {
        let confidence = Confidence(of: example.found, for: example.asked)
        #expect(example.comparison == Example.sentence(confidence.components))
        #expect(example.value == String(format: "%.2f", confidence.value))
        let verdict = Thresholds().verdict(for: confidence).rawValue
        #expect(example.verdict == verdict + (confidence.isWeak ? ", weak" : ""))
    }

    @Test func `the documentation has examples of every verdict`() throws {
        #expect(try Example.all().count >= 30)
        let verdicts = Set(try Example.all().map(\.verdict))
        #expect(verdicts.isSuperset(of: ["located", "located, weak", "review", "poor"]))
    }

    private let asked = Address(
        street: "Hauptstraße 12", city: "Bonn", region: "NRW", postcode: "53111", country: "DE")
    private let house: Placemark

    init() throws {
        let coordinate = try #require(Coordinate(latitude: 50.7, longitude: 7.1))
        house = Placemark(
            coordinate: coordinate, thoroughfare: "Hauptstraße",
            subThoroughfare: "12", locality: "Bonn", postalCode: "53111", countryCode: "DE")
    }

    private func value(_ change: (inout Placemark) -> Void, precision: Precision = .rooftop) -> Double {
        var place = house
        change(&place)
        return Confidence(of: Candidate(place, precision), for: asked).value
    }

    /// An address that nobody could divide: the answer shows which words are the town.
    @Test(arguments: [
        ("Bonn Hauptstraße 12", 1.0), ("12 Hauptstraße Bonn", 1), ("Bonn Hauptstraße 14", 0.7),
        ("Bonn Nebenstraße 12", 0.7), ("Köln Hauptstraße 12", 0.7), ("Hauptstraße Bonner 12", 0.7),
    ])
    func `the town of the answer may stand before or behind the street`(_ line: String, _ most: Double) {
        let value = Confidence(of: Candidate(house, .rooftop), for: Address(street: line, country: "DE")).value
        #expect(most == 1 ? value > 0.9 : value < most, "\(value)")
    }

    @Test func `a house with one wrong part is not located`() {
        #expect(value { _ in } == 1)
        let wrong: [(inout Placemark) -> Void] = [
            { $0.subThoroughfare = "14" }, { $0.subThoroughfare = nil },
            { $0.thoroughfare = "Nebenweg" },
            {
                $0.locality = "Köln"; $0.postalCode = nil
            }, { $0.thoroughfare = nil },
        ]
        for change in wrong { #expect(value(change) < Thresholds().located) }
        #expect(value { $0.countryCode = "FR" } <= 0.05)
    }

    @Test func `a house with only another postcode is located`() {
        #expect(value { $0.postalCode = "53113" } == 0.8)
        // With any other doubt the house is not located. Nor is a street, because a town may have two of the name.
        let doubts: [(inout Placemark) -> Void] = [
            { ($0.postalCode, $0.subThoroughfare) = ("53113", "12a") },
            { ($0.postalCode, $0.locality) = ("53113", nil) },
            { ($0.postalCode, $0.thoroughfare) = ("53113", "Haupt") },
        ]
        for change in doubts { #expect(value(change) < Thresholds().located) }
        #expect(value({ $0.postalCode = "53113" }, precision: .street) == 0.6)
    }

    @Test func `a coarser answer is weak but has full confidence`() {
        for precision in Precision.allCases {
            let confidence = Confidence(of: Candidate(house, precision), for: asked)
            #expect(confidence.value == 1)
            #expect(confidence.isWeak == (precision > .interpolated))
        }
        #expect(asked.expectedPrecision == .interpolated)
        #expect(!Confidence(of: Candidate(house, .city), for: Address(city: "Bonn")).isWeak)
        #expect(Confidence(of: Candidate(house, .city), for: Address(city: "Bonn", postcode: "53111")).isWeak)
    }

    @Test func `a part that an answer lacks does not lower its confidence`() {
        let town: (inout Placemark) -> Void = { ($0.thoroughfare, $0.subThoroughfare) = (nil, nil) }
        #expect(value(town, precision: .city) == 1)
        #expect(value(town, precision: .rooftop) < Thresholds().review)
        #expect(value({ $0.subThoroughfare = nil }, precision: .street) == 1)
    }

    @Test func `a town with another name is never located`() {
        for precision in Precision.allCases {
            let postcodes: [String?] = ["53111", nil, "50667"]
            for postcode in postcodes {
                let value = value(
                    {
                        ($0.locality, $0.postalCode) = ("Köln", postcode)
                        $0.thoroughfare = nil
                    }, precision: precision)
                #expect(value < Thresholds().located)
            }
        }
    }

    @Test func `the confidence is multiplied by the candidate's share of its name`() {
        let values = [1, 0.6, 0.05, 0, 2, -1].map {
            Confidence(of: Candidate(house, .rooftop, share: $0), for: asked).value
        }
        #expect(values == [1, 0.6, 0.05, 0, 1, 0])
    }

    @Test func `a provider's score counts a fifth, and the result stays in bounds`() {
        let values = [nil, 2, 1, 0.5, 0, -1].map {
            Confidence(of: Candidate(house, .rooftop, score: $0), for: asked).value
        }
        #expect(values == [1, 1, 1, 0.9, 0.8, 0.8])
    }

    @Test func `a house number inside the street is found`() {
        #expect(
            value {
                $0.thoroughfare = "Hauptstr. 12"; $0.subThoroughfare = nil
            } == 1)
    }

    @Test(arguments: [
        ("12", "12", Match.same), ("12 a", "12A", .same), ("12a", "12", .similar), ("13", "12-14", .similar),
        ("12-14", "12", .similar), ("12-14", "13", .similar), ("791/39", "39", .similar), ("12", "13", .different),
        ("12-14", "16", .different),
        ("12", "", .missing),
    ])
    func `house numbers are compared`(asked: String, found: String, match: Match) {
        let place = Placemark(
            coordinate: house.coordinate, thoroughfare: "Hauptstraße", subThoroughfare: found, countryCode: "DE")
        let question = Address(street: "Hauptstraße \(asked)", country: "DE")
        #expect(Confidence(of: Candidate(place, .rooftop), for: question).components[.houseNumber] == match)
    }

    @Test(arguments: [
        ("N Main St", "North Main Street", Match.same), ("Main St N", "Main Street North", .same),
        ("N Main St", "Main Street", .similar), ("N Main St", "S Main St", .different),
        ("Av. Foch", "Avenue Foch", .same), ("St Mary St", "Saint Mary Street", .same),
        ("Mary St", "Mary Ave", .different),
        ("Hauptstr.", "Haupt Straße", .same), ("Bäckergasse", "Baeckergasse", .same),
        ("5th Ave", "6th Ave", .different),
        ("Bakr Street", "Baker Street", .similar), ("Ave C", "Ave D", .different), ("Elm St", "Oak St", .different),
        ("Hamilton", "Hamilton Avenue", .similar),
        ("Aleksanterink.", "Aleksanterinkatu", .similar),
        ("Fürst-Franz-Jos.-Strasse", "Fürst-Franz-Josef-Strasse", .similar),
        ("Aleksanterink", "Aleksanterinkatu", .different), ("A.", "Aleksanterinkatu", .different),
        ("Lönnrotinkatu", "Lonnrotinkatu", .same),
    ])
    func `streets are compared`(asked: String, found: String, match: Match) {
        let place = Placemark(coordinate: house.coordinate, thoroughfare: found)
        let question = Address(street: asked)
        #expect(Confidence(of: Candidate(place, .street), for: question).components[.street] == match)
    }

    @Test(arguments: [
        ("Frankfurt", "Frankfurt am Main", Match.similar), ("City of London", "London", .same),
        ("St. Pölten", "Sankt Pölten", .same), ("Århus", "Aarhus", .same), ("Helsinky", "Helsinki", .similar),
        ("Rome", "Roma", .similar), ("Turku", "Tampere", .different),
        ("Hels.", "Helsinki", .similar), ("Hels.", "Espoo", .different), ("San", "San Marino", .different),
        ("Bonn", "", .missing), ("", "Bonn", .unasked),
    ])
    func `towns are compared`(asked: String, found: String, match: Match) {
        let place = Placemark(coordinate: house.coordinate, locality: found, countryCode: "DE")
        let question = Address(city: asked, country: "DE")
        #expect(Confidence(of: Candidate(place, .city), for: question).components[.city] == match)
    }

    @Test(arguments: [
        ("94303-1234", "94303", "US", Match.same), ("94303-1234", "94303-9999", "US", .same),
        ("SW1A 1AA", "sw1a1aa", "GB", .same), ("SW1A 1AA", "SW1A", "GB", .similar),
        ("SW1A 1AA", "SW1A 1AB", "GB", .different),
        ("1015 CN", "1015", "NL", .similar), ("D-80331", "80331", "DE", .same), ("100-0005", "1000005", "JP", .same),
        ("8", "80331", "DE", .different), ("80331", "", "DE", .missing),
    ])
    func `postcodes are compared`(asked: String, found: String, country: String, match: Match) {
        let place = Placemark(coordinate: house.coordinate, postalCode: found, countryCode: country)
        let question = Address(postcode: asked, country: country)
        #expect(Confidence(of: Candidate(place, .postcode), for: question).components[.postcode] == match)
    }

    @Test func `a confidence reads back from JSON with its stored names`() throws {
        let confidence = Confidence(of: Candidate(house, .rooftop), for: asked)
        let json = try JSONEncoder().encode(confidence)
        #expect(try JSONDecoder().decode(Confidence.self, from: json) == confidence)
        #expect(String(decoding: json, as: UTF8.self).contains(#""house number":"same""#))
    }

    @Test func `verdicts begin at their thresholds`() {
        let thresholds = Thresholds(located: 1, review: 0.9)
        let verdicts = [nil, 0.5, 0.4].map {
            thresholds.verdict(for: Confidence(of: Candidate(house, .rooftop, score: $0), for: asked))
        }
        #expect(verdicts == [.located, .review, .poor])
    }
}

/// A row of the last table in docs/confidence.md.
struct Example: CustomTestStringConvertible {
    let asked: Address
    let found: Candidate
    let comparison: String
    let value: String
    let verdict: String
    let testDescription: String

    static func all() throws -> [Example] {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/confidence.md")
        let text = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
        let rows = text.split(separator: "\n").drop { !$0.hasPrefix("| asked | found |") }.dropFirst(2)
        return try rows.map { try Example(row: String($0)) }
    }

    private init(row: String) throws {
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        try #require(cells.count == 5, "\(row)")
        let asked = Self.fields(cells[0])
        let found = Self.fields(cells[1])
        try #require(asked.count == 5 && found.count >= 7, "\(row)")
        self.asked = Address(street: asked[0], city: asked[1], region: asked[2], postcode: asked[3], country: asked[4])
        var place = Placemark(
            coordinate: try #require(Coordinate(latitude: 60, longitude: 25)), thoroughfare: found[2],
            subThoroughfare: found[1].isEmpty ? nil : found[1], locality: found[3], administrativeArea: found[4],
            postalCode: found[5], countryCode: found[6])
        var score: Double?
        var share = 1.0
        for extra in found[7...] {
            let (name, value) = (extra.prefix { $0 != " " }, extra.drop { $0 != " " }.dropFirst())
            switch name {
            case "district": place.subLocality = String(value)
            case "county": place.subAdministrativeArea = String(value)
            case "score":
                score = Double(value)
                try #require(score != nil, "\(extra)")
            case "share": share = try #require(Double(value), "\(extra)")
            default: Issue.record("what is \(extra)?")
            }
        }
        self.found = Candidate(place, try #require(Precision(rawValue: found[0])), score: score, share: share)
        (comparison, value, verdict) = (cells[2], cells[3], cells[4])
        testDescription = "\(cells[0]) | \(cells[1])"
    }

    private static func fields(_ cell: String) -> [String] {
        cell.components(separatedBy: " · ").map { $0 == "–" ? "" : $0 }
    }

    /// `same: country, city; missing: street`
    static func sentence(_ components: [Confidence.Component: Match]) -> String {
        let groups = Match.allCases.filter { $0 != .unasked }.compactMap { match -> String? in
            let names = Confidence.Component.allCases.filter { components[$0] == match }.map(\.rawValue)
            return names.isEmpty ? nil : "\(match.rawValue): \(names.joined(separator: ", "))"
        }
        return groups.isEmpty ? "–" : groups.joined(separator: "; ")
    }
}
