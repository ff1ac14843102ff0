package import Contacts
package import Formats
import Geocoding
import JSON
import Questions
import Queue
package import Shapes

/// A file whose addresses wait for answers, with its progress.
struct FileRunView: Shaped {
    let run: FileRun
    let progress: AddressProgress
    let waits: [WaitReason]
    /// The secret of the webhook that the request has set.
    var notifySecret: String?

    var isDone: Bool { progress.waiting == 0 }

    static let shape = Shape<FileRunView>("FileRun", "A file whose addresses are answered.") {
        Including { $0.run }
        Member("state", "`done` if no address waits.", example: "done") { $0.isDone ? "done" : "running" }
            .choices(["running", "done"])
        Member("addresses", example: 2) { $0.run.addresses }
        Member("done", "Addresses that don't wait any more.", example: 2) { $0.run.addresses - $0.progress.waiting }
        Member("by_status") { view in
            ByCase(
                Dictionary(GeocodeStatus.allCases.map { ($0, view.progress.byStatus[$0, default: 0]) }) { first, _ in
                    first
                })
        }
        Member("weak", "Located addresses whose place is coarser, such as the town of a house.", example: 0) {
            $0.progress.weak
        }
        Member("done_in_seconds", "An estimate of the slowest lane; null if it is unknown.", example: 0) {
            ProgressStanding(progress: $0.progress, questions: nil, waits: $0.waits).doneIn
        }.bounds(0)
        Member(
            "notify_secret",
            "The secret that signs the message to `notify`; null in all replies but the one to the file.",
            example: nil
        ) { $0.notifySecret }
        Member("waits_for", "The lanes that have work, while an address waits.", example: []) { $0.waits }
    }
}

extension FileRun: Shaped {
    package static let shape = Shape<FileRun>("GeocodeFile", "A file that was sent.") {
        Member("id", example: 1) { $0.id }.bounds(1)
        Member("name", example: "list.csv") { $0.name }
        Member("rows", "Contacts in the file.", example: 2) { $0.contacts }
        Member("refused", "Rows, and parts of them, that can't be used.", example: 0) { $0.refused }
        Member("created_at") { Moment($0.createdAt) }
        Member("kept_until", "Null until a while after the last answer.") { run in
            run.finishedAt.map { Moment($0 + FileRunStore.lifetime.afterEnd / .seconds(1)) }
        }
    }
}

struct FileRunList: Shaped {
    let runs: [FileRun]

    static let shape = Shape<FileRunList>("GeocodeFiles", "The files of an account.") {
        Member("data") { $0.runs }
    }
}

/// How a file is read, and what it costs to geocode it.
struct FilePlan: Shaped {
    let format: SourceFormat
    let columns: ColumnReading?
    let contents: DryRun.Outcome
    let refused: Int
    let plan: SourcePlan

    static let shape = Shape<FilePlan>("FilePlan", "How a file is read, and what it costs.") {
        Member("format", example: "csv") { $0.format.rawValue }
        Member("sheet", "The sheet of a workbook that is read.", example: nil) { $0.columns?.sheet }
        Member("has_header", example: true) { $0.columns?.hasHeader ?? false }
        Member("columns", "Those of a table, 100 at most.") { $0.columns?.columns ?? [] }
        Member("sample", "The first rows.", example: [["Ada", "Reno", "US"]]) { $0.columns?.rows ?? [] }
        Member("fields", "The meanings that a column may have.", example: ["city"]) { _ in ColumnReading.fields }
        Member("rows", example: 1) { $0.contents.contacts }
        Member("refused_rows", "Rows, and parts of them, that can't be used.", example: 0) { $0.refused }
        Member("plan") { $0.plan }
    }
}

extension ColumnReading.Column: Shaped {
    package static let shape = Shape<Self>("FileColumn", "A column of a table.") {
        Member("name", "Blank without a header.", example: "Ort") { $0.name }
        Member("meaning", "As in a mapping: `city`, `work.city`; null if it is ignored.", example: "city") {
            $0.meaning
        }
    }
}

/// Contacts that were read before.
struct KnownContacts: ContactSource {
    let name = "the file"
    let totalSize: Int? = nil
    let bytesRead = 0
    private var friends: ArraySlice<Friend>

    init(_ contents: FileContents) { friends = contents.friends[...] }

    mutating func next() async throws -> ContactEntry? {
        friends.popFirst().map { .contact(line: 0, $0) }
    }
}
