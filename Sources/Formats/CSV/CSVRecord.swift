/// One record of a CSV file, or the reason why it is invalid.
package enum CSVRecord: Hashable, Sendable {
    /// `line` is the physical line on which the record starts.
    case fields(line: Int, [String])

    /// The reason never contains a field's content, which may be an address.
    case refused(line: Int, reason: String)
}
