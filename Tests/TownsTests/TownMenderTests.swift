import Geocoding
import Testing
import Towns

struct TownMenderTests {
    private let mender = TownMender()

    @Test func `a typing mistake in town and country is corrected`() {
        let mended = mender.mended(
            Address(street: "Bahnhofstr. 1", city: "Scahan", postcode: "9494", country: "Liechtenstien"))
        #expect(mended.city == "Schaan")
        #expect(mended.country == "LI")
        #expect(mended.street == "Bahnhofstr. 1")
    }

    @Test(arguments: ["Vaduz", "Helsinki", "Frankfurt a. M.", "Munich", "Xyzzyville"])
    func `a known name, and an unknown one without a near match, stay unchanged`(_ town: String) {
        let address = Address(street: "Weg 1", city: town, country: "")
        #expect(mender.mended(address) == address)
    }

    @Test func `a correction is always the same, and correcting twice changes nothing`() {
        let address = Address(city: "Helsinkki", country: "Finland")
        #expect(mender.mended(address) == mender.mended(address))
        #expect(mender.mended(mender.mended(address)) == mender.mended(address))
    }
}
