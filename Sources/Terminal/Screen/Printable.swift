import Processes

extension String {
    /// Replaces each control character by a space: a line break in a cell would break a table.
    var printable: String {
        guard unicodeScalars.contains(where: \.isObeyed) else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars { scalars.append(scalar.isObeyed ? " " : scalar) }
        return String(scalars)
    }

    /// The text as it is sent to a terminal. Marks of styles become escape sequences. Other control characters are
    /// spelled out, as `\u001b`; in JSON that means the same character.
    ///
    /// All output passes through here, wherever a text comes from, so no command can forget to clean its texts.
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
    /// Returns whether a terminal would act on the character. The joiners are allowed, because words and emoji need
    /// them.
    fileprivate var isObeyed: Bool { isTreacherous && value != 0x200C && value != 0x200D }
}
