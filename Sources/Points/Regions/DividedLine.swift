import Geocoding
import Postgres

/// A line without commas, which the reader of lines could not divide: its words, and all spans of them that may be the
/// name of a street or of a town.
struct DividedLine {
    private let words: [String]
    private let country: Country?
    fileprivate let spans: [Span]

    fileprivate struct Span {
        let words: Range<Int>
        let key: PointKey
    }

    private static let mostWords = 12
    private static let longestSpan = 6

    /// Nil if the line has one word, or more than any address.
    init?(_ address: Address, in country: Country?) {
        self.country = country
        words = [address.street, address.city, address.region].joined(separator: " ")
            .split { $0 == " " || $0 == "," || $0 == "\n" }.map(String.init)
        guard (2...Self.mostWords).contains(words.count) else { return nil }
        spans = words.indices.flatMap { [words] first in
            (first + 1...min(words.count, first + Self.longestSpan)).map { end in
                let text = words[first..<end].joined(separator: " ")
                return Span(
                    words: first..<end, key: PointKey(street: text, city: text, postcode: "", in: country))
            }
        }
    }

    /// The house at a street and in a town, if the other words are its number and a postcode. The number stands next to
    /// the street.
    fileprivate func house(_ street: Span, in town: Span) -> AskedHouse? {
        let others = words.indices.filter { !street.words.contains($0) && !town.words.contains($0) }
        guard others.allSatisfy({ words[$0].contains(where: \.isNumber) || words[$0].count == 1 }) else { return nil }
        var number = ""
        var next = street.words.upperBound
        if others.contains(street.words.lowerBound - 1), words[street.words.lowerBound - 1].first?.isNumber == true {
            next = street.words.lowerBound - 1
        }
        let start = next
        // `12 a` has two words.
        while others.contains(next), number.isEmpty ? words[next].first?.isNumber == true : words[next].count == 1 {
            number += words[next]
            next += 1
        }
        let rest = others.filter { !(start..<next).contains($0) }
        guard rest.count <= 2 else { return nil }
        let name = words[street.words].joined(separator: " ")
        let address = Address(
            street: "\(name) \(number)", city: words[town.words].joined(separator: " "),
            postcode: rest.map { words[$0] }.joined(separator: " "))
        return AskedHouse(address, in: country)
    }
}

extension RegionSearch {
    /// Returns for each line its houses, with the longest name of a street that one of the towns in the line has. More
    /// than one if the line can be read in several ways.
    func houses(in lines: [DividedLine?], on database: isolated Connection) throws -> [[AskedHouse]] {
        var houses = [[AskedHouse]](repeating: [], count: lines.count)
        let spans = lines.enumerated().flatMap { line, divided in
            (divided?.spans ?? []).enumerated().map { (line: line, place: $0, key: $1.key) }
        }
        guard !spans.isEmpty else { return houses }
        let rows = try database.query(
            """
            WITH current AS (SELECT id FROM point_sets WHERE name = \(set) AND is_current),
            spans AS MATERIALIZED (
                SELECT * FROM unnest(\(spans.map(\.line)), \(spans.map(\.place)), \(spans.map(\.key.name)),
                    \(spans.map(\.key.town))) AS spans (line, place, name, town)
            ),
            towns AS MATERIALIZED (
                SELECT line, place, town FROM spans
                WHERE EXISTS (SELECT FROM point_streets WHERE point_set = (SELECT id FROM current) AND town_key = town)
                   OR EXISTS (SELECT FROM point_streets WHERE point_set = (SELECT id FROM current) AND district_key = town)
            )
            SELECT line, spans.place AS street, towns.place AS town
            FROM towns
            JOIN spans USING (line)
            WHERE spans.name <> ''
              AND (EXISTS (
                       SELECT FROM point_streets
                       WHERE point_set = (SELECT id FROM current) AND town_key = towns.town
                         AND point_streets.name = spans.name)
                   OR EXISTS (
                       SELECT FROM point_streets
                       WHERE point_set = (SELECT id FROM current) AND district_key = towns.town
                         AND point_streets.name = spans.name))
            """)
        var longest = [Int](repeating: 0, count: lines.count)
        for row in rows {
            let index: Int = try row.read("line")
            let (street, town): (Int, Int) = (try row.read("street"), try row.read("town"))
            guard let line = lines[index], !line.spans[street].words.overlaps(line.spans[town].words),
                let house = line.house(line.spans[street], in: line.spans[town])
            else { continue }
            let length = line.spans[street].words.count + line.spans[town].words.count
            if length > longest[index] { (longest[index], houses[index]) = (length, []) }
            if length == longest[index], !houses[index].contains(house) { houses[index].append(house) }
        }
        return houses
    }
}
