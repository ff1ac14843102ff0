import Formats
import Monitoring
import Terminal
import Wording

/// The contacts of a source that were left out, wholly or in part: their number, and the first of them.
struct Refusals: Sendable {
    struct Entry: Sendable {
        let line: Int
        let reason: String
        /// True if only a part of the contact was left out.
        let isPartial: Bool
    }

    /// The name of the source in messages.
    let source: String
    /// The file with all refusals, if there is one.
    let report: String?
    fileprivate(set) var first: [Entry] = []
    fileprivate(set) var count = 0

    /// The most that are kept in memory and written as JSON.
    fileprivate static let mostKept = 100
    /// The most that are printed as text.
    private static let mostNamed = 20

    var isEmpty: Bool { count == 0 }

    /// Writes the refused lines with their reasons, without their content.
    func write(to screen: Screen) {
        for entry in first.prefix(Self.mostNamed) {
            screen.writeLine("\(source), line \(entry.line): \(entry.reason)")
        }
        guard count > Self.mostNamed else { return }
        let rest = Readable.count(count - Self.mostNamed)
        screen.writeLine("and \(rest) more: \(report ?? "--report FILE") lists all")
    }
}

extension Refusals {
    /// Collects refusals while a source is read.
    struct Log {
        private var refusals: Refusals
        private var file: RefusalFile?

        init(of source: String, report: String?) throws {
            refusals = Refusals(source: source, report: report)
            file = try report.map { try RefusalFile(path: $0) }
        }

        mutating func add(_ entry: ContactEntry) throws {
            try file?.write(entry)
            switch entry {
            case .contact: return
            case .refused(let line, let reason): add(Entry(line: line, reason: reason, isPartial: false))
            case .noted(let line, let reason): add(Entry(line: line, reason: reason, isPartial: true))
            }
        }

        private mutating func add(_ entry: Entry) {
            refusals.count += 1
            if refusals.first.count < Refusals.mostKept { refusals.first.append(entry) }
        }

        /// Moves the file to its path.
        func finish() throws -> Refusals {
            try file?.finish()
            return refusals
        }
    }
}
