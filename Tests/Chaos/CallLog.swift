import Postgres
import Queue

/// What the database says about the calls of a lane.
struct CallLog {
    /// When those left that were reported, in seconds since 1970.
    let known: [Double]
    /// The beginnings of slots whose workers vanished: their calls may have left, at whatever moment.
    let lost: [Double]
    let voided: Int
    let slipped: Int
    /// How wide apart, in seconds, the bounds of the database's clock were at most by which workers timed their calls, in the
    /// last minutes.
    let spread: Double

    init(known: [Double], lost: [Double]) {
        (self.known, self.lost) = (known, lost)
        (voided, slipped, spread) = (0, 0, 0)
    }

    init(of lane: String, on database: isolated Connection) throws {
        let rows = try database.query(
            """
            SELECT extract(epoch FROM started_at)::double precision AS at, outcome = 'lost' AS is_lost
            FROM calls
            JOIN lanes ON lanes.id = lane
            WHERE name = \(lane)
            ORDER BY started_at
            """
        ).map { (at: try $0.read("at", as: Double.self), isLost: try $0.read("is_lost", as: Bool.self)) }
        known = rows.filter { !$0.isLost }.map(\.at)
        lost = rows.filter(\.isLost).map(\.at)
        let sums = try database.query(
            """
            SELECT coalesce(sum(voided), 0) AS voided, coalesce(sum(slipped), 0) AS slipped
            FROM throughput JOIN lanes ON lanes.id = lane
            WHERE name = \(lane)
            """)[0]
        (voided, slipped) = (try sums.read("voided"), try sums.read("slipped"))
        spread = try database.query(
            """
            SELECT extract(epoch FROM greatest(spread, spread_before))::double precision AS spread
            FROM lanes WHERE name = \(lane)
            """)[0].read("spread")
    }

    /// What the log and the recorder say about each other.
    struct Comparison {
        /// Calls that a provider saw and nobody wrote down.
        let missing: [RecordedCall]
        /// Moments in the log at which the provider saw nothing.
        let unseen: [Double]
        /// Calls whose workers vanished before they could say when they left.
        let vanished: Set<Double>
        /// Beginnings of slots whose workers vanished, and in which the provider saw nothing.
        let unused: [Double]
    }

    /// Gives each call a row of its own: at its moment, within `tolerance` and what its worker knew of the database's clock, or,
    /// where that vanished, at the beginning of the slot that it was given. Where the clock was set, it was one of `offsets`
    /// ahead.
    func compare(
        with calls: [RecordedCall], grace: Double, tolerance: Double, offsets: (Double) -> [Double]
    ) -> Comparison {
        var pairs = Pairing(
            candidates: calls.map { call in
                let offsets = offsets(call.at)
                let tolerance = tolerance + max(call.uncertainty(grace: grace), spread) / 2
                // A slot is moved with the clock, by as much as somebody found that to be set.
                let moves = Set(offsets.flatMap { before in offsets.map { $0 - before } })
                let doubt = moves.count > 1 ? 0.5 : 0.001
                let candidates =
                    offsets.flatMap { known.places(from: call.at + $0 - tolerance, to: call.at + $0 + tolerance) }
                    + moves.flatMap { move in
                        let begin = call.given.lowerBound + move
                        return lost.places(from: begin - doubt, to: begin + doubt).map { known.count + $0 }
                    }
                return offsets.count > 1 ? Array(Set(candidates)).sorted() : candidates
            }, rows: known.count + lost.count)
        let missing = calls.indices.filter { !pairs.pair($0) }.map { calls[$0] }
        let vanished = pairs.callOf[known.count...].compactMap { $0.map { calls[$0].at } }
        return Comparison(
            missing: missing, unseen: known.indices.filter { pairs.callOf[$0] == nil }.map { known[$0] },
            vanished: Set(vanished),
            unused: lost.indices.filter { pairs.callOf[known.count + $0] == nil }.map { lost[$0] })
    }
}

/// Which jobs of a lane the database still has.
struct JobsLeft {
    let alive: Set<Job.ID>
    let dead: Set<Job.ID>

    init(in lane: String, on database: isolated Connection) throws {
        alive = Set(
            try database.query("SELECT jobs.id FROM jobs JOIN lanes ON lanes.id = lane WHERE name = \(lane)").map {
                try $0.read("id")
            })
        dead = Set(
            try database.query("SELECT dead_jobs.id FROM dead_jobs JOIN lanes ON lanes.id = lane WHERE name = \(lane)")
                .map {
                    try $0.read("id")
                })
    }
}

/// Gives each call a row of its own, if that can be done at all: a matching that is as large as can be.
struct Pairing {
    private let candidates: [[Int]]
    private(set) var callOf: [Int?]
    private var rowOf: [Int?]

    init(candidates: [[Int]], rows: Int) {
        self.candidates = candidates
        callOf = Array(repeating: nil, count: rows)
        rowOf = Array(repeating: nil, count: candidates.count)
    }

    /// Gives the call a row, for which others may have to take another one. False when there is none.
    mutating func pair(_ start: Int) -> Bool {
        var (asked, place) = ([start], 0)
        // Who wanted the row.
        var wantedBy: [Int: Int] = [:]
        while place < asked.count {
            let call = asked[place]
            place += 1
            for row in candidates[call] where wantedBy[row] == nil {
                wantedBy[row] = call
                guard let owner = callOf[row] else {
                    hand(row, wantedBy, until: start)
                    return true
                }
                asked.append(owner)
            }
        }
        return false
    }

    /// Hands a free row to who wanted it, the row that one had to the next, and so on.
    private mutating func hand(_ free: Int, _ wantedBy: [Int: Int], until start: Int) {
        var row: Int? = free
        while let this = row, let call = wantedBy[this] {
            row = rowOf[call]
            (callOf[this], rowOf[call]) = (call, this)
            if call == start { return }
        }
    }
}

extension [Double] {
    /// The places of a sorted list whose values lie between these.
    fileprivate func places(from least: Double, to most: Double) -> [Int] {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < least { low = middle + 1 } else { high = middle }
        }
        var end = low
        while end < count, self[end] <= most { end += 1 }
        return (low..<end).map(\.self)
    }
}
