import Dispatch
import Processes

/// Makes a given number of participants wait for each other.
///
/// A transaction's body is synchronous and waits on its own thread. A task must not wait like this, because it would
/// block one of the few threads on which all tasks run. With all of them blocked, no participant could arrive.
package final class Rendezvous: Sendable {
    private struct State {
        var missing: Int
        var waiting: [@Sendable () -> Void] = []
    }

    private let state: Locked<State>

    package init(of count: Int) {
        state = Locked(State(missing: count))
    }

    /// For the bodies of transactions.
    package func arriveAndWait() {
        let all = DispatchSemaphore(value: 0)
        arrive { all.signal() }
        all.wait()
    }

    /// For tasks.
    package func arrive() async {
        await withCheckedContinuation { continuation in arrive { continuation.resume() } }
    }

    private func arrive(_ go: @escaping @Sendable () -> Void) {
        let released = state.withLock { state -> [@Sendable () -> Void] in
            state.missing -= 1
            state.waiting.append(go)
            guard state.missing <= 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for go in released { go() }
    }
}
