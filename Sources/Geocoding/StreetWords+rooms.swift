extension Address {
    /// True if a folded word marks its neighbours as the name of a street.
    package static func isStreetWord(_ word: ArraySlice<UInt8>) -> Bool { StreetWords.isStreet(word) }
}

extension Country {
    /// The code of the country that this one belongs to, if people write that country's name in addresses: France for
    /// Réunion.
    package var sovereignCode: String? { Territories.sovereign(of: code) }
}
