/// Header fields in their order. Names are compared without regard to case.
package struct HTTPHeaders: Hashable, Sendable {
    package private(set) var fields: [Field]

    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    package init() {
        fields = []
    }

    /// The first value of this name. Setting a value replaces all values of the name; nil removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            fields.removeAll { $0.isNamed(name) }
            if let newValue { append(name, newValue) }
        }
    }

    /// All values of this name.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// Adds a field and keeps existing fields of the same name.
    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }
}

extension HTTPHeaders {
    /// True if a browser loads a document to show to a person: only then does `Accept` contain HTML.
    package var acceptsHTML: Bool { contains("text/html", in: "Accept") }

    /// True if a list of the fields `name` has this element, ignoring case and parameters.
    func contains(_ element: String, in name: String) -> Bool {
        var isFound = false
        eachElement(of: name) {
            if $0.prefix(while: { $0 != UInt8(ascii: ";") }).trimmed.isNamed(element) { isFound = true }
        }
        return isFound
    }

    /// Calls `body` with each element of the lists in the fields `name`, without spaces around it. It makes no array, and
    /// works on the bytes: a head may have 15,000 elements, and on a `Substring` each cost 0.1 µs of the server's thread.
    func eachElement(of name: String, _ body: (Slice<UnsafeBufferPointer<UInt8>>) throws -> Void) rethrows {
        for field in fields where field.isNamed(name) {
            var value = field.value
            try value.withUTF8 { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let element = rest.prefix { $0 != UInt8(ascii: ",") }
                    rest = rest[element.endIndex...].dropFirst()
                    let text = element.trimmed
                    if !text.isEmpty { try body(text) }
                }
            }
        }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral fields: (String, String)...) {
        self.fields = fields.map { Field(name: $0.0, value: $0.1) }
    }
}

extension HTTPHeaders.Field {
    func isNamed(_ other: String) -> Bool { name.isNamed(other) }

    /// False for a field that would inject a second field or another request.
    var isSendable: Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
            && value.utf8.allSatisfy { ($0 >= 0x20 || $0 == UInt8(ascii: "\t")) && $0 != 0x7F }
    }
}

extension String {
    func isNamed(_ other: String) -> Bool { utf8.isNamed(other) }
}

extension Collection<UInt8> {
    /// Returns whether two names are equal, ignoring the case of ASCII. `String.lowercased` would take a Kelvin sign for
    /// a "k".
    func isNamed(_ other: String) -> Bool {
        count == other.utf8.count && elementsEqual(other.utf8) { lowercase($0) == lowercase($1) }
    }
}

extension BidirectionalCollection<UInt8> {
    /// Without spaces and tabs around it.
    var trimmed: SubSequence {
        let isText = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
        guard let first = firstIndex(where: isText), let last = lastIndex(where: isText) else { return prefix(0) }
        return self[first...last]
    }
}

private func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
