package import Geocoding

/// Corrects the town and the country of an address before it is sent to a paid provider.
package struct TownMender: AddressMending {
    /// Below this certainty the address is not changed.
    private static let least = 0.75

    package init() {}

    package func mended(_ address: Address) -> Address {
        var mended = address
        if Country(address.country) == nil {
            let code = Country.meant(by: address.country)?.code ?? CountrySpelling.country(like: address.country)
            mended.country = code ?? address.country
        }
        let country = Country(mended.country).map { CountryKey($0.code) }
        guard !address.city.isEmpty, !Gazetteer.shared.knows(town: address.city, in: country),
            let found = Gazetteer.shared.search(mended).first, found.share >= Self.least,
            let town = found.placemark.locality
        else { return mended }
        mended.city = town
        return mended
    }
}

extension Gazetteer {
    /// Returns whether a town has this name, in the country if there is one.
    func knows(town name: String, in country: CountryKey?) -> Bool {
        Array(Folding.loose(name).utf8).withUnsafeBufferPointer { towns(called: $0) }
            .contains { country?.covers(places[$0.place].country) ?? true }
    }
}
