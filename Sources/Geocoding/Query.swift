/// An address in the form that a provider gets.
public struct Query: Hashable, Sendable {
    /// How the parts of an address are sent.
    public enum Form: String, Sendable, CaseIterable {
        /// Each part under its name.
        case structured
        /// All in one line.
        case freeForm = "free form"
    }

    /// What is asked for. Parts that were left out on purpose are blank.
    public package(set) var address: Address
    public package(set) var form: Form

    public init(_ address: Address, form: Form = .structured) {
        self.address = address
        self.form = form
    }

    /// ISO 3166-1 alpha-2, in upper case; nil where the address names no country that we know.
    public var countryCode: String? { Country(address.country)?.code }

    /// The whole address in one line, for services that read it so. Blank parts leave nothing behind.
    public var line: String {
        [address.street, address.postcode, address.city, address.region, address.country]
            .flatMap { $0.split(whereSeparator: \.isNewline) }
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
            .joined(separator: ", ")
    }
}
