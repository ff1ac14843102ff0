import Contacts
import Geocodes
import Geocoding
import Terminal

/// What came of geocoding a file, for a person to read.
struct GeocodeReport: Sendable {
    let imported: ImportWork.Outcome
    let progress: AddressProgress
    let calls: Int
    let took: Duration
    let outputs: [String]
    let attributions: [String]

    /// Prints the report, and fails if rows of the file were refused.
    func show() throws {
        write(to: outputs.contains("-") ? .errors : .output)
        imported.refusals.write(to: .errors)
        if !imported.refusals.isEmpty { throw ExitCode(1) }
    }

    func write(to screen: Screen) {
        let total = progress.total
        screen.writeLine()
        screen.writeLine(
            "  " + screen.styled("\(Readable.count(imported.counts.friends)) friends", .bold)
                + " with \(Readable.count(imported.counts.addresses)) addresses")
        screen.writeLine()
        row(screen, "located", progress.located, of: total, .green, precisions)
        if progress.needsReview > 0 { row(screen, "to review", progress.needsReview, of: total, .yellow) }
        row(screen, "not found", progress.notFound, of: total, .yellow)
        if progress.failed > 0 { row(screen, "failed", progress.failed, of: total, .red) }
        screen.writeLine()
        let saved = total - progress.questions
        screen.writeLine(
            "  \(Readable.count(progress.questions)) distinct addresses: friends who share one saved "
                + screen.styled("\(Readable.count(saved)) questions", .bold)
                + " (\(Readable.percent(saved, of: total)))")
        let rate = Double(total) / (took / .seconds(1))
        screen.writeLine(
            "  asked in \(Readable.count(calls)) calls, done in \(Readable.duration(took)): "
                + "\(Readable.count(Int(rate))) addresses a second")
        screen.writeLine()
        screen.writeLine("  wrote \(outputs.joined(separator: ", "))")
        if !attributions.isEmpty {
            screen.writeLine("  " + screen.styled("places: \(attributions.joined(separator: "; "))", .dim))
        }
        screen.writeLine()
    }

    private var precisions: String {
        progress.byPrecision.sorted { $0.key < $1.key }
            .map { "\(Readable.count($0.value)) by \($0.key.rawValue)" }.joined(separator: ", ")
    }

    private func row(
        _ screen: Screen, _ title: String, _ count: Int, of total: Int, _ style: Style, _ note: String = ""
    ) {
        let number = Readable.count(count)
        let share = Readable.percent(count, of: total)
        let line =
            "  " + title + String(repeating: " ", count: max(1, 12 - title.count))
            + String(repeating: " ", count: max(0, 7 - number.count)) + screen.styled(number, style, .bold)
            + String(repeating: " ", count: max(1, 9 - share.count)) + share
        screen.writeLine(note.isEmpty ? line : line + "   " + note)
    }
}
