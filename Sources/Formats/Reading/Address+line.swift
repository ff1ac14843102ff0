package import Geocoding
import Towns

extension Address {
    /// Parses an address that is on one line. Parts given in `beside` take precedence.
    package init(line: String, beside: Address, likelyCountry: String = "") {
        let country = beside.country.isEmpty ? likelyCountry : beside.country
        self = Gazetteer.shared.read(line: line, country: country)
        // A postcode alone is not enough for an address.
        if Address(street: street, city: city, country: self.country).isEmpty { self = Address(street: line) }
        if !beside.region.isEmpty { region = beside.region }
        if !beside.postcode.isEmpty { postcode = beside.postcode }
        if !beside.country.isEmpty { self.country = beside.country }
    }

    /// Parses the street if it contains the whole address: `12 Main St, Peoria, IL 61602` in a column "Address".
    ///
    /// A street that may also be a town stays a street. With `isAlone` the source has no field for a town, so a town is
    /// accepted.
    func splittingStreet(isAlone: Bool, likelyCountry: String) -> Address {
        guard city.isEmpty, postcode.isEmpty, !street.isEmpty else { return self }
        let read = Address(line: street, beside: self, likelyCountry: likelyCountry)
        let isWhole =
            isAlone ? !read.city.isEmpty || !read.postcode.isEmpty : !read.city.isEmpty && !read.street.isEmpty
        // A country that is not in the line is not a reason to split it.
        return isWhole || isAlone && country.isEmpty && !read.country.isEmpty ? read : self
    }
}
