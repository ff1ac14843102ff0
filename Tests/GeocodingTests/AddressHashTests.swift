import Foundation
import Testing

@testable import Geocoding

struct AddressHashTests {
    @Test(arguments: try AddressPair.all(in: "alike"))
    func `spellings of one address have one hash`(pair: AddressPair) {
        #expect(AddressHash(pair.a) == AddressHash(pair.b), "\(pair.why)")
    }

    @Test(arguments: try AddressPair.all(in: "different"))
    func `different addresses have different hashes`(pair: AddressPair) {
        #expect(AddressHash(pair.a) != AddressHash(pair.b), "\(pair.why)")
    }

    @Test func `the hashed text is the version and five folded fields`() {
        let address = Address(
            street: "301 Hamilton Ave.\nApt 4", city: "Palo Alto", region: "California", postcode: "94303-1234",
            country: "United States")
        let text = String(decoding: HashedText(address).utf8, as: UTF8.self)
        #expect(text == "v2\u{1F}301 hamilton ave apt 4\u{1F}palo alto\u{1F}ca\u{1F}94303\u{1F}us")
    }

    /// Hashes are stored: if one of these changes, every address in every database is geocoded again. They were computed
    /// from the written-out text with Python's hashlib.
    @Test(arguments: [
        (
            Address(),
            "9ef24c543c66cff5b0908dad451f4c4277f6d37103a97dde62d953e8afc1f923"
        ),
        (
            Address(
                street: "301 Hamilton Avenue", city: "Palo Alto", region: "CA", postcode: "94303", country: "US"),
            "9fffa8cc266beb3bf1b5ff3f017c050c86f8aee88b71a1908e2cf732e7deaa2d"
        ),
        (
            Address(street: "Yrjönkatu 36", city: "Helsinki", postcode: "FIN-00100", country: "Suomi"),
            "fb9025a9ccfdf5249b756c50d5c42052a9da9379710d96ae8c9045efb5c1d29e"
        ),
        (
            Address(street: "銀座４－２－３", city: "中央区", country: "日本"),
            "ff21e8616649e0644af47a5cae6067aa917eb7b00640487df266ad5d70a7bce3"
        ),
        (
            Address(street: "ΟΔΌΣ Ερμού 12", city: "Αθήνα", country: "Ελλάδα"),
            "cdcd7b7c572dbd052e006c0c64ab664cc7fe5ef27ab9ebc925a5c1f1ec5e3509"
        ),
        (
            Address(street: "Ste\u{301}phane´s ½ ﬁeld", city: "İzmir", country: "Atlantis"),
            "bbf931e6898ecf456a9e2963e9fa242f1b1777749e73c2e2d4f410e9a81af56f"
        ),
        (
            Address(street: "Hauptstraße, Nr. 92²", city: "Graz", postcode: "A-8010", country: "Österreich"),
            "094f26eadcd4d667be1f18da6e854c54ba90543c802efaac83d8ba6a60f274b0"
        ),
        (
            Address(street: "ul. Długa 5", city: "Łódź", postcode: "PL 90-926", country: "Polska"),
            "9734c609c0474ce0e837c7cb4e893578a342ddbee76986533daae4fbd279bd23"
        ),
    ])
    func `recipe v2 never changes`(address: Address, hash: String) {
        #expect(AddressHash(address).description == hash)
    }

    /// Each row has the country and two spellings.
    @Test(arguments: [
        ["DE", "Hauptstraße, 5", "Hauptstraße 5"], ["DE", "Hauptstraße Nr. 5", "Hauptstraße 5"],
        ["DE", "Hauptstraße Nr.5", "Hauptstraße #5"], ["AT", "Hausnummer 5, Ring", "5 Ring"],
        ["GB", "No. 1 Poultry", "1 Poultry"], ["BR", "Rua Augusta, nº 100", "Rua Augusta 100"],
        ["BR", "Rua Augusta, Nº100", "Rua Augusta 100"], ["FR", "Rue Foch n° 8", "Rue Foch 8"],
        ["IT", "Via Roma, n. 5", "Via Roma 5"], ["ES", "Calle Mayor, núm. 5", "Calle Mayor 5"],
        ["TR", "Atatürk Cad. No:5/3", "Atatürk Cad. 5/3"], ["CL", "Av. Brasil Nro. 5", "Av. Brasil 5"],
        ["US", "5½ Elm St", "5 1/2 Elm St"], ["CO", "Calle 26 No. 59-51", "Calle 26 # 59-51"],
    ])
    func `a sign before the house number does not change the hash`(pair: [String]) {
        #expect(
            AddressHash(Address(street: pair[1], country: pair[0]))
                == AddressHash(Address(street: pair[2], country: pair[0])))
    }

    @Test(arguments: [
        ["NL", "Prinsengracht 92²", "Prinsengracht 922"], ["JP", "9①", "91"], ["US", "5½ Elm St", "51/2 Elm St"],
        ["US", "12 N 5th St", "12 5th St"], ["MX", "Calle 5 N 12", "Calle 5 12"],
        ["DE", "Norderstr. 5", "Orderstr. 5"],
        ["DE", "Weg N 5", "Weg 5"], ["GB", "12 Notting Hill", "12 Tting Hill"], ["DE", "Ring Nr. V", "Ring V"],
        ["US", "1 No Name Rd", "1 Name Rd"],
    ])
    func `a sign that may have a meaning changes the hash`(pair: [String]) {
        #expect(
            AddressHash(Address(street: pair[1], country: pair[0]))
                != AddressHash(Address(street: pair[2], country: pair[0])))
    }

    @Test func `a hash can be restored from its bytes`() throws {
        let hash = AddressHash(Address(street: "1 Main St"))
        #expect(hash.bytes.count == 32)
        #expect(AddressHash(bytes: hash.bytes) == hash)
        #expect(AddressHash(bytes: Array(hash.bytes.dropLast())) == nil)
    }

    @Test func `a megabyte of text is hashed like any other`() {
        let street = String(repeating: "Long Street é ", count: 80_000)
        #expect(AddressHash(Address(street: street)) == AddressHash(Address(street: street + " ")))
        #expect(AddressHash(Address(street: street)) != AddressHash(Address(street: street + "x")))
    }

    @Test func `a hundred thousand marks on one letter do not take quadratic time`() {
        let street = "a" + String(repeating: "\u{301}\u{323}", count: 50_000)
        let elapsed = ContinuousClock().measure { _ = AddressHash(Address(street: street)) }
        // Quadratic work would take minutes.
        #expect(elapsed < .seconds(20))
    }
}

/// Two addresses of address-hash.json, and why they are equal or different.
struct AddressPair: Sendable, CustomTestStringConvertible {
    let why: String
    let a: Address
    let b: Address

    var testDescription: String { why }

    static func all(in group: String) throws -> [Self] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "address-hash.json")
        let groups = try JSONDecoder().decode([String: [Self]].self, from: Data(contentsOf: file))
        return try #require(groups[group])
    }
}

extension AddressPair: Decodable {
    private enum Key: CodingKey {
        case why, a, b
    }

    init(from decoder: any Decoder) throws {
        let pair = try decoder.container(keyedBy: Key.self)
        why = try pair.decode(String.self, forKey: .why)
        a = Address(try pair.decode([String: String].self, forKey: .a))
        b = Address(try pair.decode([String: String].self, forKey: .b))
    }
}

extension Address {
    fileprivate init(_ fields: [String: String]) {
        self.init(
            street: fields["street", default: ""], city: fields["city", default: ""],
            region: fields["region", default: ""], postcode: fields["postcode", default: ""],
            country: fields["country", default: ""])
    }
}
