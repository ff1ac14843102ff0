import Foundation
import Geocoding
import Points
import Postgres
import Queue

/// A set of made-up address points: the rate of its load, its size, and look-ups by two callers, as two workers make.
enum PointsBenchmark {
    static let batch = 500

    static func run(_ options: Options) async throws {
        let count = try options.integer("points", 1_000_000)
        let asked = try options.integer("addresses", 200_000)
        try await Scratch.with("points") { scratch in
            let database = Database(url: scratch.url, options: .init(size: 2))
            let start = ContinuousClock.now
            let cpu = cpuTime(of: getpid())
            let outcome = try await PointLoad("bench").run(by: .user("bench", on: "here"), on: database) { add in
                for index in 0..<count { try add(MadeUpTown.point(index)) }
            }
            let took = seconds(since: start)
            print(title("points"), column(Double(outcome.points)), "of", outcome.streets, "streets")
            print(title("loaded points a second"), column(Double(count) / took))
            print(title("CPU µs a point, loader"), ratio((cpuTime(of: getpid()) - cpu) / Double(count) * 1e6))
            let size = try await scratch.number(
                """
                SELECT sum(pg_total_relation_size(inhrelid))::bigint AS number
                FROM pg_inherits WHERE inhparent = 'point_streets'::regclass
                """)
            print(title("bytes a point, with indexes"), ratio(Double(size) / Double(outcome.points)))
            let set = try await database.run { try PointSetStore().sets(on: $0)[0] }
            let provider = PointProvider(set, in: database)
            for form in MadeUpTown.Form.allCases {
                try await measure("addresses, \(form)", asked, scratch) { index in
                    let addresses = (index..<index + batch).map { MadeUpTown.address($0 * 7919 % count, form) }
                    let answers = try await provider.geocode(addresses.map { Query($0) })
                    return answers.count { if case .found = $0 { true } else { false } }
                }
            }
            try await measure("coordinates", asked / 4, scratch) { index in
                let places = (index..<index + batch).map { MadeUpTown.point($0 * 7919 % count).coordinate }
                return try await provider.reverseGeocode(places).count { $0 != .notFound }
            }
            await database.close()
        }
    }

    /// Prints the rate, and the CPU time of both sides for each address. `look` returns how many of a batch it found.
    static func measure(
        _ what: String, _ count: Int, _ scratch: Scratch, _ look: @escaping @Sendable (Int) async throws -> Int
    ) async throws {
        _ = try await look(0)
        let (cpu, server) = (cpuTime(of: getpid()), try await scratch.serverTime)
        let start = ContinuousClock.now
        let found = try await withThrowingTaskGroup(of: Int.self) { group in
            for caller in 0..<2 {
                group.addTask {
                    var found = 0
                    for first in stride(from: caller * batch, to: count, by: 2 * batch) {
                        found += try await look(first)
                    }
                    return found
                }
            }
            return try await group.reduce(0, +)
        }
        let took = seconds(since: start)
        let client = (cpuTime(of: getpid()) - cpu) / Double(count) * 1e6
        let ofServer = (try await scratch.serverTime - server) / Double(count) * 1e6
        print(
            title(what), column(Double(count) / took), "a second, CPU µs", ratio(client), "and", ratio(ofServer),
            "found", ratio(Double(found) / Double(count)))
    }
}

/// Houses of made-up towns: 60 streets each, with 16 houses on average.
private enum MadeUpTown {
    enum Form: CaseIterable {
        case plain, abbreviated, missing, typo, unknown
    }

    private static let names = ["Linden", "Garten", "Mühlen", "Kirchen", "Schiller", "Wiesen", "Bahnhof", "Birken"]
    private static let housesOfStreet = 16
    private static let streetsOfTown = 60

    private static func house(_ index: Int) -> (town: Int, street: Int, number: Int) {
        let street = index / housesOfStreet
        return (street / streetsOfTown, street % streetsOfTown, index % housesOfStreet * 2 + street % 2)
    }

    private static func street(_ street: Int, _ town: Int) -> String {
        "\(names[street % 8])\(names[(street / 8 + town) % 8].lowercased())straße"
    }

    static func point(_ index: Int) -> AddressPoint {
        let (town, street, number) = house(index)
        let place = Coordinate(
            latitude: 45 + Double(town / 100) * 0.02 + Double(street) * 0.0003,
            longitude: 5 + Double(town % 100) * 0.05 + Double(number) * 0.0002)
        guard let place else { preconditionFailure("the towns are on Earth") }
        return AddressPoint(
            number: "\(number)", street: self.street(street, town), city: "Ort \(town) am See",
            postcode: "\(10_000 + town % 90_000)", countryCode: "DE", coordinate: place)
    }

    static func address(_ index: Int, _ form: Form) -> Address {
        let (town, street, number) = house(index)
        var name = self.street(street, town)
        switch form {
        case .plain: break
        case .abbreviated: name = name.replacing("straße", with: "str.")
        case .missing: return address("\(name) \(number + 1_000)", town)
        case .typo: name.remove(at: name.index(name.startIndex, offsetBy: 3))
        case .unknown: name = "Nirgendwo\(street)weg"
        }
        return address("\(name) \(number)", town)
    }

    private static func address(_ street: String, _ town: Int) -> Address {
        Address(street: street, city: "Ort \(town) am See", postcode: "\(10_000 + town % 90_000)", country: "Germany")
    }
}
