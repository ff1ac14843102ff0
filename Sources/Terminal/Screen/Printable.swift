import Operations

extension String {
    /// With a space for each letter that a terminal would obey: a line break in a cell would break a table.
    var printable: String {
        guard unicodeScalars.contains(where: \.isObeyed) else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars { scalars.append(scalar.isObeyed ? " " : scalar) }
        return String(scalars)
    }

    /// What a terminal gets: marks of styles become its sequences, and whatever else it would obey is spelled out, as `\u001b`. In JSON
    /// that is the same text.
    ///
    /// All that is written goes through here, whoever stored it. A command that cleans its own texts forgets one.
    func onScreen(hasColor: Bool) -> String {
        func isPlain(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "\n" || scalar == "\t" || !(scalar.isObeyed || Style.marks.contains(scalar))
        }
        guard !unicodeScalars.allSatisfy(isPlain) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if isPlain(scalar) {
                text.unicodeScalars.append(scalar)
            } else if hasColor, let sequence = Style.sequence(scalar) {
                text += sequence
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether it does more than show itself. The joiners do, but words and emoji are written with them.
    fileprivate var isObeyed: Bool { isTreacherous && value != 0x200C && value != 0x200D }
}
