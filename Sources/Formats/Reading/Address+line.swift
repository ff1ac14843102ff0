package import Geocoding
import Towns

extension Address {
    /// An address of which all stands on one line. What `beside` says is surer, where it says anything.
    package init(line: String, beside: Address, likelyCountry: String = "") {
        let country = beside.country.isEmpty ? likelyCountry : beside.country
        self = Gazetteer.shared.read(line: line, country: country)
        // A postcode alone is no address.
        if Address(street: street, city: city, country: self.country).isEmpty { self = Address(street: line) }
        if !beside.region.isEmpty { region = beside.region }
        if !beside.postcode.isEmpty { postcode = beside.postcode }
        if !beside.country.isEmpty { self.country = beside.country }
    }

    /// The same address, where the street has all of it: `12 Main St, Peoria, IL 61602` in a column "Address".
    ///
    /// A street that only may be a town stays a street unless it `isAlone`, with nowhere for a town to stand.
    func splittingStreet(isAlone: Bool, likelyCountry: String) -> Address {
        guard city.isEmpty, postcode.isEmpty, !street.isEmpty else { return self }
        let read = Address(line: street, beside: self, likelyCountry: likelyCountry)
        let isWhole =
            isAlone ? !read.city.isEmpty || !read.postcode.isEmpty : !read.city.isEmpty && !read.street.isEmpty
        // A country that is not in the line is not a reason to part it.
        return isWhole || isAlone && country.isEmpty && !read.country.isEmpty ? read : self
    }
}
