import Questions
import Testing

@testable import Cluster
@testable import HTTP
@testable import Queue

/// A machine, whose clock and database are moved by the test alone.
private struct Scene {
    static let origin = ContinuousClock.now
    var now = Self.origin
    var machine: LaneMachine
    var departures: [Job.ID: Departure] = [:]
    /// The database's clock when ours shows `origin`.
    var serverTime: Duration = .seconds(1_000)
    /// The length of the last preparation to sleep.
    var slept: Duration?

    init(capacity: Int = 4) {
        var clock = ServerClock(origin: Self.origin)
        clock.learn(sent: Self.origin, answered: Self.origin, shown: serverTime, epoch: 1)
        machine = LaneMachine(capacity: capacity, clock: clock, at: now)
        // A machine that has made no call takes one job at a time.
        machine.unprovenSince = nil
        machine.claimTime = .milliseconds(1)
        machine.look(at: now)
    }

    var shown: Duration { serverTime + Self.origin.duration(to: now) }

    /// The time until the machine wants to be woken.
    var alarm: Duration { machine.alarmAt.map { now.duration(to: $0) } ?? .seconds(1_000_000) }

    mutating func handle(_ events: LaneMachine.Event..., after pause: Duration = .zero) -> [String] {
        now += pause
        return machine.handle(events, at: now).compactMap { action in
            switch action {
            case .claim(let order):
                return "claim \(order.most)" + (order.hint.map { " from \($0.place)" } ?? "")
                    + (order.jobsInHand.map { " but \($0.sorted())" } ?? "")
            case .call(let call, _):
                departures[call.job.id] = call.departure
                return "call \(call.job.id)"
            case .cancel(let departure):
                return "cancel \(departures.first { $1 === departure }?.key ?? 0)"
            case .write(let entries):
                return "write "
                    + entries.map { "\($0.report.job.id) \($0.report.outcome.name)" }.joined(separator: ", ")
            case .prepareToSleep(let length):
                slept = length
                return "prepare to sleep"
            case .endPreparation: return "end preparation"
            case .wakeOthers: return "wake others"
            case .rejoin: return "rejoin"
            case .warn(let message, _): return "warn: \(message)"
            case .ring: return nil
            }
        }
    }

    /// The reply to a claim. Each of `jobs` has a slot that opens then; nil for none.
    func claimed(
        _ jobs: [Job.ID: Duration?] = [:], _ obstacle: Obstacle? = nil, lease: Int = 1, lookIn: Duration? = nil,
        hint: String? = nil, since: LaneMachine.Hint? = nil, unasked: Job.ID? = nil, crowd: Double = 1
    ) -> LaneMachine.Event {
        let jobs = jobs.sorted { $0.key < $1.key }.map { id, opens in
            Job(
                id: id, lease: lease, failures: 0, subjects: [id],
                slot: opens.map { Slot(opens: shown + $0, closes: shown + $0 + .seconds(1)) }, dueAt: .zero, trace: nil)
        }
        let claim = Claim(
            jobs: jobs, toldAt: shown, callLimit: .seconds(60), obstacle: obstacle, lookIn: lookIn, hint: hint,
            crowd: crowd)
        let asked = jobs.filter { $0.id != unasked }
        return .claimed(
            LaneMachine.Claimed(
                claim: claim, questions: Dictionary(uniqueKeysWithValues: asked.map { ($0.id, 0) }), hint: since,
                clock: machine.clock, askedAt: now, answered: now, complete: now))
    }

    func returned(_ job: Job.ID, _ outcome: JobOutcome = .done()) throws -> LaneMachine.Event {
        .returned(job, Reply(outcome), try #require(departures[job]), at: now)
    }
}

/// Events and actions of a lane, without tasks and without a database.
struct LaneMachineTests {
    private var scene = Scene()

    // MARK: Claiming

    @Test mutating func `a worker that starts looks after a second, and first takes one job`() {
        scene.machine = LaneMachine(capacity: 4, clock: scene.machine.clock, at: scene.now)
        #expect(scene.handle(.alarm).isEmpty)
        #expect(scene.alarm == .seconds(1))
        #expect(scene.handle(.alarm, after: .seconds(1)) == ["claim 1"])
        #expect(scene.handle(scene.claimed([1: nil])) == ["call 1", "claim 3"])
    }

