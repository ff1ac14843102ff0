package import Geocoding
import Towns

extension Address {
    /// True if it has a street, a city or a country. An address without them is left out.
    var hasPlace: Bool { !Address(street: street, city: city, country: country).isEmpty }

    /// Parses an address that is on one line. Parts given in `beside` take precedence.
    package init(line: String, beside: Address, likelyCountry: String = "") {
        let country = beside.country.isEmpty ? likelyCountry : beside.country
        self = Gazetteer.shared.read(line: line, country: country)
        // A postcode alone is not enough for an address.
        if !hasPlace { self = Address(street: line) }
        if !beside.region.isEmpty { region = beside.region }
        if !beside.postcode.isEmpty { postcode = beside.postcode }
        if !beside.country.isEmpty { self.country = beside.country }
    }

    /// Parses the street if it contains the whole address: `12 Main St, Peoria, IL 61602` in a column "Address".
    ///
    /// A street that may also be a town stays a street. With `isAlone` the source has no field for a town, so a town is
    /// accepted. If the source has a town or a postcode too, the line must contain the same.
    func splittingStreet(isAlone: Bool, likelyCountry: String) -> Address {
        guard !street.isEmpty else { return self }
        // A line in Chinese, Japanese or Korean starts with the region and the town, and has no commas.
        let isEastAsian = street.utf8.contains(where: \.startsEastAsianLetter)
        guard city.isEmpty, postcode.isEmpty || isEastAsian else {
            return droppingTheRestOfStreet(likelyCountry: likelyCountry)
        }
        let read = Address(line: street, beside: self, likelyCountry: likelyCountry)
        let isWhole =
            isAlone ? !read.city.isEmpty || !read.postcode.isEmpty : !read.city.isEmpty && !read.street.isEmpty
        // A country that is not in the line is not a reason to split it.
        return isWhole || isAlone && country.isEmpty && !read.country.isEmpty ? read : self
    }

    /// `12 Main St` for the street `12 Main St, Peoria, IL 61602` next to a town Peoria or a postcode 61602.
    private func droppingTheRestOfStreet(likelyCountry: String) -> Address {
        guard street.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") }) else { return self }
        let read = Address(line: street, beside: Address(country: country), likelyCountry: likelyCountry)
        let isSame =
            city.isEmpty
            ? Folding.loose(read.postcode) == Folding.loose(postcode) : Folding.loose(read.city) == Folding.loose(city)
        guard isSame, !read.street.isEmpty, !read.city.isEmpty else { return self }
        var whole = self
        whole.street = read.street
        if city.isEmpty { whole.city = read.city }
        if region.isEmpty { whole.region = read.region }
        if postcode.isEmpty { whole.postcode = read.postcode }
        if country.isEmpty { whole.country = read.country }
        return whole
    }

    /// Fills a street or a town that is empty from a line with the whole address.
    mutating func fill(from line: String, likelyCountry: String) {
        if city.isEmpty { return readLocality(line, likelyCountry: likelyCountry) }
        guard street.isEmpty else { return }
        let read = Address(line: line, beside: Address(country: country), likelyCountry: likelyCountry)
        // `Jl. Sudirman 123, Jakarta` next to `Jakarta Selatan`: the town of the line may have another name.
        if !read.street.isEmpty { street = Folding.loose(read.city) == Folding.loose(city) ? read.street : line }
    }

    /// Parses several lines that end with a town, if no column has one: `1 High St`, `Little Downham`, `Ely`.
    func splittingLines(hasTown: Bool, likelyCountry: String) -> Address {
        guard !hasTown, city.isEmpty, street.utf8.contains(UInt8(ascii: "\n")) else { return self }
        let line = [street, postcode].filter { !$0.isEmpty }.joined(separator: "\n")
        let read = Address(line: line, beside: self, likelyCountry: likelyCountry)
        return read.city.isEmpty || read.street.isEmpty ? self : read
    }

    /// Fills the parts that are empty from a postcode and a town, such as `10115 Berlin` or `Peoria, IL 61602`.
    mutating func readLocality(_ text: String, likelyCountry: String) {
        let read = Address(line: text, beside: Address(country: country), likelyCountry: likelyCountry)
        city = read.city.isEmpty ? text : read.city
        if region.isEmpty { region = read.region }
        if postcode.isEmpty { postcode = read.postcode }
        if country.isEmpty { country = read.country }
    }
}
