/// An address in the form that is sent to a provider.
public struct Query: Hashable, Sendable {
    /// The form in which the parts of an address are sent.
    public enum Form: String, Sendable, CaseIterable {
        /// Each part in a field of its own.
        case structured
        /// All parts on one line.
        case freeForm = "free form"
    }

    /// The address to send. Parts that were left out on purpose are blank.
    public package(set) var address: Address
    public package(set) var form: Form
    /// The order of the parts on one line.
    public package(set) var order = LineOrder.postcodeFirst

    public init(_ address: Address, form: Form = .structured) {
        self.address = address
        self.form = form
    }

    /// The order of the parts of an address on one line. Stored by its raw value: never rename a case.
    public enum LineOrder: String, Codable, Sendable, CaseIterable {
        /// Street, postcode, city, region, country.
        case postcodeFirst = "postcode_first"
        /// Street, city, region, postcode, country.
        case cityFirst = "city_first"
    }

    /// ISO 3166-1 alpha-2, in upper case; nil if the address has no known country.
    public var countryCode: String? { Country(address.country)?.code }

    /// The whole address on one line, for services that take a line. Blank parts are left out.
    public var line: String {
        let middle =
            switch order {
            case .postcodeFirst: [address.postcode, address.city, address.region]
            case .cityFirst: [address.city, address.region, address.postcode]
            }
        return ([address.street] + middle + [address.country])
            .flatMap { $0.split(whereSeparator: \.isNewline) }
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
            .joined(separator: ", ")
    }
}