    @Test mutating func `a new worker takes one job at a time until a call has left in its slot`() throws {
        scene.machine.unprovenSince = scene.now
        #expect(scene.handle(.alarm) == ["claim 1"])
        // The slot has begun when the reply comes.
        #expect(scene.handle(scene.claimed([1: .zero])) == ["call 1"])
        #expect(scene.handle(.look).isEmpty)
        #expect(scene.alarm == .milliseconds(20))
        #expect(scene.handle(.alarm, after: .milliseconds(20)).isEmpty)
        let departure = try #require(scene.departures[1])
        #expect(departure.mayLeave(at: scene.now))
        departure.left(at: scene.now)
        #expect(scene.handle(.alarm, after: .milliseconds(20)) == ["claim 3"])
    }

    @Test mutating func `a new worker whose first reply comes before its slot fills its hand`() {
        scene.machine.unprovenSince = scene.now
        #expect(scene.handle(.alarm) == ["claim 1"])
        #expect(scene.handle(scene.claimed([1: .milliseconds(50)])) == ["claim 3"])
    }

    @Test
    mutating func `a worker that missed its slots three times takes one job at a time until a call leaves in its slot`()
        throws
    {
        for lease in 1...4 {
            #expect(scene.handle(.look) == [lease <= 3 ? "claim 4" : "claim 1"])
            _ = scene.handle(scene.claimed([lease: .zero], .tokens, lease: lease, lookIn: .seconds(100)))
            _ = scene.handle(try scene.returned(lease, lease <= 3 ? .void : .done()))
            _ = scene.handle(.written([lease]))
        }
        #expect(scene.handle(.look) == ["claim 4"])
    }

    @Test mutating func `a slow claim is forgotten after quicker ones`() {
        scene.machine.claimTime = .seconds(1)
        for number in 1...20 {
            _ = scene.handle(.look)
            _ = scene.handle(scene.claimed([number: nil], .tokens, lookIn: .seconds(100)))
            _ = scene.handle(.returned(number, Reply(.done()), scene.departures[number] ?? Departure(), at: scene.now))
            _ = scene.handle(.written([number]))
        }
        #expect(scene.machine.claimTime.map { $0 < .milliseconds(20) } == true)
    }

    @Test mutating func `a full hand claims again when a result is stored`() throws {
        #expect(scene.handle(.alarm) == ["claim 4"])
        #expect(
            scene.handle(scene.claimed([1: nil, 2: nil, 3: nil, 4: nil])).sorted() == [
                "call 1", "call 2", "call 3", "call 4",
            ])
        #expect(scene.handle(.look).isEmpty)
        #expect(scene.handle(try scene.returned(3)) == ["write 3 done"])
        #expect(scene.handle(.written([3])) == ["claim 1"])
    }

    @Test mutating func `results that come during a write are the next write`() throws {
        _ = scene.handle(.alarm)
        _ = scene.handle(scene.claimed([1: nil, 2: nil, 3: nil], .blocked))
        #expect(scene.handle(try scene.returned(1)) == ["write 1 done"])
        #expect(scene.handle(try scene.returned(2)).isEmpty)
        #expect(scene.handle(try scene.returned(3)).isEmpty)
        #expect(scene.handle(.written([1])) == ["write 2 done, 3 done"])
    }

    @Test(arguments: [(1, false), (20, true)])
    mutating func `a claim waits for a write that soon makes room, unless the database is far`(
        milliseconds: Int, claims: Bool
    ) throws {
        _ = scene.handle(.alarm)
        _ = scene.handle(scene.claimed([1: nil, 2: nil, 3: nil, 4: nil], .blocked))
        scene.machine.claimTime = .milliseconds(milliseconds)
        #expect(scene.handle(try scene.returned(1), .look) == ["write 1 done"] + (claims ? ["claim 1"] : []))
        #expect(scene.handle(.written([1])) == (claims ? [] : ["claim 1"]))
    }

