import Foundation
import Testing

@testable import Geocoding

struct AddressHashTests {
    @Test(arguments: try AddressPair.all(in: "alike"))
    func `spellings of one address hash alike`(pair: AddressPair) {
        #expect(AddressHash(pair.a) == AddressHash(pair.b), "\(pair.why)")
    }

    @Test(arguments: try AddressPair.all(in: "different"))
    func `different addresses hash differently`(pair: AddressPair) {
        #expect(AddressHash(pair.a) != AddressHash(pair.b), "\(pair.why)")
    }

    @Test func `the text hashed is the version and five folded fields`() {
        let address = Address(
            street: "301 Hamilton Ave.\nApt 4", city: "Palo Alto", region: "California", postcode: "94303-1234",
            country: "United States")
        let text = String(decoding: HashedText(address).utf8, as: UTF8.self)
        #expect(text == "v1\u{1F}301 hamilton ave apt 4\u{1F}palo alto\u{1F}ca\u{1F}94303\u{1F}us")
    }

    /// Hashes are stored: if one of these changes, every address in every database is geocoded again. They were computed
    /// from the recipe by hand, with another SHA-256.
    @Test(arguments: [
        (Address(), "2b7d9cebd1c89c4decc2ec2a20e4ffe3e12e764d49050783939b4fe94b6c79f7"),
        (
            Address(
                street: "301 Hamilton Avenue", city: "Palo Alto", region: "CA", postcode: "94303", country: "US"),
            "f58a5badbd32aa4c193622d66aba689fab6ca50063e487cf094e00059a948489"
        ),
        (
            Address(street: "Yrjönkatu 36", city: "Helsinki", postcode: "00100", country: "Suomi"),
            "75a6b3dcd72553d6be8814927e8f7fcd034fc6a5fe273affda12160a4f9d0cd3"
        ),
        (
            Address(street: "銀座４－２－３", city: "中央区", country: "日本"),
            "e3f418c5265a7452fe138fd0d4b4348b79e5b286ded694b9332ed5a407f94224"
        ),
        (
            Address(street: "ΟΔΌΣ Ερμού 12", city: "Αθήνα", country: "Ελλάδα"),
            "070eb1ac94d7bb363a612cf524d095a3183fd77642ef6a1d66edb5b074180842"
        ),
        (
            Address(street: "Ste\u{301}phane´s ½ ﬁeld", city: "İzmir", country: "Atlantis"),
            "bbe4345ebce09b0ca169c895f3f4a73fe6d5dc32bf263808d9e8081847b4a08c"
        ),
    ])
    func `recipe v1 never changes`(address: Address, hash: String) {
        #expect(AddressHash(address).description == hash)
    }

    @Test func `a hash survives being stored`() throws {
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

    @Test func `a hundred thousand marks on one letter cost no more than as many letters`() {
        let street = "a" + String(repeating: "\u{301}\u{323}", count: 50_000)
        let elapsed = ContinuousClock().measure { _ = AddressHash(Address(street: street)) }
        #expect(elapsed < .seconds(2))
    }
}

/// Two addresses of address-hash.json, and why they are alike or not.
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
