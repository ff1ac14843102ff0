package import Processes

/// Shares the connections among the accounts, so that many or slow requests of one account don't delay the others.
package final class FairShare: Sendable {
    private struct Waiter {
        let account: Int
        /// Nil for a request without a time limit.
        let until: ContinuousClock.Instant?
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var shares: Shares
        var waiters: [Int: Waiter] = [:]
        var lastNumber = 0
        /// True while a task checks for waiters whose time is over.
        var isWatched = false
    }

    private static let tick: Duration = .milliseconds(250)

    private let state: Locked<State>
    package let limits: Shares.Limits
    private let refusals: Counter?
    private let holdBack: @Sendable () async throws -> Void

    /// `refused` counts requests that are refused. `holdBack` returns when a refused request may be answered: many
    /// clients repeat it at once, and to refuse 64 of them again and again kept a core busy.
    package init(
        _ limits: Shares.Limits, refused: Counter? = nil,
        holdBack: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(200)) }
    ) {
        self.limits = limits
        refusals = refused
        self.holdBack = holdBack
        state = Locked(State(shares: Shares(limits)))
    }

    /// Runs `body` when it is the account's turn, or refuses it. A patient caller is not refused.
    package func turn<Value: Sendable>(
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
            return (
                state.lastNumber, state.shares.enter(state.lastNumber, account: account, isPatient: isPatient)
            )
        }
        switch admission {
        case .runs: return
        case .refused(let pause):
            try await holdBack()
            throw refusal(after: pause)
        case .waits: break
        }
        // Twice the limit, because turns may take longer than expected.
        let until = isPatient ? nil : ContinuousClock.now + limits.longestWait * 2
        try await withCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(number, Waiter(account: account, until: until, continuation: continuation))
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func wait(_ number: Int, _ waiter: Waiter) {
        let (outcome, isUnwatched) = state.withLock { state -> (Result<Void, any Error>?, Bool) in
            // Meanwhile its turn may have come, or its task may have been cancelled.
            guard state.shares.isWaiting(number, account: waiter.account) else { return (.success(()), false) }
            if Task.isCancelled, state.shares.forget(number, account: waiter.account) {
                return (.failure(CancellationError()), false)
            }
            state.waiters[number] = waiter
            defer { state.isWatched = true }
            return (nil, !state.isWatched)
        }
        if let outcome { waiter.continuation.resume(with: outcome) }
        if isUnwatched { Task { await refuseTheLate() } }
    }

    /// Checks for waiters whose time is over, until no waiter is left. A timer for each waiter would cost more than
    /// most turns.
    private func refuseTheLate() async {
        while true {
            try? await Task.sleep(for: Self.tick)
            let now = ContinuousClock.now
            let late = state.withLock { state -> [Waiter]? in
                guard !state.waiters.isEmpty else {
                    state.isWatched = false
                    return nil
                }
                let late = state.waiters.filter { $0.value.until.map { $0 <= now } ?? false }
                for (number, waiter) in late {
                    _ = state.shares.forget(number, account: waiter.account)
                    state.waiters[number] = nil
                }
                return Array(late.values)
            }
            guard let late else { return }
            for waiter in late {
                waiter.continuation.resume(throwing: refusal(after: limits.longestWait))
            }
        }
    }

    private func leave(_ account: Int, after duration: Duration) {
        let (next, refused, pause) = state.withLock { state in
            let next = state.shares.leave(account: account, after: duration)
            // A number without a waiter belongs to a request that is just about to wait and will check its turn itself.
            let (refused, pause) = state.shares.refuse(account: account) { state.waiters[$0]?.until == nil }
            return (
                next.flatMap { state.waiters.removeValue(forKey: $0) },
                refused.compactMap { state.waiters.removeValue(forKey: $0) }, pause
            )
        }
        next?.continuation.resume()
        for waiter in refused { waiter.continuation.resume(throwing: refusal(after: pause)) }
    }

    /// How many more requests the account could send now.
    package func placesLeft(of account: Int) -> Int {
        max(0, limits.placesOfAccount - state.withLock { $0.shares.running(of: account) })
    }

    private func refusal(after pause: Duration) -> AccountIsBusy {
        refusals?.add()
        return AccountIsBusy(limits: limits, pause: pause)
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state -> Waiter? in
            guard let waiter = state.waiters[number], state.shares.forget(number, account: waiter.account) else {
                return nil
            }
            return state.waiters.removeValue(forKey: number)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}

/// The account has more requests under way than can be answered soon.
package struct AccountIsBusy: Error {
    package let limits: Shares.Limits
    /// The client should wait this long.
    package let pause: Duration
}
