/// A request as recorded. Times are in seconds since 1970, on this machine's clock.
struct RecordedCall {
    let at: Double
    let lane: String
    let job: String
    let lease: String
    let worker: String
    /// The slot as the worker computed it.
    let opens: Double
    let closes: Double
    /// The slot as the claim gave it, on the database's clock at that time.
    let given: ClosedRange<Double>
    /// The reply was the one that the job needed, or would have been.
    let isAnswered: Bool

    /// Parses `/one/17/4711/worker-1/1700000000000000/1700000000040000/1700000000000100/1700000000040100`. The other
    /// parameters are the nanosecond of arrival and the outcome.
    init?(path: Substring, at nanoseconds: Int, isAnswered: Bool) {
        let parts = path.split(separator: "/")
        let times = parts.dropFirst(4).compactMap { Double($0).map { $0 / 1e6 } }
        guard parts.count == 8, times.count == 4, times[2] <= times[3] else { return nil }
        at = Double(nanoseconds) / 1e9
        (lane, job, lease, worker) = (String(parts[0]), String(parts[1]), String(parts[2]), String(parts[3]))
        self.isAnswered = isAnswered
        (opens, closes, given) = (times[0], times[1], times[2]...times[3])
    }

    /// A call of a real worker, `/one?street=…`: the query names its question, and its slot is unknown.
    init(lane: Substring, question: Substring, at nanoseconds: Int, isAnswered: Bool) {
        at = Double(nanoseconds) / 1e9
        (self.lane, job, lease, worker) = (String(lane), String(question), "", "")
        self.isAnswered = isAnswered
        (opens, closes, given) = (-.infinity, .infinity, at...at)
    }

    /// Parses a line of ``Recorder``.
    init?(line: Substring) {
        let words = line.split(separator: " ")
        guard words.count == 3, let at = Int(words[1]) else { return nil }
        let isAnswered = words[2] == "good"
        guard let mark = words[0].firstIndex(of: "?") else {
            self.init(path: words[0], at: at, isAnswered: isAnswered)
            return
        }
        self.init(
            lane: words[0][..<mark].dropFirst(), question: words[0][mark...].dropFirst(), at: at,
            isAnswered: isAnswered)
    }

    /// The worker's uncertainty of the database's clock. A slot is open for this much longer than the lane's grace.
    func uncertainty(grace: Double) -> Double { max(0, given.upperBound - given.lowerBound - grace) }

    /// The call left after its slot. A worker's error of the clock is some tenths of a millisecond.
    var hasSlipped: Bool { at > closes + 0.0005 }
    var isEarly: Bool { at < opens - 0.0005 }
}
