extension Address {
    /// The address of the whole house, if this is a flat or room in it, or an address in care of a person; nil
    /// otherwise.
    public var withoutUnit: Address? {
        // Most streets are a name and a number. They have no unit, and this check finds that out quickly.
        guard
            street.utf8.contains(where: {
                $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "#")
            })
                || street.utf8.count(where: { $0 == UInt8(ascii: " ") }) > 1
        else { return nil }
        guard AddressParts(plain: street) == nil else { return nil }
        let parts = AddressParts(reading: street, in: Country(country))
        guard ![parts.unit, parts.floor, parts.careOf].allSatisfy(\.isEmpty), !parts.houseNumber.isEmpty else {
            return nil
        }
        var house = self
        house.street = parts.streetLine
        return house
    }
}
