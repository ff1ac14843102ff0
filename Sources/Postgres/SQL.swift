/// A statement whose interpolated values are sent as parameters, never inside its text.
///
///     let sql: SQL = "SELECT id FROM jobs WHERE worker = \(name)"   // text: … worker = $1
///
/// Postgres infers a parameter's type from its place; cast where it can't (`\(delay)::interval * 2`). Arrays have a
/// type, so `unnest(\(ids))` needs no cast.
package struct SQL: ExpressibleByStringInterpolation, Sendable {
    package let text: String
    let parameters: Parameters
    /// The byte offset in the text of each parameter's number, after its `$`.
    private let places: [Int]

    package init(stringLiteral value: String) {
        text = value
        parameters = Parameters()
        places = []
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        parameters = stringInterpolation.parameters
        places = stringInterpolation.places
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var parameters = Parameters()
        fileprivate var places: [Int] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 3 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        package mutating func appendInterpolation<Value: SQLValue>(_ value: Value) {
            parameters.append(value)
            point(to: parameters.count)
        }

        package mutating func appendInterpolation<Value: SQLValue>(_ value: Value?) {
            if let value { parameters.append(value) } else { parameters.appendNull(Value.self) }
            point(to: parameters.count)
        }

        private mutating func point(to parameter: Int) {
            text += "$"
            places.append(text.utf8.count)
            text += "\(parameter)"
        }

        /// A part that several statements share, such as a condition. Its parameters become parameters of the whole
        /// statement.
        package mutating func appendInterpolation(part: SQL) {
            let before = parameters.count
            parameters.append(part.parameters)
            var rest = Substring(part.text)
            for (index, place) in part.places.enumerated() {
                let start = part.text.utf8.index(part.text.startIndex, offsetBy: place)
                text += rest[..<start]
                places.append(text.utf8.count)
                text += "\(before + index + 1)"
                rest = part.text[start...].drop { $0.isNumber }
            }
            text += rest
        }

        /// A table, column or channel whose name is not known when the code is written.
        package mutating func appendInterpolation(identifier name: String) {
            text += "\"" + name.replacing("\"", with: "\"\"") + "\""
        }
    }
}

/// The values of a statement, in one buffer as C strings.
struct Parameters: Sendable {
    private(set) var types: [UInt32] = []
    /// Where each value begins; -1 means null.
    private var starts: [Int] = []
    private var bytes: [UInt8] = []
    /// Postgres text can't contain a zero byte, and C would end the value there without an error.
    private(set) var hasZeroByte = false

    var count: Int { starts.count }

    mutating func append<Value: SQLValue>(_ value: Value) {
        types.append(Value.sqlType)
        let start = bytes.count
        starts.append(start)
        value.write(to: &bytes)
        if bytes[start...].contains(0) { hasZeroByte = true }
        bytes.append(0)
    }

    mutating func append(_ other: Parameters) {
        types += other.types
        starts += other.starts.map { $0 < 0 ? $0 : $0 + bytes.count }
        bytes += other.bytes
        hasZeroByte = hasZeroByte || other.hasZeroByte
    }

    mutating func appendNull<Value: SQLValue>(_: Value.Type) {
        types.append(Value.sqlType)
        starts.append(-1)
    }

    /// Lends the values to C as an array of pointers, null where a value is null.
    func withPointers<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
        if starts.isEmpty { return body(nil) }
        return bytes.withUnsafeBytes { buffer in
            let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: starts.count) { pointers in
                for (index, start) in starts.enumerated() {
                    pointers.initializeElement(at: index, to: start < 0 ? nil : base.map { $0 + start })
                }
                return body(UnsafePointer(pointers.baseAddress))
            }
        }
    }
}
