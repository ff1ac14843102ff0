/// A row as a parameter, or as an element of one, for a composite type: `(1,,"two words")`. Postgres infers the type
/// from the parameter's place.
///
/// https://www.postgresql.org/docs/15/rowtypes.html#ROWTYPES-IO-SYNTAX
package struct SQLRow: SQLValue, SQLArrayElement {
    package static var sqlArrayType: UInt32 { 0 }

    /// Each field has a comma behind it.
    private var text: [UInt8] = []

    package init() {
        text.reserveCapacity(96)
        text.append(UInt8(ascii: "("))
    }

    /// Adds a field; nil is NULL. Without generics, as in ``Row``.
    package mutating func add(_ field: Int?) { append(field) }
    package mutating func add(_ field: String?) { append(field) }
    package mutating func add(_ field: Double?) { append(field) }
    package mutating func add(_ field: Duration?) { append(field) }

    private mutating func append(_ field: (some SQLValue)?) {
        defer { text.append(UInt8(ascii: ",")) }
        guard let field else { return }
        let start = text.count
        field.write(to: &text)
        guard text.count == start || text[start...].contains(where: Self.isSpecial) else { return }
        text.escape(from: start) { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        text.insert(UInt8(ascii: "\""), at: start)
        text.append(UInt8(ascii: "\""))
    }

    /// A field with one of these needs quotes.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"): true
        default: false
        }
    }

    package func write(to bytes: inout [UInt8]) {
        bytes += text.dropLast()
        bytes.append(UInt8(ascii: ")"))
    }

    /// A column's row is not read: select its fields.
    package init?(sqlText: UnsafeBufferPointer<UInt8>) { nil }
}
