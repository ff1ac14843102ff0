extension String {
    /// With a space for each control character: a line break in a cell would break a table, and an
    /// escape sequence from somebody's file would reach the terminal.
    var printable: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars { scalars.append(scalar.properties.generalCategory == .control ? " " : scalar) }
        return String(scalars)
    }
}
