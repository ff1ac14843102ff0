/// A row as a parameter, or as an element of one, for a composite type: `(1,,"two words")`. Postgres infers the type
/// from the parameter's place.
///
/// https://www.postgresql.org/docs/15/rowtypes.html#ROWTYPES-IO-SYNTAX
package struct SQLRow: SQLValue, SQLArrayElement {
    package static var sqlArrayType: UInt32 { 0 }

    private var text: [UInt8] = [UInt8(ascii: "(")]

    /// Nil is NULL.
    package init(_ fields: (any SQLValue)?...) {
        text.reserveCapacity(96)
        for (index, field) in fields.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            if let field { append(field) }
        }
        text.append(UInt8(ascii: ")"))
    }

    private mutating func append(_ field: any SQLValue) {
        let start = text.count
        field.write(to: &text)
        guard text.count == start || text[start...].contains(where: Self.isSpecial) else { return }
        let plain = Array<UInt8>(text[start...])
        text.removeSubrange(start...)
        text.append(UInt8(ascii: "\""))
        for byte in plain {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
            text.append(byte)
        }
        text.append(UInt8(ascii: "\""))
    }

    /// A field with one of these needs quotes.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"): true
        default: false
        }
    }

    package func write(to bytes: inout [UInt8]) { bytes += text }

    /// A column's row is not read: select its fields.
    package init?(sqlText: UnsafeBufferPointer<UInt8>) { nil }
}
