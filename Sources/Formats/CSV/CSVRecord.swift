/// One record of a CSV file, or why it is none.
package enum CSVRecord: Hashable, Sendable {
    /// `line` is the physical line on which the record starts.
    case fields(line: Int, [String])

    /// The reason never has a field's content: it may be an address.
    case refused(line: Int, reason: String)
}
