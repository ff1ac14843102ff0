import CWords

/// Prints postcodes in the form of their country: `110 00`, `1015 CN`, `01310-100`.
enum PostalPostcode {
    /// Returns `postcode` in the form of `country`, however it was typed. Unchanged if it does not have the country's
    /// shape.
    static func printed(_ postcode: String, in country: Country?) -> String {
        guard let country, let shapes = shapes[country.code] else { return postcode }
        let typed = postcode.uppercased().filter { $0.isLetter || $0.isNumber }
        guard typed.allSatisfy(\.isASCII) else { return postcode }
        if let printed = shapes.lazy.compactMap({ $0.print(Array(typed)) }).first { return printed }
        // Without the country's sign (`NL-1012 RJ`, `D-80331`), and with the zeros that a spreadsheet removed.
        let signed = typed.hasPrefix(country.code) ? String(typed.dropFirst(2)) : typed
        let bare = PostcodeKey(signed, in: country).padded.uppercased()
        return shapes.lazy.compactMap { $0.print(Array(bare)) }.first ?? postcode
    }

    static func hasForm(_ postcode: String, in country: Country) -> Bool {
        let typed = Array(postcode.uppercased().filter { $0.isLetter || $0.isNumber })
        return shapes[country.code]?.contains { $0.print(typed) != nil } ?? false
    }

    private static let shapes: [String: [Shape]] = Dictionary(
        uniqueKeysWithValues: words_postcode_shapes().rows.map { row in
            (String(row[0]), row[1].split(separator: ",").map { Shape(letters: Array($0)) })
        })

    private struct Shape {
        let letters: [Character]

        /// Returns nil if `typed`, letters and digits without separators, has another shape.
        func print(_ typed: [Character]) -> String? {
            let sign = letters.prefix(while: \.isLetter)
            var rest = typed.starts(with: sign) ? typed[...] : sign + typed
            var printed = ""
            for letter in letters {
                switch letter {
                case " ", "-": printed.append(letter)
                case "*":
                    guard (5...7).contains(rest.count), rest.first?.isLetter == true else { return nil }
                    printed += rest.dropLast(3)
                    rest = rest.suffix(3)
                default:
                    guard let next = rest.popFirst(), Self.fits(next, letter) else { return nil }
                    printed.append(next)
                }
            }
            return rest.isEmpty ? printed : nil
        }

        private static func fits(_ character: Character, _ letter: Character) -> Bool {
            switch letter {
            case "#": character.isNumber
            case "@": character.isLetter
            case "%": true
            default: character == letter
            }
        }
    }
}
