import HTTP
import Questions
import Testing

@testable import Cluster
@testable import Queue

/// The decisions of many workers in one lane, with a simulated clock, database and provider.
///
/// The database handles one claim at a time: 4 ms with jobs, which is a commit, and 0.5 ms without.
private struct ManyWorkers {
    static let origin = ContinuousClock.now

    let rate: Double
    /// How much longer than others the first claim of a worker takes, in seconds.
    let coldSeconds: Double
    var warm: Set<Int> = []
    var machines: [LaneMachine]
    /// The workers in the database's table. Dead workers stay there for a while.
    var registered: Int
    var dead: Set<Int> = []
    var limits: [LimitState]
    /// Seconds since the beginning.
    var now = 0.0
    var lockedUntil = 0.0
    var limitsAt = 0.0
    var lastJob = 0
    /// The latest event is first.
    var events: [(at: Double, worker: Int, event: LaneMachine.Event)] = []
    var counts = (claims: 0, calls: 0, voided: 0, writes: 0)

    /// False if each worker claims as often as one that is alone.
    let sharesClaims: Bool

    /// If all workers start `together`, their first looks come as the lookout and a notification make them.
    init(
        _ number: Int, at rate: Double = 50, sharesClaims: Bool = true, together: Bool = false, coldSeconds: Double = 0
    ) throws {
        (self.rate, self.sharesClaims, self.coldSeconds) = (rate, sharesClaims, coldSeconds)
        var clock = ServerClock(origin: Self.origin)
        clock.learn(sent: Self.origin, answered: Self.origin, shown: .zero, epoch: 1)
        let crowd = together ? max(1, Double(number) / 8) : 1
        machines = (1...number).map { _ in LaneMachine(capacity: 16, clock: clock, crowd: crowd, at: Self.origin) }
        registered = number
        let limit = try #require(RateLimit(rate, per: .seconds(1), burst: max(1, rate / 25)))
        limits = [LimitState(limit, fullIn: 0)]
        for worker in machines.indices where !together {
            push(.alarm, to: worker, after: Double(worker) / Double(number))
        }
        for worker in machines.indices where together {
            push(.look, to: worker, after: 0)
            push(.lookedOut(hasJobs: true, crowd: crowd), to: worker, after: Lookout.wait(in: crowd, isFirst: true))
        }
    }

    private mutating func push(_ event: LaneMachine.Event, to worker: Int, after seconds: Double) {
        let at = max(now, now + seconds)
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].at > at { low = middle + 1 } else { high = middle }
        }
        events.insert((at, worker, event), at: low)
    }

    /// Runs until this time, and returns the counts of the time from now.
    mutating func run(until end: Double) -> (claims: Int, calls: Int, voided: Int, writes: Int) {
        counts = (0, 0, 0, 0)
        while let next = events.last, next.at <= end {
            events.removeLast()
            now = next.at
            if dead.contains(next.worker) { continue }
            let actions = machines[next.worker].handle([next.event], at: Self.origin + .seconds(now))
            for action in actions { perform(action, of: next.worker) }
        }
        now = end
        return counts
    }

    private mutating func perform(_ action: LaneMachine.Action, of worker: Int) {
        switch action {
        case .claim(let order): claim(order, worker)
        case .call(let call, _):
            let departure = call.departure
            let isLate = departure.closes.map { $0 < Self.origin + .seconds(now) } ?? false
            if isLate { counts.voided += 1 } else { counts.calls += 1 }
            let end = now + (isLate ? 0 : 0.1)
            push(
                .returned(call.job.id, Reply(isLate ? .void : .done()), departure, at: Self.origin + .seconds(end)),
                to: worker, after: end - now)
        case .write(let entries):
            counts.writes += 1
            push(.written(entries.map(\.report.job.id)), to: worker, after: 0.005)
        case .ring(let instant):
            // A little later, as every alarm: a rounded time must not be earlier.
            push(.alarm, to: worker, after: Self.origin.duration(to: instant) / .seconds(1) - now + 1e-6)
        default: break
        }
    }

    private mutating func claim(_ order: LaneMachine.ClaimOrder, _ worker: Int) {
        counts.claims += 1
        let cold = warm.insert(worker).inserted ? coldSeconds : 0
        let told = max(lockedUntil, now + 0.001)
        limits.wait(told - limitsAt)
        limitsAt = told
        let slots = limits.takeSlots(order.most, lead: order.duration / .seconds(1))
        lockedUntil = told + (slots.starts.isEmpty ? 0.0005 : 0.004)
        let jobs = slots.starts.map { start in
            lastJob += 1
            let opens = Duration.seconds(told + start)
            return Job(
                id: lastJob, lease: lastJob, failures: 0, subjects: [1],
                slot: Slot(opens: opens, closes: opens + .milliseconds(10)), dueAt: .zero, trace: nil)
        }
        // As the SQL function `lane_crowd` computes it.
        let crowd = !sharesClaims ? 1 : max(1, Double(registered) / max(8, rate / Double(order.most)))
        let claim = Claim(
            jobs: jobs, toldAt: .seconds(told), callLimit: .seconds(60),
            obstacle: jobs.count < order.most ? .tokens : nil, lookIn: .seconds(slots.next - 2), hint: nil, crowd: crowd
        )
        let answered = Self.origin + .seconds(lockedUntil + 0.001 + cold)
        let claimed = LaneMachine.Claimed(
            claim: claim, questions: Dictionary(uniqueKeysWithValues: jobs.map { ($0.id, 0) }), hint: order.hint,
            clock: order.clock, askedAt: Self.origin + .seconds(now), answered: answered, complete: answered)
        push(.claimed(claimed), to: worker, after: lockedUntil + 0.001 + cold - now)
    }
}

