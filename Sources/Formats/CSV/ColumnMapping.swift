/// Assigns columns of a CSV file to fields, one on each line:
///
///     # of our shop
///     id = Kd-Nr
///     street = Straße + Nr
///     work.city = Firmensitz
///
/// The word before a dot is the label of a separate address.
package struct ColumnMapping: Hashable, Sendable {
    struct Rule: Hashable, Sendable {
        let line: Int
        let group: String
        let field: ContactField
        let column: String
    }

    /// The path as it was given.
    package let name: String
    private(set) var rules: [Rule] = []

    /// Reads the file at `path`.
    package init(path: String) throws {
        let file = try InputFile(path: path)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = try chunk.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
            bytes += chunk[..<count]
            guard bytes.count <= 1 << 20 else {
                throw FileError(file: file.name, problem: "is too large for a mapping")
            }
        }
        try self.init(String(decoding: bytes, as: UTF8.self), name: file.name)
    }

    /// Reads `text`, or throws all of its mistakes at once.
    package init(_ text: String, name: String) throws {
        self.name = name
        var mistakes: [String] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = (index == 0 && line.first == "\u{FEFF}" ? line.dropFirst() : line).trimmed
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            do { try add(line, number: index + 1) } catch { mistakes.append("line \(index + 1): \(error.reason)") }
        }
        if mistakes.isEmpty, !rules.contains(where: \.field.isPlace) {
            mistakes.append("maps no part of an address; for example: city = Ort")
        }
        guard mistakes.isEmpty else { throw FileError(file: name, problem: mistakes.joined(separator: "\n  ")) }
    }

    private struct Mistake: Error {
        let reason: String
    }

    private mutating func add(_ line: String, number: Int) throws(Mistake) {
        guard let sign = line.firstIndex(of: "=") else { throw Mistake(reason: "it has no =; write field = column") }
        let column = line[line.index(after: sign)...].trimmed
        guard !column.isEmpty else { throw Mistake(reason: "it names no column after the =") }
        let word = line[..<sign].trimmed
        let dot = word.firstIndex(of: ".")
        let group = dot.map { word[..<$0].trimmed } ?? ""
        let name = dot.map { word[word.index(after: $0)...].trimmed } ?? word
        guard let field = ContactField(header: name) else {
            let known = ContactField.allCases.map { "\($0)" }.joined(separator: ", ")
            throw Mistake(reason: "\"\(name)\" is no field; there are \(known)")
        }
        guard group.isEmpty || field.isOfAddress else {
            throw Mistake(reason: "\(field) is not a part of an address, and takes no word before a dot")
        }
        if let earlier = rules.first(where: { $0.group == group && $0.field == field }) {
            throw Mistake(reason: "line \(earlier.line) already assigns \(word)")
        }
        rules.append(Rule(line: number, group: group, field: field, column: column))
    }
}
