/// A key that most spellings of one address share. It finds the answer to another spelling.
///
/// An equal key does not prove that two addresses are the same. An answer found by it is graded against the new text
/// before it is taken (``Confidence``). The key folds differences that an ``AddressHash`` keeps: abbreviations,
/// umlauts, ordinals, directions, saints, and the order of street and number. It leaves out flats, floors and persons.
/// It keeps the parts that distinguish houses: numbers with their letters, kinds of streets, towns, regions, postcodes.
///
/// Stored: a change that makes more addresses equal needs a new version, and keys of the old version then match nothing.
/// A change that separates a few addresses does not: each keeps the version, and only these get other keys.
package struct LooseKey: Hashable, Sendable {
    /// 64 bits of a SHA-256. Two addresses that share them by chance are distinguished when the answer is graded.
    package let value: Int

    /// Reads a stored key.
    package init(value: Int) {
        self.value = value
    }

    package init(_ address: Address) {
        value = SHA256.key(of: LooseText(address).utf8)
    }
}

/// A street's name as in a ``LooseKey``: equal for the spellings of one name in a country.
package struct StreetKey: Hashable, Sendable {
    private let utf8: [UInt8]

    package init(_ name: String, in country: Country?) {
        var utf8: [UInt8] = []
        LooseRules.of(country?.code).appendStreet(name, to: &utf8)
        self.utf8 = utf8
    }
}

extension Address {
    /// The address with the street's name from `placemark`, if that is another spelling of the same name.
    package func respelled(as placemark: Placemark) -> Address {
        guard let name = placemark.thoroughfare, !name.isEmpty else { return self }
        let country = Country(country)
        let parts = AddressParts(street, in: country)
        guard !parts.street.isEmpty, parts.street != name,
            StreetKey(parts.street, in: country) == StreetKey(name, in: country)
        else { return self }
        var address = self
        let line = parts.isNumberFirst ? [parts.houseNumber, name] : [name, parts.houseNumber]
        address.street = line.filter { !$0.isEmpty }.joined(separator: " ")
        return address
    }
}

/// The text of a ``LooseKey``.
struct LooseText {
    private(set) var utf8 = Array("loose1".utf8)

    init(_ address: Address) {
        utf8.reserveCapacity(256)
        var folded: [UInt8] = []
        Folding.canonical(address.country, into: &folded)
        let country = folded.isEmpty ? nil : Country(folded: folded)
        let rules = LooseRules.of(country?.code)
        let parts = AddressParts(Self.readable(address.street, in: country), in: country)

        appendField { rules.appendStreet(parts.street, to: &$0) }
        appendField { Self.append(houseNumber: parts.houseNumber, to: &$0) }
        appendField { out in
            for part in [parts.building, parts.postBox] + parts.rest where !part.isEmpty {
                out.append(UInt8(ascii: "|"))
                rules.appendStreet(part, to: &out)
            }
            if !parts.building.isEmpty { Self.append(buildingsOf: address.street, to: &out) }
        }
        appendField { rules.appendTown(address.city, to: &$0) }
        appendField { Self.append(region: address.region, in: country, to: &$0) }
        appendField { $0 += PostcodeKey(address.postcode, in: country).padded.utf8 }
        appendField { $0 += country?.foldedCode ?? folded }
    }

    /// Prepares a street for reading. A sign before a number does not count as a word: `№12`. In Colombia it precedes
    /// the house number, and never a flat. A number behind a dash is the end of a range, and not a flat.
    private static func readable(_ street: String, in country: Country?) -> String {
        // Searching for a text in another takes as long as all the rest, and most streets have none of these signs.
        guard street.utf8.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "#") || $0 == 0xE2 }) else {
            return street
        }
        var text = street.contains("№") ? street.replacing("№", with: " ") : street
        for dash in [" - ", " – ", " — "] where text.contains(dash) {
            text = joiningNumbers(in: text, around: dash)
        }
        return country?.code == "CO" ? text.replacing("#", with: " ") : text
    }

    /// `7-9` for `7 - 9`.
    private static func joiningNumbers(in text: String, around dash: String) -> String {
        var pieces = text.split(separator: dash, omittingEmptySubsequences: false)[...]
        var joined = String(pieces.removeFirst())
        for piece in pieces {
            let isRange = joined.last?.isNumber == true && piece.first?.isNumber == true
            joined += (isRange ? "-" : dash) + piece
        }
        return joined
    }

    private mutating func appendField(_ append: (inout [UInt8]) -> Void) {
        utf8.append(0x1F)
        append(&utf8)
    }

    /// `12 a`, `12A` and `12-a` are equal; `5/1` differs from `51`, and `1 2` from `12`.
    static func append(houseNumber: String, to utf8: inout [UInt8]) {
        var folded: [UInt8] = []
        Folding.canonical(houseNumber, into: &folded)
        NumberSigns.drop(from: &folded, since: 0, in: nil)
        for (position, byte) in folded.enumerated() {
            let isBetweenDigits =
                position > 0 && position + 1 < folded.count && isDigit(utf8.last ?? 0)
                && isDigit(folded[position + 1])
            switch byte {
            case UInt8(ascii: " "): if isBetweenDigits { utf8.append(byte) }
            case UInt8(ascii: "-"), UInt8(ascii: "/"):
                let next = folded[(position + 1)...].first { $0 != UInt8(ascii: " ") } ?? 0
                if isDigit(utf8.last ?? 0), isDigit(next) { utf8.append(byte) }
            default: utf8.append(byte)
            }
        }
    }

    /// Distinguishes a Russian строение from a корпус of the same number: they are different houses.
    private static func append(buildingsOf street: String, to utf8: inout [UInt8]) {
        let signs = StreetTokens(street[...]).words.compactMap { word -> UInt8? in
            switch word {
            case "стр", "строение": UInt8(ascii: "s")
            case "к", "корп", "корпус": UInt8(ascii: "k")
            default: nil
            }
        }
        if signs.contains(UInt8(ascii: "s")) { utf8 += [UInt8(ascii: "|")] + signs }
    }

    private static func append(region: String, in country: Country?, to utf8: inout [UInt8]) {
        guard !region.isEmpty else { return }
        if let country, let code = Region.code(folded: Array(Folding.canonical(region).utf8)[...], in: country) {
            utf8 += code
        } else {
            utf8 += Folding.loose(region).utf8.lazy.filter { $0 != UInt8(ascii: " ") }
        }
    }
}
