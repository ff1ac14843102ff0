extension Unicode.Scalar {
    /// True if the character could end a line, move the cursor, or reorder the rest.
    ///
    /// Such a character in a message can forge a second line or hide the first, on a terminal or in a viewer.
    package var isTreacherous: Bool {
        guard !isASCII else { return value < 0x20 || value == 0x7F }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
