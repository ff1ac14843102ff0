import Postgres
import Queue

/// A worker that finds the lane empty needs a notification of new jobs, also of those that are being committed just
/// now.
extension LaneLoop {
    func prepareToSleep(_ state: inout State) {
        guard state.isHungry, state.preparation == nil, !state.isClaiming, !state.isStopping else { return }
        state.isHungry = false
        state.preparation = Task { [inbox] in inbox.send(.preparedToSleep(isReady: await isReady())) }
    }

    func sleepOrLook(_ isReady: Bool, _ state: inout State) {
        state.preparation = nil
        guard isReady else { return }
        // Look at once. But jobs that another program's transaction has locked can be seen and not claimed, for as long
        // as it lasts, so the pause grows.
        let pause = min(worker.poll, .milliseconds(state.looksInVain == 0 ? 0 : 1 << min(state.looksInVain, 10)))
        state.looksInVain += 1
        state.lookAt = min(state.lookAt, .now + pause)
    }

    /// Returns true if there are jobs. If there are none, each enqueue from now on notifies us.
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
                // The next look comes by itself, and logs it if the database is away.
                return false
            }
        }
    }
}
