import FoundationEssentials
import Terminal

extension Screen {
    /// Writes a value as indented JSON with sorted keys, which is easy to read and to compare.
    func writeJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        writeLine(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Writes a value as JSON on one line, for a program that reads line by line.
    func writeJSONLine(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        writeLine(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
