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
    package var acceptsHTML: Bool { values("Accept").contains { $0.lowercased().contains("text/html") } }
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
    /// Returns whether two field names are equal, ignoring case.
    func isNamed(_ other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { lowercase($0) == lowercase($1) }
    }
}

private func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
