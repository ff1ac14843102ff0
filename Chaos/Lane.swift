/// A lane of a trial, and its changes during the trial.
struct Lane {
    let name: String
    let limits: [Limit]

    /// How late a call may leave, in milliseconds. In a lane without a burst it adds to the time between calls.
    var grace = 40.0

    /// At half time the lane gets these limits instead, one list right after the other. An empty list permits any rate.
    var changes: [[Limit]] = []

    /// The most jobs that one worker holds; nil: as many as it has room for.
    var callsPerWorker: Int?

    /// The lane is paused between a third and two thirds of the time.
    var isPaused = false

    /// True for lanes that do not change during the trial. Only those must use what is permitted.
    var isSteady: Bool { changes.isEmpty && !isPaused }

    /// All lanes, or a single lane with this rate of calls per second.
    static func all(orOnly rate: Double?) -> [Lane] {
        guard let rate else { return all }
        return [Lane(name: "only", limits: [Limit(refill: rate, per: 1, capacity: max(1, rate / 10))])]
    }

    private static let all = [
        Lane(name: "one", limits: [Limit(refill: 1, per: 1, capacity: 1)], grace: 5),
        Lane(name: "seven", limits: [Limit(refill: 7, per: 1, capacity: 2)]),
        Lane(name: "twenty", limits: [Limit(refill: 20, per: 1, capacity: 1)], grace: 5),
        Lane(name: "fifty", limits: [Limit(refill: 50, per: 1, capacity: 5)]),
        Lane(name: "three-hundred", limits: [Limit(refill: 300, per: 1, capacity: 30)]),
        Lane(
            name: "twofold",
            limits: [Limit(refill: 20, per: 1, capacity: 2), Limit(refill: 300, per: 60, capacity: 12)]),
        Lane(
            name: "slowed", limits: [Limit(refill: 100, per: 1, capacity: 10)],
            changes: [[Limit(refill: 30, per: 1, capacity: 3)]]),
        // Hundreds of slots were promised, and each would cost two seconds of the new limit.
        Lane(
            name: "lowered", limits: [Limit(refill: 100, per: 1, capacity: 10)],
            changes: [[Limit(refill: 30, per: 60, capacity: 1)]]),
        Lane(
            name: "raised", limits: [Limit(refill: 30, per: 60, capacity: 2)], grace: 10,
            changes: [[Limit(refill: 100, per: 1, capacity: 10)]]),
        Lane(
            name: "removed", limits: [Limit(refill: 100, per: 1, capacity: 10)],
            changes: [[], [Limit(refill: 60, per: 120, capacity: 2)]], callsPerWorker: 50),
        // Nearly all calls of this lane are its burst.
        Lane(name: "burst", limits: [Limit(refill: 10, per: 60, capacity: 10)], grace: 10),
        Lane(name: "paused", limits: [Limit(refill: 100, per: 1, capacity: 10)], isPaused: true),
    ]
}
