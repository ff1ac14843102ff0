/// The contacts of a source that were left out, wholly or in part: their number, and the first of them.
package struct Refusals: Sendable {
    package struct Entry: Sendable {
        package let line: Int
        package let reason: String
        /// True if only a part of the contact was left out.
        package let isPartial: Bool
    }

    /// The name of the source in messages.
    package let source: String
    /// The file with all refusals, if there is one.
    package let report: String?
    package fileprivate(set) var first: [Entry] = []
    package fileprivate(set) var count = 0

    /// The most that are kept in memory and written as JSON.
    fileprivate static let mostKept = 100

    package var isEmpty: Bool { count == 0 }
}

extension Refusals {
    /// Collects refusals while a source is read.
    package struct Log {
        private var refusals: Refusals
        private var file: RefusalFile?

        package init(of source: String, report: String? = nil) throws {
            refusals = Refusals(source: source, report: report)
            file = try report.map { try RefusalFile(path: $0) }
        }

        package mutating func add(_ entry: ContactEntry) throws {
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
        package func finish() throws -> Refusals {
            try file?.finish()
            return refusals
        }
    }
}
