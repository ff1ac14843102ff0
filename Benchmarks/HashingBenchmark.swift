import Foundation
import Geocoding

/// Addresses hashed by one core in a second.
///
/// The machine's speed drifts, so each row is compared with the bare SHA-256 of the same text in the same run.
enum HashingBenchmark {
    static func run() {
        let folding = ContinuousClock().measure { consume(Folding.canonical("").count) }
        let countries = ContinuousClock().measure { consume(Country("Suomi")?.code.count ?? 0) }
        print("Building the folding table: \(tenths(folding / .milliseconds(1))) ms")
        print("Reading the countries' names: \(tenths(countries / .milliseconds(1))) ms\n")

        print(row("", "addresses/s", "µs each", "× bare SHA-256"))
        for (name, addresses) in mixes {
            let texts = addresses.map { Array([$0.street, $0.city, $0.region, $0.postcode, $0.country].joined().utf8) }
            let hashing = fastest { for address in addresses { consume(AddressHash(address).hashValue) } }
            let bare = fastest { for text in texts { consume(Int(SHA256.digest(of: text)[0])) } }
            let each = hashing / Double(addresses.count)
            print(row(name, "\(Int(1 / each))", tenths(each * 1_000_000), tenths(hashing / bare)))
        }
    }

    /// The best of several runs, in seconds: the time of the work on an otherwise idle core.
    private static func fastest(_ body: () -> Void) -> Double {
        (0..<9).map { _ in ContinuousClock().measure(body) / .seconds(1) }.min() ?? 0
    }

    /// Keeps the optimiser from removing the work that made `value`.
    @inline(never)
    private static func consume(_ value: Int) {}

    private static func row(_ name: String, _ columns: String...) -> String {
        name.padding(toLength: 28, withPad: " ", startingAt: 0)
            + columns.map { String(repeating: " ", count: max(0, 16 - $0.count)) + $0 }.joined()
    }

    private static func tenths(_ value: Double) -> String {
        "\((value * 10).rounded() / 10)"
    }
}

extension HashingBenchmark {
    private static let mixes: [(name: String, addresses: [Address])] = [
        ("ordinary (3 : 2 : 1)", numbered(ascii + ascii + ascii + latin + latin + others)),
        ("ASCII", numbered(ascii)),
        ("Latin with diacritics", numbered(latin)),
        ("other scripts", numbered(others)),
        ("decomposed (by scalars)", numbered(decomposed)),
    ]

    /// Makes thousands of addresses from a few by varying the house number.
    private static func numbered(_ addresses: [Address]) -> [Address] {
        (0..<24_000).map { number in
            var address = addresses[number % addresses.count]
            address.street += " \(number)"
            return address
        }
    }

    private static let ascii = [
        Address(
            street: "301 Hamilton Avenue\nApt. 4", city: "Palo Alto", region: "California", postcode: "94303-1234",
            country: "United States"),
        Address(street: "12 St. James's Sq.", city: "London", postcode: "SW1A 2AA", country: "UK"),
        Address(street: "Aleksanterinkatu 50 B", city: "Helsinki", postcode: "00100", country: "Suomi"),
        Address(street: "Pariser Platz 1", city: "Berlin", postcode: "10117", country: "DE"),
    ]

    private static let latin = [
        Address(street: "Yrjönkatu 36", city: "Hämeenlinna", postcode: "13100", country: "Finland"),
        Address(street: "8, rue de l’Église", city: "Saint-Étienne", postcode: "42000", country: "France"),
        Address(street: "ul. Piotrkowska 104", city: "Łódź", region: "Łódzkie", postcode: "90-926", country: "Polska"),
        Address(street: "Königstraße 5", city: "Düsseldorf", postcode: "40212", country: "Deutschland"),
    ]

    private static let others = [
        Address(street: "улица Ленина 5", city: "Екатеринбург", postcode: "620014", country: "Россия"),
        Address(street: "Οδός Ερμού 12", city: "Αθήνα", postcode: "105 63", country: "Ελλάδα"),
        Address(street: "銀座４－２－３", city: "中央区", region: "東京都", postcode: "104-0061", country: "日本"),
        Address(street: "세종대로 110", city: "서울특별시", postcode: "04524", country: "대한민국"),
    ]

    private static let decomposed = latin.map { address in
        Address(
            street: address.street.decomposedStringWithCanonicalMapping,
            city: address.city.decomposedStringWithCanonicalMapping, postcode: address.postcode,
            country: address.country)
    }
}
