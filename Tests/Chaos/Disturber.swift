import Glibc
import Operations

/// Somebody who kills, ends and stops a process again and again.
struct Disturber {
    let name: String
    let chronicle: Chronicle
    /// From then on everybody is left alone.
    let isOver: Locked<Bool>
    var random: SeededGenerator

    /// Disturbs the process until it is dead or told to end, or the trial is over.
    mutating func disturb(_ child: ChildProcess) async {
        while !isQuiet {
            // A worker without its database does, after a while.
            if child.hasEnded { return chronicle.note(.gaveUp, name, since: wallTime()) }
            switch Int.random(in: 1...6, using: &random) {
            case 1:
                await pause(0.2...5)
                if isQuiet { break }
                chronicle.note(.killed, name, since: wallTime())
                return child.send(SIGKILL)
            case 2:
                await pause(0.2...5)
                if isQuiet { break }
                chronicle.note(.ended, name, since: wallTime())
                return child.send(SIGTERM)
            case 3:
                // For so long that it is taken for dead.
                await pause(0.5...3)
                await stop(child, for: 4.5...5.5)
            default:
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

    private var isQuiet: Bool { Task.isCancelled || isOver.withLock { $0 } }
}
