/// A property of a vCard: `item1.ADR;TYPE=home:;;1 High St;Ely;;;`. Its value is not decoded.
struct VCardProperty {
    let name: Name
    private(set) var parameters: [(name: String, value: [UInt8])] = []
    let value: ArraySlice<UInt8>
    let line: VCardLine

    /// The name in upper case, and the group before it.
    struct Name {
        let group: String
        let word: String

        init(_ bytes: some Collection<UInt8>) {
            let text = String(decoding: bytes, as: UTF8.self).uppercased()
            let dot = text.firstIndex(of: ".")
            group = dot.map { text[..<$0].trimmed } ?? ""
            word = (dot.map { text[text.index(after: $0)...] } ?? text[...]).trimmed
        }

        var isWanted: Bool { Self.wanted.contains(word) }

        private static let wanted: Set = [
            "BEGIN", "END", "VERSION", "FN", "N", "NICKNAME", "ORG", "UID", "ADR", "LABEL", "GEO", "KIND", "X-ABLABEL",
            "X-ADDRESSBOOKSERVER-KIND", "X-WAYPOST-KEY",
        ]
    }

    /// Nil for a line without a colon.
    init?(_ line: VCardLine) {
        let bytes = line.bytes
        guard let end = bytes.firstIndex(where: { $0 == .colon || $0 == .semicolon }) else { return nil }
        var position = end
        var found: [(name: String, value: [UInt8])] = []
        while position < bytes.count, bytes[position] == .semicolon {
            position += 1
            Self.readParameter(bytes, &position, into: &found)
        }
        guard position < bytes.count else { return nil }
        self.line = line
        name = Name(bytes[..<end])
        parameters = found
        value = bytes[(position + 1)...]
    }

    /// The values of a parameter. In vCard 2.1 a value may lack its name, as in `ADR;HOME:`.
    func values(of parameter: String) -> [[UInt8]] {
        parameters.filter { $0.name == parameter }.map(\.value)
    }

    /// The types in lower case, from `TYPE=home,pref`, `TYPE=home;TYPE=pref` and `HOME;PREF`.
    var types: [String] {
        values(of: "TYPE").flatMap { String(decoding: $0, as: UTF8.self).lowercased().split(separator: ",") }
            .map(\.trimmed)
    }

    /// Reads one parameter. Stops at the first character after it: a colon, a semicolon or the end.
    private static func readParameter(
        _ bytes: [UInt8], _ position: inout Int, into found: inout [(name: String, value: [UInt8])]
    ) {
        let word = bytes[position...].prefix { $0 != UInt8(ascii: "=") && $0 != .semicolon && $0 != .colon }
        position = word.endIndex
        let name = String(decoding: word, as: UTF8.self).uppercased().trimmed
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
            found.append((encodings.contains(name) ? "ENCODING" : "TYPE", Array(word)))
            return
        }
        repeat {
            position += 1
            found.append((name, readValue(bytes, &position)))
        } while position < bytes.count && bytes[position] == .comma
    }

    private static let encodings: Set = ["QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT"]

    private static func readValue(_ bytes: [UInt8], _ position: inout Int) -> [UInt8] {
        guard position < bytes.count, bytes[position] == .quote else {
            let value = bytes[position...].prefix { $0 != .comma && $0 != .semicolon && $0 != .colon }
            position = value.endIndex
            return Array(value)
        }
        let value = bytes[(position + 1)...].prefix { $0 != .quote }
        let rest = bytes[value.endIndex...].dropFirst().drop { $0 != .comma && $0 != .semicolon && $0 != .colon }
        position = rest.startIndex
        return Array(value)
    }
}
