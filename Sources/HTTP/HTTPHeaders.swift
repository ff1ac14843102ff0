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

    /// The first value under this name. Setting one replaces all; nil removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            fields.removeAll { $0.isNamed(name) }
            if let newValue { append(name, newValue) }
        }
    }

    /// All values under this name.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// Adds a field beside those that have the name already.
    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }
}

extension HTTPHeaders {
    /// True where a browser loads a document that a person will see: only then does `Accept` name HTML.
    package var acceptsHTML: Bool { values("Accept").contains { $0.lowercased().contains("text/html") } }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral fields: (String, String)...) {
        self.fields = fields.map { Field(name: $0.0, value: $0.1) }
    }
}

extension HTTPHeaders.Field {
    func isNamed(_ other: String) -> Bool { name.isNamed(other) }

    /// False for what would smuggle a second field, or another request, onto the wire.
    var isSendable: Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
            && value.utf8.allSatisfy { ($0 >= 0x20 || $0 == UInt8(ascii: "\t")) && $0 != 0x7F }
    }
}

extension String {
    /// Whether it is this name of a field.
    func isNamed(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { lowercase($0) == lowercase($1) }
    }
}

private func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
