import Geocoding

/// Chooses the places of one house among the streets that were found. It does not read the database.
///
/// A number that the data does not have is never a rooftop.
struct HouseChoice {
    private let number: String
    private let streets: [FoundStreet]
    /// The streets that fit the address best.
    private let best: [FoundStreet]

    init(_ asked: AskedHouse, among found: [FoundStreet]) {
        number = asked.number
        // Two towns may share a postcode, and both may have the street.
        let inTown = found.filter(\.isTown)
        streets = inTown.isEmpty ? found : inTown
        // A town may have two streets of one name. The number of one is not looked for in the other.
        let fitting = streets.filter { $0.isTown && $0.isPostcode }
        best = fitting.isEmpty ? streets : fitting
    }

    /// More are not worth a person's time.
    private static let most = 5

    var candidates: [Candidate] {
        let found = exact ?? numberInRange ?? endOfRange ?? withAnotherLetter ?? betweenNeighbours ?? ofStreet
        return Array(found.prefix(Self.most))
    }

    /// Nil if there is none.
    private func places(
        _ precision: Precision, _ place: (FoundStreet) -> (number: String?, coordinate: Coordinate)?
    ) -> [Candidate]? {
        let found = best.compactMap { street in
            place(street).map { street.candidate($0.number, at: $0.coordinate, precision) }
        }
        return found.isEmpty ? nil : found
    }

    private var exact: [Candidate]? {
        guard !number.isEmpty else { return nil }
        let found = best.flatMap { street in
            Self.distinct(street.exact.map { [$0] + street.houses.map(\.coordinate) } ?? []).map {
                street.candidate(street.number, at: $0, street.isInterpolated ? .interpolated : .rooftop)
            }
        }
        return found.isEmpty ? nil : found
    }

    /// Objects of one number that are nearer, in metres, are one house: a building and its entrance, or a shop in it.
    private static let oneHouse = 60.0

    private static func distinct(_ places: [Coordinate]) -> [Coordinate] {
        places.reduce(into: []) { known, place in
            if !known.contains(where: { $0.isWithin(oneHouse, of: place) }) { known.append(place) }
        }
    }

    /// `12` is an end of `12-14`, and `39` a part of `791/39`: the number is on the house.
    private var numberInRange: [Candidate]? {
        number.isEmpty
            ? nil
            : places(.rooftop) { street in
                let signs = hasBlocks(street) ? "/" : "-/"
                return street.houses.first { $0.number.split(whereSeparator: signs.contains).contains(number[...]) }
                    .map { ($0.number, $0.coordinate) }
            }
    }

    /// `123` for `123-125`, if no house has both numbers; else `125`. In other countries than the United States the
    /// address comes with its first number only (``Address/tidied``).
    private var endOfRange: [Candidate]? {
        guard let range = HyphenedNumber(number), range.isRange(in: "US") else { return nil }
        return [range.first, range.last].lazy.compactMap { end in
            places(.rooftop) { street in
                guard street.country == "US", !streets.contains(where: hasBlocks) else { return nil }
                return street.houses.first { $0.number == "\(end)" }.map { ($0.number, $0.coordinate) }
            }
        }.first
    }

    /// True if a number with a hyphen is one number there, a block and a house: `100-01` in Queens.
    private func hasBlocks(_ street: FoundStreet) -> Bool {
        street.houses.contains { HyphenedNumber($0.number).map { !$0.isRange(in: street.country) } ?? false }
    }

    /// `12` for `12c`: the same building, or the next one.
    private var withAnotherLetter: [Candidate]? {
        guard let asked = PlainNumber(number) else { return nil }
        return places(.interpolated) { street in
            street.houses.first { PlainNumber($0.number)?.value == asked.value }.map { ($0.number, $0.coordinate) }
        }
    }

    private var betweenNeighbours: [Candidate]? {
        guard let asked = PlainNumber(number) else { return nil }
        return places(.interpolated) { street in
            let mine = Self.houses(on: [street], besides: asked.value)
            let all = Self.houses(on: streets, besides: asked.value)
            return [-1, 1].lazy.compactMap { side in Self.place(of: asked.value, on: side, of: mine, all) }.first
                .map { (number, $0) }
        }
    }

    private struct NumberedHouse {
        /// The difference to the number that is looked for.
        let difference: Int
        let coordinate: Coordinate
    }

    /// Houses on the same side of the street: even numbers are on one side, odd numbers on the other.
    private static func houses(on streets: [FoundStreet], besides number: Int) -> [NumberedHouse] {
        streets.flatMap(\.houses).compactMap { house in
            guard let value = PlainNumber(house.number)?.value, (value - number).isMultiple(of: 2) else { return nil }
            return NumberedHouse(difference: value - number, coordinate: house.coordinate)
        }
    }

    /// Neighbours that are farther apart, in metres, prove nothing about a house between them.
    private static let widestGap = 300.0

    /// Returns the place between the nearest house of `mine` on one side, and a house on the other side.
    private static func place(
        of number: Int, on side: Int, of mine: [NumberedHouse], _ all: [NumberedHouse]
    ) -> Coordinate? {
        func nearest(_ houses: [NumberedHouse], _ side: Int, _ isNear: (NumberedHouse) -> Bool) -> NumberedHouse? {
            houses.filter { $0.difference.signum() == side && isNear($0) }
                .min { abs($0.difference) < abs($1.difference) }
        }
        guard let one = nearest(mine, side, { _ in true }),
            let other = nearest(all, -side, { $0.coordinate.isWithin(widestGap, of: one.coordinate) })
        else { return nil }
        let share = Double(-one.difference) / Double(other.difference - one.difference)
        func between(_ degrees: KeyPath<Coordinate, Double>) -> Double {
            one.coordinate[keyPath: degrees]
                + share * (other.coordinate[keyPath: degrees] - one.coordinate[keyPath: degrees])
        }
        return Coordinate(latitude: between(\.latitude), longitude: between(\.longitude))
    }

    private var ofStreet: [Candidate] {
        let whole = best.filter(\.isWhole)
        return (whole.isEmpty ? best : whole).map { $0.candidate(nil, at: $0.middle, .street) }
            .reduce(into: []) { known, next in if !known.contains(next) { known.append(next) } }
    }
}

/// A house number of two numbers with a hyphen between them.
private struct HyphenedNumber {
    let first, last: Int
    private let isInOrder: Bool

    init?(_ number: String) {
        let halves = number.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, let first = Int(halves[0]), let last = Int(halves[1]) else { return nil }
        (self.first, self.last) = (first, last)
        isInOrder = 0 < first && first < last && !halves[1].hasPrefix("0")
    }

    /// In the United States most ranges are of one building, on one side of the street.
    func isRange(in country: String) -> Bool {
        isInOrder && (country != "US" || last - first <= 20 && (last - first).isMultiple(of: 2))
    }
}

/// A house number without a range: digits, and perhaps letters or a half.
private struct PlainNumber {
    let value: Int

    init?(_ number: String) {
        let digits = number.prefix(while: \.isNumber)
        let rest = number[digits.endIndex...]
        guard rest.allSatisfy(\.isLetter) || rest == " 1/2", let value = Int(digits) else { return nil }
        self.value = value
    }
}
