package import Tracking

/// Reads a file of recorded positions one at a time, in memory that does not grow with the file.
package protocol HistoryReader {
    /// The number of bytes that the entries so far took.
    var bytesRead: Int { get }

    /// Returns the next entry; nil at the end. An error ends the reading.
    mutating func next() throws -> HistoryEntry?
}

/// The next entry of a history.
package enum HistoryEntry: Hashable, Sendable {
    /// A fix, with the line on which it begins.
    case fix(line: Int, Fix)
    /// A position that was left out. The reason continues a sentence that begins with "the fix", and contains nothing
    /// of the position.
    case refused(line: Int, reason: String)
}

/// The reason why a file can't be read further. It contains nothing of a position.
struct HistoryError: Error, Hashable, CustomStringConvertible {
    /// Counted from 1; nil if it concerns the whole file.
    let line: Int?
    let problem: String

    init(line: Int? = nil, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    var description: String { (line.map { "line \($0): " } ?? "") + problem }
}

extension HistoryEntry {
    init(line: Int, _ read: () throws(ReceivedFix.Unusable) -> Fix) {
        do throws(ReceivedFix.Unusable) { self = .fix(line: line, try read()) } catch {
            self = .refused(line: line, reason: error.reason)
        }
    }
}
