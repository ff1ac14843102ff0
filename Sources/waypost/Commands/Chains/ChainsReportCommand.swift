import Questions
import Queue
import Shapes
import Terminal
import Wording

struct ChainsReportCommand: Command {
    static let name = "report"
    static let summary = "Show what each lane of a chain found, and what that cost."
    static let discussion = """
        ASKED are the questions for which the lane was called. Of these it RESOLVED some, others only coarser than asked \
        (WEAK); SHARE is both of ASKED. CALLS counts each question and each way to put it: where a call carries several \
        questions, fewer requests were sent. COST is by the lane's price now, with full requests.

        It is about questions whose answers are kept, also those asked before the chain was changed. Calls repeated after \
        faults are not in it, nor those for answers that were deleted or have expired.
        """

    @Argument("CHAIN", "The chain; without it, all of them.") var chain = ""
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let reports = try await Application.asking(.folder) { [chain] app, db in
            let chains = chain.isEmpty ? try ChainStore().all(on: db) : [try app.questions.chain(chain, on: db)]
            return try chains.map { try app.questions.report(on: $0, on: db) }
        }
        if json { return Screen.output.writeJSON(reports) }
        var table = Table(
            .left("CHAIN"), .left("LANE"), .right("ASKED"), .right("RESOLVED"), .right("WEAK"), .right("SHARE"),
            .right("CALLS"), .left("COST"))
        for report in reports {
            for link in report.links {
                table.add(
                    report.chain, link.lane, Readable.count(link.asked), Readable.count(link.resolved),
                    Readable.count(link.weak), link.share.map { "\(Int(clamping: $0 * 100)) %" } ?? "-",
                    Readable.count(link.calls), link.costText)
            }
        }
        table.write(to: .output)
        let count = reports.map(\.questions).reduce(0, +)
        Screen.output.writeLine(
            "Of \(Words.count(count, "question")) whose answers are kept. Calls repeated after faults, and for answers that "
                + "are gone, are not in it.")
    }
}

extension ChainReport.Link {
    fileprivate var costText: String {
        guard let cost, let price else { return "unknown" }
        return "\(Money.text(cost)) \(price.currency)"
    }
}
