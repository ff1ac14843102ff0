import Testing

@testable import Geocoding

struct AskedDetailTests {
    @Test(arguments: [
        (Address(street: "1 High St", city: "Ely"), [Precision.postcode, .city, .region, .country]),
        (Address(street: " ", city: "Ely"), [.region, .country]), (Address(postcode: "00100"), [.region, .country]),
        (Address(region: "Texas"), []), (Address(country: "FI"), []),
    ])
    func `an answer is weak that is coarser than what was asked`(address: Address, weak: [Precision]) {
        #expect(Precision.allCases.filter { AskedDetail(address).isWeak($0) } == weak)
    }
}
