extension Address {
    /// Whether a folded word says that its neighbours are the name of a street.
    package static func isStreetWord(_ word: ArraySlice<UInt8>) -> Bool { StreetWords.isStreet(word) }
}

extension Country {
    /// The code of the country that this one belongs to, where people write that one's name in addresses: France for
    /// Réunion.
    package var sovereignCode: String? { Territories.sovereign(of: code) }
}
