import CDescription
import Formats

/// The body of `/v1/openapi.json`.
enum APIDescription {
    static let bytes = Array(listing(AddedColumns.choices, in: file).utf8)

    /// `Sources/API/openapi.json`.
    static var file: String {
        String(decoding: UnsafeBufferPointer(start: openapi(), count: openapi_size()), as: UTF8.self)
    }

    /// Returns `text` with each column that `add` may name. A column that the file doesn't describe becomes a text or
    /// null.
    ///
    /// So a new line of `OutputColumn.all` needs no change in the file.
    static func listing(_ columns: [String], in text: String) -> String {
        let described = columns.filter { text.contains("\"\($0)\": {") }
        guard let last = described.last else { return text }
        let others = columns.filter { !described.contains($0) }
            .map { "\"\($0)\": {\"type\": [\"string\", \"null\"]},\n" }.joined()
        return
            text
            .replacing("\"\(last)\": {", with: "\(others)\"\(last)\": {")
            .replacing("(\(described.joined(separator: "|")))", with: "(\(columns.joined(separator: "|")))")
    }
}
