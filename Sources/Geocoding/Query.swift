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

    public init(_ address: Address, form: Form = .structured) {
        self.address = address
        self.form = form
    }

    /// ISO 3166-1 alpha-2, in upper case; nil if the address has no known country.
    public var countryCode: String? { Country(address.country)?.code }

    /// The whole address on one line, for services that take a line. Blank parts are left out.
    public var line: String {
        [address.street, address.postcode, address.city, address.region, address.country]
            .flatMap { $0.split(whereSeparator: \.isNewline) }
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
            .joined(separator: ", ")
    }
}
