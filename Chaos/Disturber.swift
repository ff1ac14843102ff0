import Glibc
import Processes

/// The faults of a process.
enum Disturbance: String, CaseIterable {
    case kill, end, stop, stutter
    /// It starts with another time since the boot, as in a time namespace of its own.
    case namespace
}

/// Kills, ends and stops a process repeatedly.
struct Disturber {
    let name: String
    let chronicle: Chronicle
    /// When set, all faults end.
    let isOver: Locked<Bool>
    /// While this is set, no process of the cluster may run.
    let isDark: Locked<Bool>
    /// The kinds of faults for this process.
    let kinds: [Disturbance]
    var random: SeededGenerator

    /// Returns the command that starts the program in a time namespace, or as it is.
    mutating func command(_ program: String, _ arguments: [String]) -> (String, [String]) {
        guard kinds.contains(.namespace), Bool.random(using: &random) else { return (program, arguments) }
        let boot = Int.random(in: 1...1_000_000, using: &random)
        return ("unshare", ["--time", "--boottime", "\(boot)", "--monotonic", "\(boot)", program] + arguments)
    }

    /// Disturbs the process until it is dead, is told to end, or the trial is over.
    mutating func disturb(_ child: ChildProcess) async {
        while !isOverForUs {
            // A worker ends by itself some time after it lost its database.
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
                // Stops the process so long that it is declared dead.
                await pause(0.5...3)
                await stop(child, for: 4.5...5.5)
            case nil, .namespace: await pause(0.1...1)
            case .stutter:
                // Many short stops. Some of them fall into the microseconds between a look at the clock and the next
                // step.
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
