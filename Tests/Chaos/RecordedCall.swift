/// A request as the recorder saw it. Moments are in seconds since 1970, on this machine's clock.
struct RecordedCall {
    let at: Double
    let lane: String
    let job: String
    let lease: String
    let worker: String
    /// The slot, as the worker knew it.
    let opens: Double
    let closes: Double
    /// It was answered by what its job asked for, or would have been.
    let isAnswered: Bool

    /// `/one/17/4711/worker-1/1700000000000000/1700000000040000`, the nanosecond of its arrival, and what came of it.
    init?(path: Substring, at nanoseconds: Int, isAnswered: Bool) {
        let parts = path.split(separator: "/")
        guard parts.count == 6, let opens = Double(parts[4]), let closes = Double(parts[5]) else { return nil }
        at = Double(nanoseconds) / 1e9
        (lane, job, lease, worker) = (String(parts[0]), String(parts[1]), String(parts[2]), String(parts[3]))
        self.isAnswered = isAnswered
        (self.opens, self.closes) = (opens / 1e6, closes / 1e6)
    }

    /// Reads a line that ``Recorder`` wrote.
    init?(line: Substring) {
        let words = line.split(separator: " ")
        guard words.count == 3, let at = Int(words[1]) else { return nil }
        self.init(path: words[0], at: at, isAnswered: words[2] == "good")
    }

    /// Left after its slot had ended. A worker knows the clock to some tenths of a millisecond.
    var hasSlipped: Bool { at > closes + 0.0005 }
    var isEarly: Bool { at < opens - 0.0005 }
}
