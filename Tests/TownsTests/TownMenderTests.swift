import Geocoding
import Testing
import Towns

struct TownMenderTests {
    private let mender = TownMender()

    @Test func `a slip of the finger in town and country is mended`() {
        let mended = mender.mended(
            Address(street: "Bahnhofstr. 1", city: "Scahan", postcode: "9494", country: "Liechtenstien"))
        #expect(mended.city == "Schaan")
        #expect(mended.country == "LI")
        #expect(mended.street == "Bahnhofstr. 1")
    }

    @Test(arguments: ["Vaduz", "Helsinki", "Frankfurt a. M.", "Munich", "Xyzzyville"])
    func `what is known, and what nobody knows, stays as it is`(_ town: String) {
        let address = Address(street: "Weg 1", city: town, country: "")
        #expect(mender.mended(address) == address)
    }

    @Test func `the same address is mended in the same way each time`() {
        let address = Address(city: "Helsinkki", country: "Finland")
        #expect(mender.mended(address) == mender.mended(address))
        #expect(mender.mended(mender.mended(address)) == mender.mended(address))
    }
}
