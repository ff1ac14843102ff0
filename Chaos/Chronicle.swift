import Processes

/// The faults of a trial with their times, in seconds since 1970 on this machine's clock.
final class Chronicle: Sendable {
    enum Kind: String, CaseIterable {
        case killed, ended, stopped
        /// A process ended by itself.
        case gaveUp = "gave up"
        case frozen, crashed, full, crowded, locked, reset
        case switchedOver = "switched over"
        case clockSet = "clock set"
        case slewed
        case copied
        case setOddly = "set oddly"
        /// No process of the cluster ran.
        case dark
        /// The same, and then all started as on another host, where they can't measure the elapsed time.
        case moved

        /// True for faults of the database.
        var isOfServer: Bool { ![.killed, .ended, .stopped, .gaveUp].contains(self) }

        /// The database was away or could store nothing.
        var isOutage: Bool { [.frozen, .crashed, .full, .switchedOver, .dark, .moved].contains(self) }
    }

    struct Event {
        let kind: Kind
        let what: String
        let from: Double
        let to: Double
    }

    /// In seconds.
    let longestOutage: Double

    private let events = Locked<[Event]>([])
    /// How far the database's clock was ahead of the machine's, from when, and how much it gained in each second.
    private let offsets = Locked<[(from: Double, offset: Double, gain: Double)]>([(-.infinity, 0, 0)])

    init(longestOutage: Double) { self.longestOutage = longestOutage }

    func note(_ kind: Kind, _ what: String, since from: Double, until to: Double = wallTime()) {
        events.withLock { $0.append(Event(kind: kind, what: what, from: from, to: to)) }
    }

    func noteClock(aheadBy offset: Double, gaining gain: Double = 0, since from: Double) {
        offsets.withLock { $0.append((from, offset, gain)) }
    }

    /// The events in this period, in order of time.
    func events(between from: Double, and to: Double) -> [Event] {
        events.withLock { $0.filter { $0.from <= to && $0.to >= from } }.sorted { $0.from < $1.from }
    }

    /// True if the database had no fault.
    var isServerWell: Bool { events.withLock { !$0.contains(where: \.kind.isOfServer) } }

    /// No process was killed, ended or stopped.
    var areProcessesWell: Bool {
        events.withLock { !$0.contains { [.killed, .ended, .stopped].contains($0.kind) } }
    }

    var isClockSet: Bool { offsets.withLock { $0.count > 1 } }

    /// All possible offsets of the database's clock at this time. An event before a clock step may be stored after it,
    /// and processes notice the step at different times.
    func clockOffsets(around moment: Double) -> [Double] {
        let doubt = 15 + longestOutage
        return offsets.withLock { offsets in
            offsets.indices.filter { index in
                let until = index + 1 < offsets.count ? offsets[index + 1].from : .infinity
                return offsets[index].from < moment + doubt && until > moment - doubt
            }.map { index in
                guard offsets[index].gain != 0 else { return offsets[index].offset }
                let end = index + 1 < offsets.count ? offsets[index + 1].from : .infinity
                return offsets[index].offset + offsets[index].gain
                    * (min(max(moment, offsets[index].from), end) - offsets[index].from)
            }
        }
    }

    /// How far the log may be from the database's clock, in seconds: processes notice within two seconds that a slew
    /// began or ended.
    func clockLag(around moment: Double) -> Double {
        offsets.withLock { offsets in
            offsets.indices.filter { index in
                let until = index + 1 < offsets.count ? offsets[index + 1].from : .infinity
                return offsets[index].from < moment + 10 && until > moment - 10
            }.map { abs(offsets[$0].gain) * 2 }.max() ?? 0
        }
    }

    /// The seconds of a later move of slots that no process could measure. After a start on another host, these are the
    /// time from the last check of the clock, before an outage that came first, until a process has adopted the clock.
    /// A process far away, with lost packets, takes some seconds for that.
    func unmeasured(after moment: Double) -> Double {
        let (check, adoption) = (2.0, 5.0)
        let moves = events(between: moment, and: moment + 15 + longestOutage).filter { $0.kind == .moved }
        return moves.map { move in
            let outages = events(between: move.from - check, and: move.from).filter(\.kind.isOfServer)
            return move.to + adoption - (outages.map(\.from) + [move.from]).reduce(.infinity, min)
        }.max() ?? clockLag(around: moment)
    }

    /// After each outage of the database, the time until the next of these calls. Returns the longest one. If the next
    /// fault or the end of the trial comes first, the time until then counts.
    func longestReturn(_ calls: [Double], until end: Double) -> Double? {
        let faults = events(between: -.infinity, and: end).filter(\.kind.isOfServer)
        return faults.filter(\.kind.isOutage).map { outage in
            let next = faults.map(\.from).filter { $0 > outage.to }.min() ?? end
            return min(calls.first { $0 > outage.to } ?? end, next) - outage.to
        }.max()
    }

    /// The number of faults of each kind.
    var summary: String {
        let events = events.withLock { $0 }
        let counts = Kind.allCases.map { kind in (kind, events.count { $0.kind == kind }) }.filter { $0.1 > 0 }
        return counts.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ")
    }
}
