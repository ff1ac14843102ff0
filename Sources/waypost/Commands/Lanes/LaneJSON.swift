import Queue

/// The form of a lane in `lanes list --json` and `lanes show --json`.
struct LaneJSON: Encodable {
    struct Limit: Encodable {
        let limit: String
        let calls, perSeconds, burst, tokens: Double
        let spreadSeconds, burstForDistance, gapSeconds: Double

        init(_ state: LimitState) {
            limit = state.limit.text
            calls = state.limit.calls
            perSeconds = state.limit.per / .seconds(1)
            burst = state.limit.burst
            tokens = state.tokens
            spreadSeconds = state.spread / .seconds(1)
            burstForDistance = state.burstForDistance
            gapSeconds = state.gap
        }
    }

    struct Failures: Encodable {
        let reason: String
        let at: Double
        let failed, calls: Int
    }

    let lane, kind, state: String
    let because: String?
    /// Failed calls in the last ten minutes, with the latest reason; null if none failed.
    let failures: Failures?
    let pausedSince, blockedUntil: Double?
    let limits: [Limit]
    let pace: Double
    let faults, trips: Int
    let ready, later, held, dead, workers: Int
    let calls, retries, voided, late, slipped, callsLastMinute: Int
    let usedShare: Double?
    /// How long the oldest due job has waited, in seconds; null if none is due.
    let oldestWaitSeconds: Double?
    /// The time for which `ready`, `later` and `dead` hold, in seconds since 1970.
    let countedAt: Double
    let batch: Int
    let callsAtOnce, callsPerWorker: Int?
    let graceSeconds, callLimitSeconds, firstRetrySeconds, longestRetrySeconds: Double
    let mostFailures, breakerAfter: Int
    let pricePer1000Calls: Double?
    let currency: String?

    init(_ lane: LaneState) {
        self.lane = lane.lane
        kind = lane.kind.rawValue
        state = lane.condition.word
        switch lane.condition {
        case .open, .probing: (because, pausedSince, blockedUntil) = (nil, nil, nil)
        case .stopped(let since, let reason): (because, pausedSince, blockedUntil) = (reason, since / .seconds(1), nil)
        case .paused(let since): (because, pausedSince, blockedUntil) = (nil, since / .seconds(1), nil)
        case .blocked(let until, let reason): (because, pausedSince, blockedUntil) = (reason, nil, until / .seconds(1))
        }
        failures = lane.failures.map {
            Failures(reason: $0.reason, at: $0.at / .seconds(1), failed: $0.failed, calls: $0.calls)
        }
        limits = lane.limits.map(Limit.init)
        pace = lane.pace
        (faults, trips) = (lane.faults, lane.trips)
        (ready, later, held, dead, workers) = (lane.ready, lane.later, lane.held, lane.dead, lane.workers)
        (calls, retries, voided, late) = (lane.calls, lane.retries, lane.voided, lane.late)
        slipped = lane.slipped
        callsLastMinute = lane.callsLastMinute
        usedShare = lane.usedShare
        oldestWaitSeconds = lane.oldestWaited.map { $0 / .seconds(1) }
        countedAt = lane.countedAt / .seconds(1)
        batch = lane.settings.batch
        (callsAtOnce, callsPerWorker) = (lane.settings.callsAtOnce, lane.settings.callsPerWorker)
        graceSeconds = lane.settings.grace / .seconds(1)
        callLimitSeconds = lane.settings.callLimit / .seconds(1)
        firstRetrySeconds = lane.settings.firstRetry / .seconds(1)
        longestRetrySeconds = lane.settings.longestRetry / .seconds(1)
        (mostFailures, breakerAfter) = (lane.settings.mostFailures, lane.settings.breakerAfter)
        (pricePer1000Calls, currency) = (lane.settings.price?.per1000Calls, lane.settings.price?.currency)
    }
}
