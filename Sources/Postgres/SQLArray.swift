/// An array as a parameter or a column: `{1,2,NULL}`.
extension Array: SQLValue where Element: SQLArrayElement {
    package static var sqlType: UInt32 { Element.sqlArrayType }

    /// Postgres has no type for an array of arrays.
    package static var sqlArrayType: UInt32 { 0 }

    @_specialize(where Element == Int)
    @_specialize(where Element == String)
    @_specialize(where Element == Double)
    @_specialize(where Element == Bool)
    @_specialize(where Element == Optional<Int>)
    @_specialize(where Element == Optional<Double>)
    @_specialize(where Element == Optional<String>)
    @_specialize(where Element == SQLRow)
    package func write(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for index in indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            self[index].writeElement(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    package init?(sqlText: UnsafeBufferPointer<UInt8>) {
        guard let elements = Element.elements(of: sqlText) else { return nil }
        self = elements
    }
}

/// The type of an array's elements: a value, or an optional one.
package protocol SQLArrayElement: Sendable {
    static var sqlArrayType: UInt32 { get }
    func writeElement(to bytes: inout [UInt8])
    init?(element: [UInt8]?)
    /// Parses the text of an array; nil if it is not an array of this type.
    static func elements(of text: UnsafeBufferPointer<UInt8>) -> [Self]?
}

extension SQLArrayElement {
    package static func elements(of text: UnsafeBufferPointer<UInt8>) -> [Self]? {
        guard let elements = ArrayReader.elements(of: text) else { return nil }
        var values: [Self] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            guard let value = Self(element: element) else { return nil }
            values.append(value)
        }
        return values
    }
}

extension SQLArrayElement where Self: SQLValue {
    package func writeElement(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        write(to: &bytes)
        bytes.escape(from: start) { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        bytes.append(UInt8(ascii: "\""))
    }

    package init?(element: [UInt8]?) {
        guard let element else { return nil }
        guard let value = element.withUnsafeBufferPointer(Self.init(sqlText:)) else { return nil }
        self = value
    }
}

extension String: SQLArrayElement {}
extension Double: SQLArrayElement {}
extension Bool: SQLArrayElement {}
extension Duration: SQLArrayElement {}
extension Bytes: SQLArrayElement {}

extension SQLArrayElement where Self: SQLValue & FixedWidthInteger {
    /// Digits need no quotes, and arrays of ids are the longest arrays that we send.
    package func writeElement(to bytes: inout [UInt8]) {
        write(to: &bytes)
    }

    /// Each claimed job has such an array, so the digits are not copied first.
    package static func elements(of text: UnsafeBufferPointer<UInt8>) -> [Self]? {
        guard text.first == UInt8(ascii: "{"), text.last == UInt8(ascii: "}"), text.count >= 2 else { return nil }
        var values: [Self] = []
        var rest = text[1..<(text.count - 1)]
        while !rest.isEmpty {
            let digits = rest.prefix { $0 != UInt8(ascii: ",") }
            guard let value = Self(sqlText: UnsafeBufferPointer(rebasing: digits)) else { return nil }
            values.append(value)
            rest = rest[digits.endIndex...]
            // A comma has a number behind it.
            if rest.popFirst() != nil, rest.isEmpty { return nil }
        }
        return values
    }
}

extension Double {
    package func writeElement(to bytes: inout [UInt8]) { write(to: &bytes) }
}

extension Bool {
    package func writeElement(to bytes: inout [UInt8]) { write(to: &bytes) }
}

extension Int: SQLArrayElement {}
extension Int64: SQLArrayElement {}
extension Int32: SQLArrayElement {}
extension Int16: SQLArrayElement {}

extension Optional: SQLArrayElement where Wrapped: SQLArrayElement {
    package static var sqlArrayType: UInt32 { Wrapped.sqlArrayType }

    package func writeElement(to bytes: inout [UInt8]) {
        if let self { self.writeElement(to: &bytes) } else { bytes.append(contentsOf: "NULL".utf8) }
    }

    package init?(element: [UInt8]?) {
        guard let element else {
            self = .none
            return
        }
        guard let value = Wrapped(element: element) else { return nil }
        self = .some(value)
    }
}

/// Splits the text form of a one-dimensional array.
/// https://www.postgresql.org/docs/15/arrays.html#ARRAYS-IO
enum ArrayReader {
    /// The elements, nil for NULL. The whole result is nil if the text is not such an array.
    static func elements(of text: UnsafeBufferPointer<UInt8>) -> [[UInt8]?]? {
        guard text.first == UInt8(ascii: "{"), text.last == UInt8(ascii: "}"), text.count >= 2 else { return nil }
        var rest = text[1..<(text.count - 1)]
        var elements: [[UInt8]?] = []
        while !rest.isEmpty {
            guard let element = next(&rest) else { return nil }
            elements.append(element)
            if rest.isEmpty { break }
            guard rest.removeFirst() == UInt8(ascii: ","), !rest.isEmpty else { return nil }
        }
        return elements
    }

    private static func next(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]?? {
        if rest.first == UInt8(ascii: "\"") { return quoted(&rest) }
        let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
        let plain = Array(rest[rest.startIndex..<end])
        rest = rest[end...]
        return plain == Array("NULL".utf8) ? .some(nil) : plain
    }

    private static func quoted(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]?? {
        rest.removeFirst()
        var element: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return element
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return .none }
                element.append(escaped)
            default: element.append(byte)
            }
        }
        return .none
    }
}
