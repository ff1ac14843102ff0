import Contacts
import Formats
import Geocoding
import Processes
import Questions
import Queue
import Shapes
import Terminal

/// The result of geocoding a file, as text or JSON.
struct GeocodeReport: Sendable {
    let imported: SourceImport.Outcome
    let progress: AddressProgress
    /// The lanes for which the remaining addresses wait, if the time limit ended the wait.
    let open: [LaneWait]
    let timeLimit: Duration?
    /// The calls by provider.
    let calls: [String: Int]
    /// The providers that send no request.
    let inWorker: Set<String>
    let took: Duration
    let outputs: [String]
    let attributions: [String]
    /// Advice on the addresses that were not located.
    let next: [String]

    /// Prints the report, and fails if rows of the file were refused or addresses still wait.
    func show(asJSON isJSON: Bool = false) throws {
        if isJSON {
            Screen.output.writeJSON(self)
        } else {
            write(to: outputs.contains("-") ? .errors : .output)
        }
        imported.refusals.write(to: .errors)
        if let unanswered { Screen.errors.writeLine(unanswered) }
        if !imported.refusals.isEmpty || progress.waiting > 0 { throw ExitCode(1) }
    }

    func write(to screen: Screen) {
        let total = progress.total
        screen.writeLine()
        screen.writeLine(
            "  " + screen.styled(Words.count(imported.counts.friends, "friend"), .bold)
                + " with \(Words.count(imported.counts.addresses, "address", "addresses"))")
        screen.writeLine()
        row(screen, "located", progress.located, of: total, .green, Self.precisions(progress.byPrecision))
        if progress.weak > 0 {
            row(screen, "of them weak", progress.weak, of: total, .yellow, Self.weaknesses(progress.weakByPrecision))
        }
        if progress.provisional > 0 {
            row(screen, "provisional", progress.provisional, of: total, .yellow, "a provider did not look")
        }
        if progress.needsReview > 0 { row(screen, "to review", progress.needsReview, of: total, .yellow) }
        row(screen, "not found", progress.notFound, of: total, .yellow)
        if progress.failed > 0 { row(screen, "failed", progress.failed, of: total, .red) }
        if progress.waiting > 0 { row(screen, "waiting", progress.waiting, of: total, .red) }
        if soFar > 0 {
            row(screen, "of them placed", soFar, of: total, .yellow, Self.weaknesses(progress.soFarByPrecision))
        }
        screen.writeLine()
        if let repeats { screen.writeLine("  " + repeats) }
        screen.writeLine("  \(requests); \(Words.count(total, "address", "addresses")), \(Readable.duration(took))")
        screen.writeLine()
        screen.writeLine("  wrote \(outputs.joined(separator: ", "))")
        if !attributions.isEmpty {
            screen.writeLine("  " + screen.styled("places: \(attributions.joined(separator: "; "))", .dim))
        }
        screen.writeLine()
        for step in next { screen.writeLine("  \(step)") }
        if !next.isEmpty { screen.writeLine() }
    }

    /// `1 address occurs twice`; nil if all addresses are distinct.
    private var repeats: String? {
        switch progress.total - progress.questions {
        case ..<1: nil
        case 1: "1 address occurs twice"
        case let count:
            "\(Readable.count(count)) of \(Readable.count(progress.total)) addresses occur again, and were asked once"
        }
    }

    /// `3 requests to nominatim, the rest offline`
    private var requests: String {
        let sent = calls.filter { !inWorker.contains($0.key) }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if sent.isEmpty { return calls.isEmpty ? "no requests: all was known" : "no requests: all offline" }
        let parts = sent.map { "\(Words.count($0.value, "request")) to \($0.key)" }
        return parts.joined(separator: ", ") + (sent.count < calls.count ? ", the rest offline" : "")
    }

    private var soFar: Int { progress.soFarByPrecision.values.reduce(0, +) }

    /// `12 of 40 addresses have no answer after 30 s: lane nominatim has been paused since 10:05:00.`
    var unanswered: String? {
        guard progress.waiting > 0 else { return nil }
        let waits = open.isEmpty ? "" : ": " + open.map(\.words).joined(separator: ", ")
        let places =
            soFar == 0 ? "" : "; for \(Readable.count(soFar)) of them the best place so far was written"
        return "\(Readable.count(progress.waiting)) of \(Words.count(progress.total, "address", "addresses")) "
            + "\(progress.waiting == 1 ? "has" : "have") no answer after \(Readable.duration(timeLimit ?? took))\(places)\(waits)."
    }

    private static func precisions(_ counts: [Precision: Int]) -> String {
        counts.sorted { $0.key < $1.key }
            .map { "\(Readable.count($0.value)) by \($0.key == .city ? "town" : $0.key.rawValue)" }
            .joined(separator: ", ")
    }

    /// `30 roughly: postcode, 2 roughly: town`
    private static func weaknesses(_ counts: [Precision: Int]) -> String {
        counts.sorted { $0.key < $1.key }
            .map { "\(Readable.count($0.value)) \(Doubt.coarseness(of: $0.key) ?? $0.key.rawValue)" }
            .joined(separator: ", ")
    }

    private func row(
        _ screen: Screen, _ title: String, _ count: Int, of total: Int, _ style: Style, _ note: String = ""
    ) {
        let number = Readable.count(count)
        let share = Readable.percent(count, of: total)
        let line =
            "  " + title + String(repeating: " ", count: max(1, 13 - title.count))
            + String(repeating: " ", count: max(0, 7 - number.count)) + screen.styled(number, style, .bold)
            + String(repeating: " ", count: max(1, 9 - share.count)) + share
        screen.writeLine(note.isEmpty ? line : line + "   " + note)
    }
}

/// The form of `geocode FILE --json`.
extension GeocodeReport: Shaped {
    static let shape = Shape<GeocodeReport>("", "") {
        Member("friends", example: 2) { $0.imported.counts.friends }
        Member("addresses", example: 2) { $0.progress.total }
        Member("distinct", example: 2) { $0.progress.questions }
        Member("weak", example: 0) { $0.progress.weak }
        Member("provisional", example: 0) { $0.progress.provisional }
        Member("by_status") { report in
            let counts = report.progress.byStatus
            return ByCase(Dictionary(GeocodeStatus.allCases.map { ($0, counts[$0, default: 0]) }) { first, _ in first })
        }
        Member("by_precision") { ByCase($0.progress.byPrecision) }
        Member("weak_by_precision") { ByCase($0.progress.weakByPrecision) }
        Member("so_far_by_precision") { ByCase($0.progress.soFarByPrecision) }
        Member("calls", example: 2) { $0.calls.values.reduce(0, +) }
        Member("calls_by_provider", example: ["gazetteer": 2]) { $0.calls }
        Member("seconds", example: .seconds(1)) { $0.took }
        Member("outputs", example: ["places.csv"]) { $0.outputs }
        Member("attributions", example: ["© OpenStreetMap contributors"]) { $0.attributions }
        Including { $0.imported.refusals }
        Member("waits_for") { $0.open.map(\.words) }
        Member("next") { $0.next }
    }
}
