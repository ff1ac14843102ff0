import HTTP
import Operations

/// Shares the connections among the accounts, so that one that asks much or slowly keeps no other waiting.
final class FairShare: Sendable {
    private struct State {
        var shares: Shares
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// Those of them who wait as long as it takes.
        var patient: Set<Int> = []
        var lastNumber = 0
    }

    private let state: Locked<State>
    let limits: Shares.Limits

    init(_ limits: Shares.Limits) {
        self.limits = limits
        state = Locked(State(shares: Shares(limits)))
    }

    /// Runs `body` when it is the account's turn, or refuses it; who is patient is not refused.
    func turn<Value: Sendable>(
        of account: Int, isPatient: Bool = false, _ body: () async throws -> Value
    ) async throws -> Value {
        try await enter(account, isPatient: isPatient)
        let began = ContinuousClock.now
        defer { leave(account, after: .now - began) }
        return try await body()
    }

    private func enter(_ account: Int, isPatient: Bool) async throws {
        let (number, admission) = state.withLock { state in
            state.lastNumber += 1
            return (state.lastNumber, state.shares.enter(state.lastNumber, account: account, isPatient: isPatient))
        }
        switch admission {
        case .runs: return
        case .refused(let pause): throw RequestError.tooMany(limits, after: pause)
        case .waits: break
        }
        // Turns may come to last longer than was expected.
        let alarm = Task { [limits] in
            guard !isPatient else { return }
            try await Task.sleep(for: limits.longestWait * 2)
            giveUp(number, account, because: RequestError.tooMany(limits, after: limits.longestWait))
        }
        defer { alarm.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Its turn may have come, or its cancellation, between there and here.
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    guard state.shares.isWaiting(number, account: account) else { return .success(()) }
                    if Task.isCancelled, state.shares.forget(number, account: account) {
                        return .failure(CancellationError())
                    }
                    state.waiters[number] = continuation
                    if isPatient { state.patient.insert(number) }
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            giveUp(number, account, because: CancellationError())
        }
    }

    private func leave(_ account: Int, after duration: Duration) {
        let (next, refused, pause) = state.withLock { state in
            let next = state.shares.leave(account: account, after: duration)
            // Who has no continuation yet is on the way here, and looks whether its turn has come.
            let (refused, pause) = state.shares.refuse(account: account) {
                state.patient.contains($0) || state.waiters[$0] == nil
            }
            if let next { state.patient.remove(next) }
            return (
                next.flatMap { state.waiters.removeValue(forKey: $0) },
                refused.compactMap { state.waiters.removeValue(forKey: $0) }, pause
            )
        }
        next?.resume()
        for waiter in refused { waiter.resume(throwing: RequestError.tooMany(limits, after: pause)) }
    }

    private func giveUp(_ number: Int, _ account: Int, because error: any Error) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard state.waiters[number] != nil, state.shares.forget(number, account: account) else { return nil }
            state.patient.remove(number)
            return state.waiters.removeValue(forKey: number)
        }
        waiter?.resume(throwing: error)
    }
}

extension RequestError {
    /// https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
    static func tooMany(_ limits: Shares.Limits, after pause: Duration) -> Self {
        let seconds = max(1, Int((pause / .seconds(1)).rounded(.up)))
        return RequestError(
            status: 429,
            detail:
                "The account has more requests under way than can be answered soon; send fewer at once, and this again later.",
            monicaCode: 34,
            headers: [
                "Retry-After": "\(seconds)",
                "RateLimit-Policy": "\"account\";q=\(limits.placesOfAccount);qu=\"concurrent-requests\"",
                "RateLimit": "\"account\";r=0;t=\(seconds)",
            ])
    }
}
