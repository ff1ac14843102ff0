/// One record of a CSV file, or why it is none.
package enum CSVRecord: Hashable, Sendable {
    /// `line` is the physical line on which the record starts.
    case fields(line: Int, [String])

    /// The reason never says what a field holds: it may be where somebody lives.
    case refused(line: Int, reason: String)
}
