import Geocoding
import Postgres
import Processes
import Questions

/// Waits for answers. One statement now and then looks for those of all requests that wait.
final class AnswerWatch: Sendable {
    private struct State {
        var waiters: [AddressHash: [Race<QuestionState?>]] = [:]
        /// How many requests are interested in a question, from before they ask it.
        var interest: [AddressHash: Int] = [:]
        var isRunning = false
    }

    private static let tick: Duration = .milliseconds(25)

    private let state = Locked(State())
    private let states: @Sendable ([AddressHash]) async throws -> [AddressHash: QuestionState]

    init(_ states: @escaping @Sendable ([AddressHash]) async throws -> [AddressHash: QuestionState]) {
        self.states = states
    }

    /// The state of a question once it no longer waits; nil after `limit`.
    func answer(to hash: AddressHash, within limit: Duration) async throws -> QuestionState? {
        let race = Race<QuestionState?>()
        let starts = state.withLock { state in
            state.waiters[hash, default: []].append(race)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { Task { await run() } }
        let alarm = Task {
            try await Task.sleep(for: limit)
            race.finish(.success(nil))
        }
        defer { forget(race, hash, alarm) }
        return try await withTaskCancellationHandler {
            try await race.value()
        } onCancel: {
            race.finish(.failure(CancellationError()))
        }
    }

    func begin(_ hash: AddressHash) { state.withLock { $0.interest[hash, default: 0] += 1 } }

    /// Returns true if no other request is interested in the question.
    func end(_ hash: AddressHash) -> Bool {
        state.withLock { state in
            let left = state.interest[hash, default: 1] - 1
            state.interest[hash] = left > 0 ? left : nil
            return left <= 0
        }
    }

    private func forget(_ race: Race<QuestionState?>, _ hash: AddressHash, _ alarm: Task<Void, any Error>) {
        alarm.cancel()
        state.withLock { state in
            state.waiters[hash]?.removeAll { $0 === race }
            if state.waiters[hash]?.isEmpty == true { state.waiters[hash] = nil }
        }
    }

    private func run() async {
        while true {
            try? await Task.sleep(for: Self.tick)
            let hashes = state.withLock { state -> [AddressHash]? in
                guard !state.waiters.isEmpty else {
                    state.isRunning = false
                    return nil
                }
                return Array(state.waiters.keys)
            }
            guard let hashes else { return }
            // While the database does not answer, the requests wait until their time is over.
            guard let found = try? await states(hashes) else { continue }
            for (hash, known) in found where known.status != .waiting {
                for race in state.withLock({ $0.waiters[hash] ?? [] }) { race.finish(.success(known)) }
            }
        }
    }
}
