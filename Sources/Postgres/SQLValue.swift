import Processes

/// A Swift value that is sent to Postgres and read back as text.
package protocol SQLValue: Sendable {
    /// The type's number in `pg_type`, or 0 to let Postgres infer it from the value's place.
    static var sqlType: UInt32 { get }

    /// The number of the type's array type, so that `unnest` and `ANY` have a typed array.
    static var sqlArrayType: UInt32 { get }

    func write(to bytes: inout [UInt8])

    /// Parses the text that the server sent; nil if it is not a value of this type.
    init?(sqlText: UnsafeBufferPointer<UInt8>)
}

extension SQLValue {
    package static var sqlType: UInt32 { 0 }
}

extension [UInt8] {
    /// Puts a backslash in front of each special byte from `start` on. In rows, in arrays and in a COPY, PostgreSQL
    /// takes such a byte literally.
    mutating func escape(from start: Int, _ isSpecial: (UInt8) -> Bool) {
        guard self[start...].contains(where: isSpecial) else { return }
        let plain = Self(self[start...])
        removeSubrange(start...)
        for byte in plain {
            if isSpecial(byte) { append(UInt8(ascii: "\\")) }
            append(byte)
        }
    }
}

extension String: SQLValue {
    package static var sqlArrayType: UInt32 { 1009 }

    package func write(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: utf8)
    }

    package init?(sqlText: UnsafeBufferPointer<UInt8>) {
        self.init(decoding: sqlText, as: UTF8.self)
    }
}

extension SQLValue where Self: FixedWidthInteger {
    package static var sqlArrayType: UInt32 { 1016 }

    package func write(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: String(self).utf8)
    }

    package init?(sqlText: UnsafeBufferPointer<UInt8>) {
        var digits = sqlText[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        guard !digits.isEmpty else { return nil }
        var value: Self = 0
        for digit in digits {
            let next = Self(truncatingIfNeeded: digit &- UInt8(ascii: "0"))
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            let shifted = value.multipliedReportingOverflow(by: 10)
            // Grows away from zero in the direction of the sign, so that the smallest integer fits too.
            let grown =
                isNegative
                ? shifted.partialValue.subtractingReportingOverflow(next)
                : shifted.partialValue.addingReportingOverflow(next)
            guard !shifted.overflow, !grown.overflow else { return nil }
            value = grown.partialValue
        }
        self = value
    }
}

extension Int: SQLValue {}
extension Int64: SQLValue {}
extension Int32: SQLValue {}
extension Int16: SQLValue {}

extension Double: SQLValue {
    package static var sqlArrayType: UInt32 { 1022 }

    package func write(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: description.utf8)
    }

    package init?(sqlText: UnsafeBufferPointer<UInt8>) {
        self.init(String(decoding: sqlText, as: UTF8.self))
    }
}

extension Double {
    /// The nearest number of the type `real`. PostgreSQL refuses the cast of a number that would become zero.
    package var asReal: Double { Double(Float(self)) }
}

extension Bool: SQLValue {
    package static var sqlArrayType: UInt32 { 1000 }

    package func write(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: self ? "t" : "f"))
    }

    package init?(sqlText: UnsafeBufferPointer<UInt8>) {
        switch sqlText.first {
        case UInt8(ascii: "t"): self = true
        case UInt8(ascii: "f"): self = false
        default: return nil
        }
    }
}

extension Duration: SQLValue {
    package static var sqlArrayType: UInt32 { 1187 }

    /// Written as a Postgres `interval`, whose resolution is the microsecond.
    package func write(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "\(clampedMicroseconds) microseconds".utf8)
    }

    /// Reads a number of seconds. Select `extract(epoch FROM …)`, because an interval has many spellings. Infinity gives
    /// the longest duration.
    package init?(sqlText: UnsafeBufferPointer<UInt8>) {
        guard let seconds = Double(sqlText: sqlText) else { return nil }
        self.init(clampingSeconds: seconds)
    }
}

/// Raw bytes: `bytea`.
package struct Bytes: SQLValue, Hashable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static var sqlType: UInt32 { 17 }
    package static var sqlArrayType: UInt32 { 1001 }

    package func write(to output: inout [UInt8]) {
        output.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "x")])
        output.append(hexadecimal: bytes)
    }

    package init?(sqlText: UnsafeBufferPointer<UInt8>) {
        guard sqlText.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "x")]),
            let bytes = [UInt8](hexadecimal: Array(sqlText.dropFirst(2)))
        else { return nil }
        self.bytes = bytes
    }
}
