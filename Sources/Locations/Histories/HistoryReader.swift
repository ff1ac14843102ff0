package import Tracking

/// Reads a file of positions that a person has recorded, one at a time, in memory that does not grow with it.
package protocol HistoryReader {
    /// How much of the file the entries so far took, in bytes.
    var bytesRead: Int { get }

    /// The next entry; nil at the end. What is thrown ends the reading.
    mutating func next() throws -> HistoryEntry?
}

/// What stands next in a history.
package enum HistoryEntry: Hashable, Sendable {
    /// A fix, and the line on which it begins.
    case fix(line: Int, Fix)
    /// A position that was left out. The reason continues a sentence that begins with "the fix", and holds nothing of the
    /// position.
    case refused(line: Int, reason: String)
}

/// Why a file can't be read on. It holds nothing of a position.
package struct HistoryError: Error, Hashable, CustomStringConvertible {
    /// From 1; nil where it is about the whole file.
    package let line: Int?
    package let problem: String

    init(line: Int? = nil, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    package var description: String { (line.map { "line \($0): " } ?? "") + problem }
}

extension HistoryEntry {
    init(line: Int, _ read: () throws(ReceivedFix.Unusable) -> Fix) {
        do throws(ReceivedFix.Unusable) { self = .fix(line: line, try read()) } catch {
            self = .refused(line: line, reason: error.reason)
        }
    }
}
