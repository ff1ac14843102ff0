import Contacts
import Geocoding
import Processes
import Questions
import Queue
import Shapes
import Terminal

/// The cluster at one moment.
struct Stats: Sendable {
    let contacts: ContactCounts
    let addresses: AddressProgress
    /// Nil if distinct addresses were not counted.
    let geocodes: GeocodeCounts?
    let overview: Overview

    func write(to screen: Screen) {
        let distinct =
            geocodes.map { ", of which \(Readable.count($0.total)) \($0.total == 1 ? "is" : "are") distinct" } ?? ""
        let saved = overview.saved
        let calls =
            "\(Readable.count(saved.answered)) answered, \(Readable.count(saved.called)) called for, "
            + "\(Words.count(saved.saved, "call")) saved"
        screen.writeLine(
            "\(Words.count(contacts.friends, "friend")) with \(Words.count(contacts.addresses, "address", "addresses"))"
                + "\(distinct); \(calls)")
        screen.writeLine()
        writeAddresses(to: screen)
        screen.writeLine()
        writeLanes(to: screen)
        screen.writeLine()
        writeThroughput(to: screen)
        screen.writeLine()
        writeWorkers(to: screen)
    }

    private func writeAddresses(to screen: Screen) {
        var table =
            geocodes == nil
            ? Table(.left("ANSWER"), .right("ADDRESSES"), .right("SHARE"))
            : Table(.left("ANSWER"), .right("ADDRESSES"), .right("SHARE"), .right("DISTINCT"))
        for status in GeocodeStatus.allCases {
            let count = addresses.byStatus[status, default: 0]
            let (text, share) = (Readable.count(count), Readable.percent(count, of: addresses.total))
            if let geocodes {
                table.add(status.words, text, share, Readable.count(geocodes.byStatus[status, default: 0]))
            } else {
                table.add(status.words, text, share)
            }
        }
        table.write(to: screen)
    }

    private func writeLanes(to screen: Screen) {
        var jobs = Table(
            .left("LANE"), .left("STATE", style: conditionStyle), .right("READY"), .right("LATER"), .right("HELD"),
            .right("DEAD"), .right("OLDEST"), .left("DONE IN"))
        for lane in overview.lanes {
            jobs.add(
                lane.lane, lane.condition.word, Readable.count(lane.ready), Readable.count(lane.later),
                Readable.count(lane.held), Readable.count(lane.dead),
                lane.oldestWaited.map(Readable.duration) ?? "-", lane.estimate.text)
        }
        jobs.write(to: screen)
        for lane in overview.lanes {
            guard case .recent(_, let rate) = lane.estimate else { continue }
            screen.writeLine(
                "* \(lane.lane) has no limits: at the \(Readable.rate(rate)) of the last full minutes.")
        }
    }

    private func writeThroughput(to screen: Screen) {
        var calls = Table(
            .left("CALLS"), .left("LIMITS"), .right("10 S"), .right("MINUTE"), .right("HOUR"), .right("DAY"),
            .right("USED"), .right("UNDER WAY"))
        var outcomes = Table(
            .left("LAST HOUR"), .right("CALLS"), .right("ANSWERED"), .right("RETRIED"), .right("LIMITED"),
            .right("FAILED"), .right("LOST"), .right("ADDRESSES"))
        for lane in overview.throughput.lanes {
            let rates = ThroughputSpan.allCases.map { lane.spans[$0].map { Readable.rate($0.callsPerSecond) } ?? "-" }
            calls.add(
                lane.name, lane.limits.isEmpty ? "none" : lane.limits.map(\.limit.text).joined(separator: ", "),
                rates[0], rates[1], rates[2], rates[3], lane.usedText,
                Readable.count(lane.spans[.day]?.counts.underWay ?? 0))
            guard let hour = lane.spans[.hour]?.counts, hour.calls > 0 else { continue }
            outcomes.add(
                lane.name, Readable.count(hour.calls), Readable.count(hour.answered), Readable.count(hour.retried),
                Readable.count(hour.limited), Readable.count(hour.failed), Readable.count(hour.lost),
                Readable.count(hour.subjects))
        }
        calls.write(to: screen)
        guard overview.throughput.lanes.contains(where: { $0.spans[.hour]?.counts.calls ?? 0 > 0 }) else { return }
        screen.writeLine()
        outcomes.write(to: screen)
    }

    private func writeWorkers(to screen: Screen) {
        if overview.workers.isEmpty {
            return screen.writeLine("No worker is running. Start one with 'waypost worker'.")
        }
        var crew = Table(
            .left("WORKER"), .left("HOST"), .right("PROCESS"), .right("JOBS"), .right("10 S"), .right("MINUTE"),
            .right("HOUR"), .right("MEMORY"), .right("HEARD OF"))
        for worker in overview.workers {
            let spans = overview.throughput.workers.first { $0.id == worker.id }?.spans ?? [:]
            func rate(_ span: ThroughputSpan) -> String {
                spans[span].map { Readable.rate($0.callsPerSecond) } ?? "-"
            }
            crew.add(
                worker.name, worker.host, "\(worker.pid)", Readable.count(worker.held), rate(.tenSeconds),
                rate(.minute), rate(.hour), worker.memory.map(Readable.bytes) ?? "-",
                "\(Readable.duration(worker.silence)) ago")
        }
        crew.write(to: screen)
    }
}

extension Stats: Shaped {
    static let shape = Shape<Stats>("Stats", "The cluster with its addresses, of all accounts.") {
        Member("friends", example: 5) { $0.contacts.friends }
        Member("addresses", example: 15) { $0.contacts.addresses }
        Member("unhashed_addresses", "Written by another program, and not yet hashed.", example: 0) {
            $0.contacts.unhashed
        }
        Member("addresses_by_status") { ByCase($0.addresses.byStatus) }
        Member("distinct_addresses", "Null with `--watch`.", example: 12) { $0.geocodes?.total }
        Member("by_status", "The distinct addresses.") { stats in stats.geocodes.map { ByCase($0.byStatus) } }
        Member("by_precision", "The distinct addresses.") { stats in stats.geocodes.map { ByCase($0.byPrecision) } }
        Including { $0.overview }
    }
}

extension Throughput.Lane {
    /// The part of the permitted calls that was used in the last 60 seconds.
    var usedShare: Double? {
        guard let count = spans[.minute], let permitted = permitted(.minute) else { return nil }
        return Double(count.counts.calls) / permitted
    }

    var usedText: String { usedShare.map(percent) ?? "-" }
}

/// A share for people. Unlike a part of a whole, it may exceed 100%.
func percent(_ share: Double) -> String { "\(Int(clamping: share * 100))%" }

extension GeocodeStatus {
    var words: String {
        switch self {
        case .waiting: "waiting"
        case .located: "located"
        case .needsReview: "needs review"
        case .notFound: "not found"
        case .failed: "failed"
        case .forgotten: "forgotten"
        }
    }
}
