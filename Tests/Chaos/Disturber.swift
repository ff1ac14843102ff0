import Glibc
import Operations

/// The ways to disturb a process.
enum Disturbance: String, CaseIterable {
    case kill, end, stop, stutter
}

/// Somebody who kills, ends and stops a process again and again.
struct Disturber {
    let name: String
    let chronicle: Chronicle
    /// From then on everybody is left alone.
    let isOver: Locked<Bool>
    /// While this is set no process of the cluster may run.
    let isDark: Locked<Bool>
    /// The ways to disturb this process.
    let kinds: [Disturbance]
    var random: SeededGenerator

    /// Disturbs the process until it is dead or told to end, or the trial is over.
    mutating func disturb(_ child: ChildProcess) async {
        while !isOverForUs {
            // A worker without its database does, after a while.
            if child.hasEnded { return chronicle.note(.gaveUp, name, since: wallTime()) }
            if isDark.withLock({ $0 }) {
                chronicle.note(.killed, name, since: wallTime())
                return child.send(SIGKILL)
            }
            switch kinds.randomElement(using: &random) {
            case .kill:
                await pause(0.2...5)
                if isQuiet { break }
                chronicle.note(.killed, name, since: wallTime())
                return child.send(SIGKILL)
            case .end:
                await pause(0.2...5)
                if isQuiet { break }
                chronicle.note(.ended, name, since: wallTime())
                return child.send(SIGTERM)
            case .stop:
                // For so long that it is taken for dead.
                await pause(0.5...3)
                await stop(child, for: 4.5...5.5)
            case nil: await pause(0.1...1)
            case .stutter:
                // Many short ones: some hit the few microseconds between a look at the clock and what follows.
                for _ in 1...Int.random(in: 5...40, using: &random) where !isQuiet && !child.hasEnded {
                    await pause(0.005...0.1)
                    await stop(child, for: 0.005...0.05)
                }
            }
        }
    }

    private mutating func stop(_ child: ChildProcess, for seconds: ClosedRange<Double>) async {
        let began = wallTime()
        child.send(SIGSTOP)
        await pause(seconds)
        child.send(SIGCONT)
        chronicle.note(.stopped, name, since: began)
    }

    private mutating func pause(_ seconds: ClosedRange<Double>) async {
        let end = ContinuousClock.now + .seconds(Double.random(in: seconds, using: &random))
        while !isQuiet, .now < end {
            try? await Task.sleep(for: min(.milliseconds(100), ContinuousClock.now.duration(to: end)))
        }
    }

    private var isQuiet: Bool { isOverForUs || isDark.withLock { $0 } }
    private var isOverForUs: Bool { Task.isCancelled || isOver.withLock { $0 } }
}
