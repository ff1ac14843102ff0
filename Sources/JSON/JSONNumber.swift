/// The position of a reader in a number: https://www.rfc-editor.org/rfc/rfc8259#section-6
enum JSONNumber {
    case minus, zero, whole, point, fraction, exponent, sign, power

    init?(_ first: UInt8) {
        switch first {
        case UInt8(ascii: "-"): self = .minus
        case UInt8(ascii: "0"): self = .zero
        case UInt8(ascii: "1")...UInt8(ascii: "9"): self = .whole
        default: return nil
        }
    }

    /// Returns whether the number may end here.
    var isWhole: Bool {
        switch self {
        case .zero, .whole, .fraction, .power: true
        case .minus, .point, .exponent, .sign: false
        }
    }

    /// The next position, or nil if `byte` does not belong to the number.
    func following(_ byte: UInt8) -> JSONNumber? {
        switch (self, byte) {
        case (.minus, UInt8(ascii: "0")): .zero
        case (.minus, _) where byte.isDigit, (.whole, _) where byte.isDigit: .whole
        case (.zero, UInt8(ascii: ".")), (.whole, UInt8(ascii: ".")): .point
        case (.point, _) where byte.isDigit, (.fraction, _) where byte.isDigit: .fraction
        case (.zero, UInt8(ascii: "e")), (.zero, UInt8(ascii: "E")), (.whole, UInt8(ascii: "e")),
            (.whole, UInt8(ascii: "E")), (.fraction, UInt8(ascii: "e")), (.fraction, UInt8(ascii: "E")):
            .exponent
        case (.exponent, UInt8(ascii: "+")), (.exponent, UInt8(ascii: "-")): .sign
        case (.exponent, _) where byte.isDigit, (.sign, _) where byte.isDigit, (.power, _) where byte.isDigit: .power
        default: nil
        }
    }
}