    @Test mutating func `a full hand of jobs is claimed while as many results are written, and no more`() throws {
        _ = scene.handle(.alarm)
        _ = scene.handle(scene.claimed([1: nil, 2: nil, 3: nil, 4: nil]))
        #expect(scene.handle(try scene.returned(1), try scene.returned(2)) == ["write 1 done, 2 done", "claim 2"])
        _ = scene.handle(scene.claimed([5: nil, 6: nil]))
        #expect(
            scene.handle(
                try scene.returned(3), try scene.returned(4), try scene.returned(5), try scene.returned(6)) == [
                    "claim 2"
                ])
        _ = scene.handle(scene.claimed([7: nil, 8: nil]))
        #expect(scene.handle(try scene.returned(7), try scene.returned(8)).isEmpty)
        #expect(scene.handle(.written([1, 2])) == ["write 3 done, 4 done, 5 done, 6 done, 7 done, 8 done", "claim 2"])
    }

    @Test mutating func `a job without questions is done without a call`() {
        _ = scene.handle(.alarm)
        #expect(scene.handle(scene.claimed([1: nil, 2: nil], .blocked, unasked: 1)) == ["call 2", "write 1 done"])
    }

    // MARK: Many workers

    @Test(arguments: [Obstacle.tokens, .empty, .scheduled, .blocked])
    mutating func `a worker of a crowd follows one share of the notifications`(_ obstacle: Obstacle) {
        let start = scene
        var claims = 0
        for _ in 1...2_000 {
            scene = start
            _ = scene.handle(.alarm)
            _ = scene.handle(scene.claimed([:], obstacle, lookIn: .seconds(50), crowd: 20))
            scene.machine.look(at: scene.now + .seconds(60))
            claims += scene.handle(.look).count { $0.hasPrefix("claim") }
        }
        // 100, with a standard deviation of 10.
        #expect((40...160).contains(claims))
    }

    @Test(arguments: [(Obstacle.tokens, 0.5), (.full, 0.25)])
    mutating func `the workers of a crowd together claim as often as a few, at independent times`(
        _ obstacle: Obstacle, seconds: Double
    ) {
        let start = scene
        var pauses: [Double] = []
        for _ in 1...2_000 {
            scene = start
            _ = scene.handle(.alarm)
            _ = scene.handle(scene.claimed([:], obstacle, lookIn: obstacle == .tokens ? .zero : nil, crowd: 25))
            guard let next = scene.machine.nextLook else { continue }
            pauses.append(scene.now.duration(to: next) / .seconds(1))
        }
        let mean = pauses.reduce(0, +) / Double(pauses.count)
        #expect(abs(mean / (25 * seconds) - 1) < 0.15)
        // Spread from the beginning on: a tenth comes in the first tenth.
        #expect(pauses.count { $0 < 5 * seconds } > 100)
    }

    @Test mutating func `a worker of a crowd waits for less if most of the others leave`() {
        _ = scene.handle(.alarm)
        _ = scene.handle(scene.claimed([:], .tokens, lookIn: .seconds(20), crowd: 25))
        let before = scene.alarm
        #expect(scene.handle(.lookedOut(hasJobs: true, crowd: 5)).isEmpty)
        #expect(scene.alarm < before / 4)
        #expect(scene.handle(.lookedOut(hasJobs: true, crowd: 25)).isEmpty)
        #expect(scene.machine.crowd == 5)
    }

    @Test mutating func `a worker of a crowd that was woken and has its hands full wakes others`() throws {
        func full(_ first: Job.ID, slots: Bool = false) -> LaneMachine.Event {
            let opens: Duration? = slots ? .seconds(500) : nil
            return scene.claimed(Dictionary(uniqueKeysWithValues: (first..<first + 4).map { ($0, opens) }))
        }
        for (crowd, slots, wakes) in [(25.0, false, true), (25, true, false), (1, false, false)] {
            scene = Scene()
            _ = scene.handle(.alarm)
            _ = scene.handle(scene.claimed([:], .empty, crowd: crowd))
            scene.machine.look(at: scene.now)
            _ = scene.handle(.alarm)
            #expect(scene.handle(full(1, slots: slots)).contains("wake others") == wakes)
        }
    }

    @Test mutating func `a worker of a crowd leaves a mark for as long as it sleeps`() throws {
        _ = scene.handle(.alarm)
        #expect(scene.handle(scene.claimed([:], .empty, crowd: 1_000)) == ["prepare to sleep"])
        let next = try #require(scene.machine.nextLook)
        #expect(try #require(scene.slept) >= scene.now.duration(to: next))
    }

    @Test mutating func `a result of a worker of a crowd waits a moment for the running calls, and a failure does not`()
        throws
    {
        for (first, crowd, writes) in [
            (JobOutcome.done(), 25.0, false), (.done(), 1, true), (.retry(reason: "no"), 25, true), (.void, 25, true),
        ] {
            scene = Scene()
            _ = scene.handle(.alarm)
            _ = scene.handle(scene.claimed([1: nil, 2: nil, 3: nil], .tokens, lookIn: .seconds(100), crowd: crowd))
            #expect(scene.handle(try scene.returned(1, first)).isEmpty != writes)
            if writes { continue }
            #expect(scene.alarm == .milliseconds(20))
            #expect(scene.handle(try scene.returned(2), after: .milliseconds(5)).isEmpty)
            #expect(scene.handle(.alarm, after: .milliseconds(15)) == ["write 1 done, 2 done"])
            // Nothing else runs.
            #expect(scene.handle(.written([1, 2]), try scene.returned(3)) == ["write 3 done"])
        }
    }

    @Test mutating func `a hint is used until it expires`() {
        let claimed = scene.claimed([1: nil], .blocked, hint: "here")
        _ = scene.handle(.alarm)
        _ = scene.handle(claimed)
        #expect(scene.handle(.look, after: .milliseconds(999)) == ["claim 3 from here"])
        #expect(scene.handle(scene.claimed([:], .empty, since: scene.machine.hint)) == ["claim 3"])
        _ = scene.handle(claimed)
        #expect(scene.handle(.look, after: .milliseconds(1)) == ["claim 3"])
    }

    @Test mutating func `a claim from a hint makes it last no longer, so that returned jobs are found`() {
        _ = scene.handle(.alarm)
        _ = scene.handle(scene.claimed([1: nil], .blocked, hint: "here"))
        #expect(scene.handle(.look, after: .milliseconds(500)) == ["claim 3 from here"])
        _ = scene.handle(scene.claimed([2: nil], .blocked, hint: "there", since: scene.machine.hint))
        #expect(scene.handle(.look, after: .milliseconds(499)) == ["claim 2 from there"])
        _ = scene.handle(scene.claimed([:], .blocked, hint: "there", since: scene.machine.hint))
        #expect(scene.handle(.look, after: .milliseconds(1)) == ["claim 2"])
    }

    @Test mutating func `after a failed claim the jobs in hand are compared, and again after 15 seconds`() {
        _ = scene.handle(.alarm)
        _ = scene.handle(scene.claimed([7: .seconds(30)]))
        #expect(scene.handle(.claimed(nil)).isEmpty)
        #expect(scene.alarm >= .milliseconds(750) && scene.alarm <= .milliseconds(1_250))
        #expect(scene.handle(.alarm, after: .seconds(2)) == ["claim 3 but [7]"])
        _ = scene.handle(scene.claimed([:], .blocked))
        #expect(scene.handle(.look, after: .seconds(2)) == ["claim 3"])
        _ = scene.handle(scene.claimed([:], .blocked))
        #expect(scene.handle(.look, after: .seconds(11)) == ["claim 3 but [7]"])
        _ = scene.handle(scene.claimed([:], .blocked))
        #expect(scene.handle(.look, after: .seconds(11)) == ["claim 3"])
    }

    // MARK: Waiting for the next look

    @Test(arguments: [Obstacle.empty, .scheduled, .blocked, .paused, .quiet])
    mutating func `a lane that gives no jobs is not claimed from until a message or the lookout finds some`(
        _ obstacle: Obstacle
    ) {
        let found = LaneMachine.Event.lookedOut(hasJobs: true, crowd: 1)
        for event in [LaneMachine.Event.recall, .look, found] {
            scene = Scene()
            #expect(scene.handle(found) == ["claim 4"])
            _ = scene.handle(scene.claimed([:], obstacle))
            _ = scene.handle(.preparedToSleep(.sleep))
            #expect(scene.machine.isWaiting)
            #expect(scene.alarm >= .seconds(250))
            #expect(scene.handle(.lookedOut(hasJobs: false, crowd: 1), after: .seconds(100)).isEmpty)
            #expect(scene.handle(event) == ["claim 4"])
        }
    }

    @Test mutating func `a worker that starts in a crowd waits until the lookout finds jobs`() {
        let crowd = 1e9
        scene.machine = LaneMachine(capacity: 4, clock: scene.machine.clock, crowd: crowd, at: scene.now)
        #expect(scene.handle(.recall).isEmpty)
        #expect(scene.handle(.alarm, after: .seconds(100)).isEmpty)
        #expect(scene.handle(.lookedOut(hasJobs: false, crowd: crowd)).isEmpty)
        #expect(scene.handle(.lookedOut(hasJobs: true, crowd: crowd)) == ["claim 1"])
    }

    @Test mutating func `the lookout changes nothing for a worker that waits for a slot`() {
        _ = scene.handle(.alarm)
        _ = scene.handle(scene.claimed([:], .tokens, lookIn: .seconds(3)))
        #expect(scene.handle(.lookedOut(hasJobs: true, crowd: 1)).isEmpty)
        #expect(scene.alarm == .seconds(3))
    }

    @Test mutating func `a worker that can't be sure of a notification looks again after the poll`() {
        _ = scene.handle(.alarm)
        _ = scene.handle(scene.claimed([:], .empty))
        #expect(scene.handle(.preparedToSleep(nil)).isEmpty)
        #expect(scene.alarm == .seconds(1))
    }

    @Test mutating func `a claim that finds nothing is followed by sleep until the time that it returned`() {
        _ = scene.handle(.alarm)
        #expect(scene.handle(scene.claimed([:], .scheduled, lookIn: .milliseconds(300))) == ["prepare to sleep"])
        #expect(scene.handle(.preparedToSleep(.sleep)).isEmpty)
        #expect(scene.alarm == .milliseconds(300))
        #expect(scene.handle(.alarm, after: .milliseconds(300)) == ["claim 4"])
    }

    @Test mutating func `a lane whose limits permit no more is looked at after the time since the claim was sent`() {
        _ = scene.handle(.alarm)
        let claimed = scene.claimed([1: .seconds(1)], .tokens, lookIn: .seconds(3))
        #expect(scene.handle(claimed, after: .milliseconds(100)).isEmpty)
        #expect(scene.machine.nextLook == scene.now + .milliseconds(2_900))
    }

    @Test mutating func `a lane with enough calls at once is claimed from when a result is stored`() throws {
        for (obstacle, actions) in [(Obstacle.full, ["claim 4"]), (.blocked, [])] {
            scene = Scene()
            _ = scene.handle(.alarm)
            _ = scene.handle(scene.claimed([1: nil], obstacle))
            _ = scene.handle(try scene.returned(1))
            #expect(scene.handle(.written([1])) == actions)
        }
    }

    @Test mutating func `a wake-up during a claim leads to another look`() {
        _ = scene.handle(.alarm)
        #expect(scene.handle(.look).isEmpty)
        #expect(scene.handle(scene.claimed([:], .empty)) == ["prepare to sleep"])
        #expect(scene.handle(.preparedToSleep(.look)) == ["claim 4"])
    }

    @Test mutating func `the pause grows while there are jobs that can't be claimed`() {
        var pauses: [Duration] = []
        _ = scene.handle(.alarm)
        for _ in 0..<5 {
            _ = scene.handle(scene.claimed([:], .empty))
            let actions = scene.handle(.preparedToSleep(.look))
            pauses.append(actions.isEmpty ? scene.alarm : .zero)
            if actions.isEmpty { _ = scene.handle(.alarm, after: scene.alarm) }
        }
        #expect(pauses == [0, 2, 4, 8, 16].map { .milliseconds($0) })
    }

    @Test mutating func `a worker that found several jobs looks again soon, and sleeps when it finds none`() {
        scene.machine = Scene(capacity: 100).machine
        let sleep = ["prepare to sleep"]
        // After several jobs, one is enough to stay awake. After none, it is not.
        for (number, jobs, isAwake) in [(1, 3, true), (2, 1, true), (3, 0, false), (4, 1, false)] {
            _ = scene.handle(.look)
            let found = (0..<jobs).map { (number * 10 + $0, Duration?.some(.seconds(500))) }
            let actions = scene.handle(scene.claimed(Dictionary(uniqueKeysWithValues: found), .empty))
            #expect(actions == (isAwake ? [] : sleep))
            #expect(
                isAwake ? scene.alarm == .milliseconds(2) : scene.machine.nextLook! > scene.now + .milliseconds(700))
            _ = scene.handle(.preparedToSleep(.sleep))
        }
    }

    @Test mutating func `an alarm is only replaced by an earlier one`() {
        _ = scene.handle(.alarm)
        let rings = scene.machine.handle(
            [scene.claimed([1: .seconds(9)], .blocked, lookIn: .seconds(1))], at: scene.now)
        #expect(rings.count == 1)
        #expect(scene.machine.handle([.alarm], at: scene.now + .milliseconds(1)).isEmpty)
        scene.machine.look(at: scene.now + .milliseconds(10))
        #expect(scene.machine.handle([.alarm], at: scene.now + .milliseconds(1)).count == 1)
    }

    // MARK: Recalls, and the clock

    @Test(arguments: [true, false])
    mutating func `jobs of a claim that a halt overtook are handed back`(isRecalled: Bool) {
        _ = scene.handle(.alarm)
        if isRecalled { #expect(scene.handle(.recall).isEmpty) }
        let actions = scene.handle(scene.claimed([1: nil], .blocked))
        #expect(actions == (isRecalled ? ["write 1 released", "claim 3"] : ["call 1"]))
        // Only that claim was recalled.
        guard isRecalled else { return }
        #expect(scene.handle(.written([1]), scene.claimed([2: nil], .blocked, lease: 2)) == ["call 2"])
    }

    @Test mutating func `a halt recalls the calls that were not sent`() throws {
        _ = scene.handle(.alarm)
        _ = scene.handle(scene.claimed([1: nil, 2: nil, 3: .seconds(5)], .blocked))
        #expect(scene.departures[2]?.leave() == true)
        #expect(scene.handle(.recall) == ["write 3 released"])
        #expect(scene.departures[1]?.isRecalled == true && scene.departures[2]?.isRecalled == false)
        // The places of the released jobs are free when the database has them back.
        #expect(scene.handle(try scene.returned(1, .void), try scene.returned(2)) == ["claim 2"])
        #expect(scene.handle(.written([3])) == ["write 1 released, 2 done"])
    }

    @Test mutating func `jobs are handed back when their claim finds that the clock was set`() {
        _ = scene.handle(.alarm)
        scene.serverTime += .seconds(3_600)
        #expect(scene.handle(scene.claimed([1: .seconds(1)], .blocked)) == ["write 1 released", "claim 3"])
    }

    @Test mutating func `a claim that finds another clock is repeated at once`() {
        _ = scene.handle(.alarm)
        #expect(scene.handle(scene.claimed([:], .clock)) == ["claim 4"])
    }

    @Test mutating func `a worker that was removed as dead registers again`() {
        _ = scene.handle(.alarm)
        #expect(scene.handle(scene.claimed([:], .struckOff)) == ["rejoin"])
        #expect(scene.handle(.look) == ["claim 4"])
    }

    @Test mutating func `a worker too far from the database logs this once a minute`() {
        let start = scene.now
        let warnings = [0, 1, 30, 59.9, 60, 61, 119.9, 120.5].filter { seconds in
            scene.now = start + .seconds(seconds)
            return scene.handle(scene.claimed([:], .tooFar)).contains { $0.hasPrefix("warn: too far") }
        }
        #expect(warnings == [0, 60, 120.5])
    }

    // MARK: Calls

    @Test mutating func `calls begin when their slots open, earlier by the lead of the sender`() {
        _ = scene.handle(.alarm)
        scene.machine.lead = .milliseconds(20)
        let claimed = scene.claimed([1: .seconds(2), 2: .seconds(3)], .blocked, lookIn: .seconds(9))
        #expect(scene.handle(claimed).isEmpty)
        scene.machine.look(at: scene.now + .seconds(9))
        #expect(scene.handle(.alarm, after: .milliseconds(1_979)).isEmpty)
        #expect(scene.handle(.alarm, after: .milliseconds(2)) == ["call 1"])
        #expect(abs(scene.alarm / .seconds(1) - 0.999) < 0.01)
    }

    @Test mutating func `a call that left after its slot has slipped, however inexactly the clock is known`() throws {
        _ = scene.handle(.alarm)
        _ = scene.handle(scene.claimed([1: .seconds(50)], .blocked, lookIn: .seconds(99)))
        #expect(scene.handle(.alarm, after: .seconds(50)) == ["call 1"])
        let departure = try #require(scene.departures[1])
        let closes = try #require(departure.closes)
        #expect(departure.mayLeave(at: closes))
        departure.left(at: closes + .milliseconds(20))
        scene.now += .seconds(2)
        let reports = scene.machine.handle([try scene.returned(1)], at: scene.now).flatMap { action -> [JobReport] in
            if case .write(let entries) = action { entries.map(\.report) } else { [] }
        }
        #expect(reports.map(\.hasSlipped) == [true])
    }

    @Test mutating func `an overdue call is cancelled, and its late reply does not end a later call of the job`() throws
    {
        _ = scene.handle(.alarm)
        _ = scene.handle(scene.claimed([1: nil], .blocked, lookIn: .seconds(61)))
        let late = try scene.returned(1)
        #expect(scene.handle(.alarm, after: .seconds(61)) == ["cancel 1", "write 1 retry", "claim 3"])
        _ = scene.handle(.written([1]))
        #expect(scene.handle(scene.claimed([1: nil], .blocked, lease: 2)) == ["call 1"])
        #expect(scene.handle(late).isEmpty)
        #expect(scene.handle(try scene.returned(1)) == ["write 1 done"])
    }

    @Test mutating func `a worker that misses slots looks again after a growing pause, and warns at twenty`() throws {
        _ = scene.handle(.alarm)
        for lease in 1...20 {
            _ = scene.handle(scene.claimed([1: .zero, 2: .zero], .tokens, lease: lease, lookIn: .seconds(5)))
            // The slots of one claim count once.
            let actions = scene.handle(try scene.returned(1, .void), try scene.returned(2, .void))
            #expect(actions.contains { $0.hasPrefix("warn: slots pass unused") } == (lease == 20))
            #expect(scene.machine.nextLook == scene.now + .milliseconds(5 * lease))
            _ = scene.handle(.written([1, 2]))
            #expect(scene.handle(.alarm, after: .milliseconds(5 * lease)) == [lease < 3 ? "claim 4" : "claim 1"])
        }
    }

    // MARK: The end

    @Test mutating func `a worker that stops during a claim hands its jobs back`() {
        _ = scene.handle(.alarm)
        #expect(scene.handle(.stop).isEmpty)
        #expect(!scene.machine.isDone)
        #expect(scene.handle(scene.claimed([1: nil, 2: .seconds(10)])) == ["write 2 released, 1 released"])
        #expect(!scene.machine.isDone)
        #expect(scene.handle(.written([1, 2])).isEmpty)
        #expect(scene.machine.isDone)
    }

    @Test mutating func `a removed lane makes the calls whose slots come soon, and waits for its calls`() throws {
        _ = scene.handle(.alarm)
        #expect(scene.handle(scene.claimed([1: .zero, 2: .seconds(3), 3: .seconds(10)], .blocked)) == ["call 1"])
        #expect(scene.handle(.stop) == ["write 3 released"])
        #expect(scene.handle(.written([3]), try scene.returned(1)) == ["write 1 done"])
        #expect(scene.handle(.look, .written([1]), after: .seconds(1)).isEmpty)
        #expect(scene.handle(.alarm, after: .seconds(2)) == ["call 2"])
        #expect(!scene.machine.isDone)
        #expect(scene.handle(try scene.returned(2)) == ["write 2 done"])
        #expect(scene.handle(.written([2])).isEmpty && scene.machine.isDone)
    }

    @Test mutating func `a worker that stops before its first look claims nothing`() {
        #expect(scene.handle(.stop, .alarm, .look).isEmpty)
        #expect(scene.machine.isDone)
    }

    @Test mutating func `a worker that stops no longer prepares to sleep`() {
        _ = scene.handle(.alarm)
        #expect(scene.handle(scene.claimed([:], .empty)) == ["prepare to sleep"])
        #expect(scene.handle(.stop) == ["end preparation"])
    }

    @Test mutating func `an abandoned lane ignores a claim that comes late`() {
        _ = scene.handle(.alarm)
        #expect(scene.handle(.abandon, scene.claimed([1: nil])).isEmpty)
        #expect(scene.machine.isDone)
        #expect(scene.handle(scene.claimed([1: nil]), .look).isEmpty)
        #expect(scene.machine.hand.isEmpty)
    }
}
