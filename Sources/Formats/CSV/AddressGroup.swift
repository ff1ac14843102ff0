/// The columns of one of a row's addresses, which share a part of their names.
struct AddressGroup: Hashable {
    /// The shared part of the columns' names.
    let key: String
    /// The label of the address, unless a column contains it.
    let label: String

    /// The group of a row's only address.
    static let only = Self(key: "", label: "")

    init(key: String, label: String) {
        (self.key, self.label) = (key, label)
    }

    /// The group with a name: `Billing Address` or `Wohnung`.
    init(heading: String) {
        let key = ContactField.key(heading)
        if let known = ColumnWords.groups.first(where: { key.hasPrefix($0.word) || key.hasSuffix($0.word) })?.label {
            self.init(key: known, label: known)
        } else {
            self.init(key: key, label: Self.withoutAddress(key))
        }
    }

    private static func withoutAddress(_ key: String) -> String {
        let end = ["address", "adresse", "anschrift"].first(where: key.hasSuffix) ?? ""
        return String(key.dropLast(end.count))
    }

    /// Splits the key of `Home Street`, `Address 1 - Street` or `Straße privat` into the group and the field.
    static func split(_ key: String) -> (AddressGroup, ContactField)? {
        numbered(key) ?? named(key)
    }

    private static func numbered(_ key: String) -> (AddressGroup, ContactField)? {
        guard let word = ["address", "adresse"].first(where: key.hasPrefix) else { return nil }
        let number = key.dropFirst(word.count).prefix { $0.isASCII && $0.isNumber }
        guard !number.isEmpty else { return nil }
        return field(key.dropFirst(word.count + number.count)).map {
            (AddressGroup(key: String(number), label: ""), $0)
        }
    }

    private static func named(_ key: String) -> (AddressGroup, ContactField)? {
        for (word, label) in ColumnWords.groups {
            let rest =
                key.hasPrefix(word) ? key.dropFirst(word.count) : key.hasSuffix(word) ? key.dropLast(word.count) : ""
            if let field = field(rest) { return (AddressGroup(key: label, label: label), field) }
        }
        return nil
    }

    /// Splits the key of `Shipping City` or `City (Billing)` into the longest known name and the rest.
    static func sharedWord(of key: String) -> (word: String, field: ContactField)? {
        for length in stride(from: key.count - 1, through: 2, by: -1) {
            let splits = [(key.dropLast(length), key.suffix(length)), (key.dropFirst(length), key.prefix(length))]
            for (word, name) in splits {
                guard let field = ContactField(key: String(name)), field != .label else { continue }
                // `Billing Address City` and `Billing Zip` are one address.
                return (withoutAddress(String(word)), field)
            }
        }
        return nil
    }

    private static func field(_ key: Substring) -> ContactField? {
        ContactField(key: String(key)).flatMap { $0.isOfAddress ? $0 : nil }
    }
}
