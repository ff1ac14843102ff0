import Contacts
import Formats
import Geocoding
import Queue

/// The form of `geocode FILE --json`.
struct GeocodeJSON: Encodable {
    struct Refusal: Encodable {
        let line: Int
        let reason: String
        let isPartial: Bool
    }

    let friends, addresses, distinct, weak, calls: Int
    let byStatus: [String: Int]
    let byPrecision: [String: Int]
    /// Located addresses whose place is coarser than the address.
    let weakByPrecision: [String: Int]
    /// Waiting addresses with a place that was found so far.
    let soFarByPrecision: [String: Int]
    let seconds: Double
    let outputs, attributions: [String]
    let refused: [Refusal]
    let refusedCount: Int
    /// The lanes for which the rest waits, and advice on all addresses that are not located.
    let waitsFor, next: [String]

    init(_ report: GeocodeReport) {
        let progress = report.progress
        friends = report.imported.counts.friends
        (addresses, distinct, weak) = (progress.total, progress.questions, progress.weak)
        byStatus = Dictionary(
            uniqueKeysWithValues: GeocodeStatus.allCases.map { ($0.rawValue, progress.byStatus[$0, default: 0]) })
        byPrecision = Dictionary(uniqueKeysWithValues: progress.byPrecision.map { ($0.key.rawValue, $0.value) })
        weakByPrecision = Dictionary(uniqueKeysWithValues: progress.weakByPrecision.map { ($0.key.rawValue, $0.value) })
        soFarByPrecision = Dictionary(
            uniqueKeysWithValues: progress.soFarByPrecision.map { ($0.key.rawValue, $0.value) })
        (calls, seconds) = (report.calls, report.took / .seconds(1))
        (outputs, attributions) = (report.outputs, report.attributions)
        let refusals = report.imported.refusals
        refused = refusals.first.map { Refusal(line: $0.line, reason: $0.reason, isPartial: $0.isPartial) }
        refusedCount = refusals.count
        (waitsFor, next) = (report.open.map(\.words), report.next)
    }
}
