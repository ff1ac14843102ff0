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
        /// The line, the word `refused` for a whole contact or `noted` for a part of it, and the reason. The table
        /// contains line numbers but no data of a contact, so it may be given to others.
        private var table: CSVTableWriter?

        /// `report` is the path of a table. It has a header even if nothing was refused.
        package init(of source: String, report: String? = nil) throws {
            refusals = Refusals(source: source, report: report)
            table = try report.map { try CSVTableWriter(to: OutputFile(path: $0)) }
            try write("line", "what", "reason")
        }

        package mutating func add(_ entry: ContactEntry) throws {
            switch entry {
            case .contact: return
            case .refused(let line, let reason): try add(Entry(line: line, reason: reason, isPartial: false))
            case .noted(let line, let reason): try add(Entry(line: line, reason: reason, isPartial: true))
            }
        }

        private mutating func write(_ fields: String...) throws { try table?.write(fields.map { .text($0) }) }

        private mutating func add(_ entry: Entry) throws {
            try write("\(entry.line)", entry.isPartial ? "noted" : "refused", entry.reason)
            refusals.count += 1
            if refusals.first.count < Refusals.mostKept { refusals.first.append(entry) }
        }

        /// Moves the table to its path.
        package mutating func finish() throws -> Refusals {
            try table?.finish().commit()
            return refusals
        }
    }
}
