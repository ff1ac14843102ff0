import Geocoding

/// A field of a contact that a column may contain.
enum ContactField: String, Hashable, CaseIterable {
    case key, id, name, given, middle, family, nickname, organisation
    case label, street, houseNumber, street2, poBox, formatted
    /// A postcode and a town together.
    case postcodeCity
    case city, region, postcode, country
    case latitude, longitude, geo, provider

    /// The field for a header of this name.
    init?(header: String) {
        self.init(key: Self.key(header))
    }

    init?(key: String) {
        if let field = ColumnWords.meanings[key]?.first?.field {
            self = field
        } else if let (base, number) = Self.numbered(key), ColumnWords.meanings[base]?.first?.field == .street {
            // `Address 3` is a further line.
            self = number == 1 ? .street : .street2
        } else {
            return nil
        }
    }

    /// The number at the end of a key, and the key without it: `city2`.
    static func numbered(_ key: String) -> (base: String, number: Int)? {
        let digits = String(key.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
        guard !digits.isEmpty, digits.count < 3, digits.count < key.count, let number = Int(digits) else { return nil }
        return (String(key.dropLast(digits.count)), number)
    }

    /// Returns whether a contact may have the field several times, once for each address.
    var isOfAddress: Bool { isPlace || [.label, .latitude, .longitude, .geo, .provider].contains(self) }

    /// Returns whether the field helps to find a place.
    var isPlace: Bool {
        switch self {
        case .street, .houseNumber, .street2, .poBox, .formatted, .postcodeCity, .city, .region, .postcode, .country:
            true
        default: false
        }
    }

    /// Returns whether the field is enough for an address: a country or a postcode may also belong to something else.
    var isAddressAlone: Bool { [.street, .formatted, .postcodeCity, .city].contains(self) }

    /// A header without differences of spelling: `Código_Postal` and `codigo postal` are equal.
    static func key(_ header: String) -> String {
        Folding.loose(header).filter { $0 != " " }
    }
}
