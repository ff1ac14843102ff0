/// The age of a standby's data, from positions in the primary's log and the times at which they were noted.
///
/// A standby that has replayed up to a note has everything that was committed before the note. So no clocks of two
/// machines are compared. It is pure arithmetic without I/O.
struct ReplayNotes {
    /// How old the data may be.
    let longestLag: Duration
    /// The notes within the limit, the oldest first.
    private var notes: [(position: Int, at: ContinuousClock.Instant)] = []
    /// The position that the standby had replayed at the last look.
    private(set) var replayed = 0
    /// The standby has everything that was committed before this time.
    private(set) var currentAt: ContinuousClock.Instant?

    init(longestLag: Duration) {
        self.longestLag = longestLag
    }

    /// Notes the end of the primary's log, which was read after `at`. The standby had replayed up to `before` earlier
    /// than that.
    mutating func note(_ position: Int, at: ContinuousClock.Instant, standby before: Int) {
        // After a failover that lost changes, the new primary has less than the old one or the standby had.
        if position < max(before, notes.last?.position ?? 0) { (notes, currentAt) = ([], nil) }
        // A standby that is ahead has another history. It never reaches a note that is made later.
        if position >= before { notes.append((position, at)) }
        let earliest = at - longestLag
        notes.removeAll { $0.at < earliest }
    }

    mutating func look(replayed: Int) {
        self.replayed = replayed
        if let note = notes.last(where: { $0.position <= replayed }) { currentAt = note.at }
    }

    /// The position that data must have for a read at this time; nil if the standby's data is too old.
    func target(at now: ContinuousClock.Instant) -> Int? {
        guard let currentAt, currentAt >= now - longestLag else { return nil }
        return notes.first { $0.at >= now - longestLag }?.position
    }
}
