import Postgres
import Queue

/// The calls of a lane according to the database.
struct CallLog {
    /// Times of sending of the reported calls, in seconds since 1970.
    let known: [Double]
    /// The beginnings of slots whose workers vanished. Their calls may have left at any time.
    let lost: [Double]
    let voided: Int
    let slipped: Int
    /// The greatest distance, in seconds, between the bounds of the database's clock that workers used in the last
    /// minutes.
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

    /// The comparison of the log with the recorder.
    struct Comparison {
        /// Calls that the provider saw and that are not in the log.
        let missing: [RecordedCall]
        /// Times in the log at which the provider saw no call.
        let unseen: [Double]
        /// Calls whose workers vanished before they could report the time of sending.
        let vanished: Set<Double>
        /// Beginnings of slots whose workers vanished, and in which the provider saw no call.
        let unused: [Double]
    }

    /// Pairs each call with its own row. The row is at the call's time, within `tolerance` and the worker's uncertainty
    /// of the database's clock. If the worker vanished, the row is at the beginning of its slot. After clock steps, the
    /// clock was ahead by one of `offsets`, and a slot may have moved by up to `unmeasured` seconds more. `lag` is how far the
    /// log may be from a slewed clock.
    func compare(
        with calls: [RecordedCall], grace: Double, tolerance: Double, offsets: (Double) -> [Double],
        unmeasured: (Double) -> Double = { _ in 0 }, lag: (Double) -> Double = { _ in 0 }
    ) -> Comparison {
        var pairs = Pairing(
            candidates: calls.map { call in
                let offsets = offsets(call.at)
                let tolerance = tolerance + max(call.uncertainty(grace: grace), spread) / 2 + lag(call.at)
                // After a clock step, a slot is moved by the step that a process measured.
                let moves = Set(offsets.flatMap { before in offsets.map { $0 - before } })
                let doubt = (moves.count > 1 ? 0.5 : 0.001) + unmeasured(call.at)
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

/// The jobs of a lane that the database still has.
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

/// Pairs calls with rows so that as many calls as possible have a row: a maximum matching.
struct Pairing {
    private let candidates: [[Int]]
    private(set) var callOf: [Int?]
    private var rowOf: [Int?]

    init(candidates: [[Int]], rows: Int) {
        self.candidates = candidates
        callOf = Array(repeating: nil, count: rows)
        rowOf = Array(repeating: nil, count: candidates.count)
    }

    /// Gives the call a row. Other calls may have to change theirs. Returns false if no row can be made free.
    mutating func pair(_ start: Int) -> Bool {
        var (asked, place) = ([start], 0)
        // The call that requested a row.
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

    /// Gives a free row to the call that requested it, that call's former row to the next one, and so on.
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
    /// The indexes of a sorted list whose values lie between these bounds.
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
