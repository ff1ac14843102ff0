extension Placemark {
    /// The street with its house number, in the order that is usual in the country.
    public var street: String? {
        let street = thoroughfare?.nonBlank
        guard let number = subThoroughfare?.nonBlank else { return street }
        guard let street else { return number }
        let code = countryCode ?? ""
        if Self.glued.contains(code), !street.utf8.allSatisfy({ $0 < 0x80 }) { return street + number }
        if HouseNumberOrder(in: Country(code)).isNumberFirst == true { return "\(number) \(street)" }
        return street + (Self.commas.contains(code) ? ", " : " ") + number
    }

    // The names of Apple's `CNPostalAddress`, where `CLPlacemark` has others.

    public var city: String? { locality?.nonBlank }
    public var state: String? { administrativeArea?.nonBlank }

    /// The name that the provider gave, or the English one.
    public var country: String? {
        countryName?.nonBlank ?? countryCode.flatMap { Country($0)?.name }
    }

    /// As somebody would have written it.
    public var address: Address {
        Address(
            street: street ?? "", city: city ?? "", region: state ?? "", postcode: postalCode ?? "",
            country: countryCode?.nonBlank ?? countryName ?? "")
    }

    public enum AddressStyle: Sendable {
        case oneLine
        case lines
    }

    /// The whole address with its country, as people of the country write it. Empty where the place has none.
    public func formattedAddress(style: AddressStyle) -> String {
        let code = countryCode?.nonBlank ?? countryName ?? ""
        let lines =
            PostalFormat(country: Country(code)).lines(of: self, areCapitals: false) + [country].compactMap(\.self)
        return lines.joined(separator: style == .oneLine ? ", " : "\n")
    }

    /// Street and city, or what there is: `Mannerheimintie 5, Helsinki`. Empty where the place has no names.
    public var shortAddress: String {
        let town = [locality, subLocality, subAdministrativeArea, administrativeArea].lazy.compactMap { $0?.nonBlank }
            .first
        let names = [street, town].compactMap(\.self)
        return names.isEmpty ? postalCode?.nonBlank ?? country ?? "" : names.joined(separator: ", ")
    }

    /// A name to show. Never empty, and never a bare coordinate: that says where somebody lives to whoever looks on,
    /// and nothing to who should read it.
    public var displayName: String {
        if let name = name?.nonBlank, name.contains(where: \.isLetter), !Self.isCoordinate(name) { return name }
        let address = shortAddress
        return address.isEmpty ? "Unnamed place" : address
    }

    /// Where the house number follows the street without a space.
    private static let glued: Set = ["JP", "CN", "TW", "HK", "MO"]
    private static let commas: Set = ["BR", "ES", "RU", "UA", "BY", "KZ"]
}

extension String {
    /// Nil where nobody would see anything.
    var nonBlank: String? {
        let text = trimmed
        return text.isEmpty ? nil : text
    }
}