struct ManyWorkersTests {
    @Test(arguments: [10, 200, 2_000])
    func `however many workers there are, few claims a second use the whole limit`(_ number: Int) throws {
        var lane = try ManyWorkers(number)
        // The first claim of a worker is for one job, so after it the worker waits for less.
        _ = lane.run(until: 60)
        let (claims, calls, voided, _) = lane.run(until: 120)
        #expect(calls >= 2_940, "\(calls) of 3,000 calls")
        #expect(voided <= 30, "\(voided) slots were void")
        #expect(claims <= 60 * 40, "\(claims) claims in a minute")
    }

    /// A new process has no plans and no cache, so its first claim takes longer than expected.
    @Test(arguments: [10, 40, 200])
    func `workers that start together use 95 % from the third second on, and miss few slots`(_ number: Int) throws {
        var lane = try ManyWorkers(number, together: true, coldSeconds: 0.25)
        let early = lane.run(until: 2)
        let late = lane.run(until: 12)
        #expect(late.calls >= 475, "\(late.calls) of 500 calls")
        #expect(early.voided + late.voided <= 16, "\(early.voided) and \(late.voided) slots were void")
    }

    @Test func `200 workers need a claim and a write for several calls of a fast lane`() throws {
        var lane = try ManyWorkers(200, at: 500)
        _ = lane.run(until: 60)
        let (claims, calls, voided, writes) = lane.run(until: 90)
        #expect(calls >= 14_250, "\(calls) of 15,000 calls")
        #expect(voided <= 150, "\(voided) slots were void")
        #expect(claims + writes <= calls / 2, "\(claims) claims and \(writes) writes")
    }

    @Test func `without a share in the claims, 200 workers make hundreds of claims a second`() throws {
        var lane = try ManyWorkers(200, sharesClaims: false)
        _ = lane.run(until: 60)
        let claims = lane.run(until: 120).claims
        #expect(claims > 60 * 200, "\(claims) claims in a minute")
    }

    @Test func `the workers that are left use the whole limit at once when others die`() throws {
        var lane = try ManyWorkers(200)
        _ = lane.run(until: 20)
        lane.dead = Set(0..<150)
        // The dead workers held slots of the next two seconds.
        _ = lane.run(until: 22)
        let early = lane.run(until: 32)
        #expect(early.calls >= 475, "\(early.calls) of 500 calls")
        lane.registered = 50
        let late = lane.run(until: 62)
        #expect(late.calls >= 1_470, "\(late.calls) of 1,500 calls")
    }
}
