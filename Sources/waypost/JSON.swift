import JSON
import Shapes
import Terminal

extension Screen {
    /// Writes a value as indented JSON, with its members in the order of its shape.
    func writeJSON(_ value: some JSONRepresentable) {
        let bytes = JSONWriter.bytes { value.write(to: &$0) }
        writeLine(String(decoding: JSONWriter.indented(bytes), as: UTF8.self))
    }

    /// Writes a value as JSON on one line, for a program that reads line by line.
    func writeJSONLine(_ value: some JSONRepresentable) {
        writeLine(JSONWriter.text { value.write(to: &$0) })
    }
}
