import Postgres
import Queue

/// A worker that finds the lane empty must be notified of new jobs, and of those that are being committed just now.
extension LaneLoop {
    func prepareToSleep(_ state: inout State) {
        guard state.isHungry, state.preparation == nil, !state.isClaiming, !state.isStopping else { return }
        state.isHungry = false
        state.preparation = Task { [inbox] in inbox.send(.preparedToSleep(isReady: await isReady())) }
    }

    func sleepOrLook(_ isReady: Bool, _ state: inout State) {
        state.preparation = nil
        guard isReady else { return }
        // At once; but what a stranger's transaction has locked is there and can't be had, for as long as he likes.
        let pause = min(worker.poll, .milliseconds(state.looksInVain == 0 ? 0 : 1 << min(state.looksInVain, 10)))
        state.looksInVain += 1
        state.lookAt = min(state.lookAt, .now + pause)
    }

    /// Whether there are jobs; if there are none, each enqueue from now on notifies us.
    private func isReady() async -> Bool {
        var pause = Duration.milliseconds(1)
        while true {
            do {
                let next = try await worker.database.run { [worker, lane] in
                    try worker.queue.prepareToSleep(in: lane, for: worker.poll * 1.25, on: $0)
                }
                switch next {
                case .sleep: return false
                case .look: return true
                case .again: break
                case .busy:
                    try await Task.sleep(for: pause)
                    pause = min(pause * 2, .milliseconds(50))
                }
            } catch {
                // The next look comes by itself, and says so when the database is away.
                return false
            }
        }
    }
}
