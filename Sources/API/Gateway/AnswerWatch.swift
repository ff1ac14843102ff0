import Geocoding
import Postgres
import Processes

/// Waits for answers. One statement now and then looks for those of all requests that wait.
final class AnswerWatch<Answer: Sendable>: Sendable {
    private struct State {
        var waiters: [AddressHash: [Race<Answer?>]] = [:]
        /// How many requests are interested in a question, from before they ask it.
        var interest: [AddressHash: Int] = [:]
        var isRunning = false
    }

    private static var tick: Duration { .milliseconds(25) }

    private let state = Locked(State())
    private let answers: @Sendable ([AddressHash]) async throws -> [AddressHash: Answer]

    /// `answers` returns those that are there.
    init(_ answers: @escaping @Sendable ([AddressHash]) async throws -> [AddressHash: Answer]) {
        self.answers = answers
    }

    /// The answer once it is there; nil after `limit`.
    func answer(to hash: AddressHash, within limit: Duration) async throws -> Answer? {
        let race = Race<Answer?>()
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

    private func forget(_ race: Race<Answer?>, _ hash: AddressHash, _ alarm: Task<Void, any Error>) {
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
            guard let found = try? await answers(hashes) else { continue }
            for (hash, known) in found {
                for race in state.withLock({ $0.waiters[hash] ?? [] }) { race.finish(.success(known)) }
            }
        }
    }
}
