import Geocoding
import Postgres

/// A row of the gazetteer that may be what was meant.
struct GazetteerFind {
    private(set) var placemark: Placemark
    let precision: Precision
    let population: Int
    /// Other places that are called the same.
    let others: Int
    /// The postcode lies in the town that was asked for, or the town in the region.
    let isSame: Bool
    /// How much the name looks like the one that was asked for; 1 for the same.
    let likeness: Double

    /// Nil for a row without a place on Earth.
    init?(_ row: Row, postcode: String?, likeness: Double = 1) throws {
        guard let precision = try Precision(rawValue: row.read("precision")),
            let coordinate = try Coordinate(latitude: row.read("latitude"), longitude: row.read("longitude"))
        else { return nil }
        var placemark = Placemark(coordinate: coordinate)
        placemark.locality = try row.read("place")
        placemark.administrativeArea = try row.read("region")
        placemark.countryCode = try row.read("country")
        if precision == .postcode { placemark.postalCode = postcode }
        self.placemark = placemark
        self.precision = precision
        self.likeness = likeness
        population = try row.read("population")
        others = try row.read("others")
        isSame = try row.read("is_same")
    }
}

extension GazetteerFind {
    /// The same place under the name by which it was asked for, which is one of its names. Munich is found for München, and
    /// who asked for München should hear of no other town.
    func called(_ asked: String) -> Self {
        guard let name = placemark.locality, Folding.loose(name) != Folding.loose(asked) else { return self }
        var find = self
        find.placemark.locality = asked
        find.placemark.name = name
        return find
    }
}

/// What was found for one address.
struct GazetteerFinds {
    private(set) var all: [GazetteerFind] = []

    var isEmpty: Bool { all.isEmpty }

    /// A place is named once, however many of its names were met.
    mutating func add(_ more: [GazetteerFind]) {
        for find in more where !all.contains(where: { $0.placemark == find.placemark }) { all.append(find) }
    }

    /// Settles what a postcode in a town of another name is: a part of the town that was asked for, which lies around it, or
    /// somewhere else.
    mutating func settle(for address: Address) {
        guard let first = all.first, first.precision == .postcode, !first.isSame else { return }
        let isNear = all.dropFirst().contains {
            $0.placemark.coordinate.distance(to: first.placemark.coordinate) < 30_000
        }
        if isNear { all = [first.called(address.city)] }
    }

    /// Nothing was found, or not surely what was meant: a postcode in another town, one of several towns.
    func isDoubtful(for question: GazetteerQuestion) -> Bool {
        guard let first = all.first else { return true }
        return switch first.precision {
        case .postcode: !first.isSame && !question.city.isEmpty
        default: first.others > 0 && !first.isSame
        }
    }

    /// At most five, with how sure each is: of towns of one name, as sure as its share of all their people.
    var candidates: [Candidate] {
        let people = all.filter { $0.precision == .city }.map { $0.population + 1 }.reduce(0, +)
        return all.prefix(5).map { find in
            let isAlone = find.precision == .postcode || find.isSame || find.others == 0 && all.count == 1
            let share = isAlone ? 1 : 0.5 + 0.5 * Double(find.population + 1) / Double(max(people, 1))
            return Candidate(find.placemark, find.precision, score: share * find.likeness)
        }
    }
}
