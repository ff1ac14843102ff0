/// The words that people put before a house number: `Nr. 5`, `No. 5`, `n° 5`.
enum NumberSigns {
    /// Drops them from a folded street, which is the rest of `utf8` from `start` on, wherever a digit follows.
    static func drop(from utf8: inout [UInt8], since start: Int, in country: String?) {
        var position = start
        while position < utf8.count {
            let first = utf8[position] | 0x20
            if first == UInt8(ascii: "n") || first == UInt8(ascii: "h") {
                let end = signEnd(in: utf8, at: position, country)
                if end > position { utf8.removeSubrange(position..<end) }
            }
            position = (utf8[position...].firstIndex(of: UInt8(ascii: " ")) ?? utf8.count) + 1
        }
    }

    /// Returns the index of the number behind the sign at `position`; `position` if there is no sign.
    private static func signEnd(in utf8: [UInt8], at position: Int, _ country: String?) -> Int {
        let rest = utf8[position...]
        for sign in signs where rest.starts(with: sign) {
            var end = position + sign.count
            // `no5` was `Nº5`; `n5` was a building, and `numero5` does not exist.
            let mayTouch = touching.contains(sign)
            if end < utf8.count, utf8[end] == UInt8(ascii: " ") { end += 1 } else if !mayTouch { continue }
            if end < utf8.count, isDigit(utf8[end]) { return end }
        }
        let isLetter = rest.starts(with: [UInt8(ascii: "n"), UInt8(ascii: " ")])
        // In other countries it may mean north.
        if isLetter, let country, letterCountries.contains(country), position + 2 < utf8.count,
            isDigit(utf8[position + 2])
        {
            return position + 2
        }
        return position
    }

    private static let signs = [
        "nr", "no", "n°", "nro", "num", "núm", "numero", "número", "numéro", "nummer", "hausnr", "hausnummer",
        "haus nr",
    ].map { Array($0.utf8) }
    private static let touching = Set(["nr", "no", "n°"].map { Array($0.utf8) })
    private static let letterCountries: Set = ["IT", "ES", "PT", "BR"]
}
