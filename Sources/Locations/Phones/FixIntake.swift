/// The results of the fixes of one request.
package struct FixIntake: Sendable {
    package struct Refusal: Sendable {
        /// The place of the fix among all fixes of the request.
        package let index: Int
        package let problem: ReceivedFix.Unusable
    }

    private var count = 0
    package private(set) var fates: [FixFate: Int] = [:]
    /// The first hundred.
    package private(set) var refusals: [Refusal] = []
    package private(set) var refused = 0
    /// In how many seconds the fixes that can be retried will all be accepted; nil if there are none.
    package private(set) var retryAfter: Double?

    package init() {}

    /// Stores the fixes of a user that can be true, and counts the others. Stores nothing if the tracker is off or
    /// missing, and returns that as the obstacle, whatever else is wrong with the fixes.
    package mutating func take(
        _ received: [ReceivedFix], of user: String, by writer: FixWriter, now: Double
    ) async throws -> (obstacle: FixRefusal?, counted: CountedRefusals) {
        var good: [UserFix] = []
        var refused: [RefusedFix] = []
        for one in received {
            do throws(ReceivedFix.Unusable) { good.append(UserFix(try one.checked(now: now), of: user)) } catch {
                refuse(error)
                refused.append(RefusedFix(error.refusal, one))
            }
            count += 1
        }
        let fates = try await good.isEmpty ? [writer.standing(of: user)] : writer.record(good)
        for (one, fate) in zip(good, fates) {
            if case .refused(let reason) = fate { refused.append(RefusedFix(reason, one.fix)) }
        }
        let counted = try await writer.count(refused: refused, of: user)
        let obstacle = [FixRefusal.noTracker, .off].first { fates.contains(.refused($0)) }
        if obstacle == nil, !good.isEmpty { for fate in fates { self.fates[fate, default: 0] += 1 } }
        return (obstacle, counted)
    }

    private mutating func refuse(_ problem: ReceivedFix.Unusable) {
        refused += 1
        if let seconds = problem.secondsUntilGood { retryAfter = max(retryAfter ?? 0, seconds) }
        if refusals.count < 100 { refusals.append(Refusal(index: count, problem: problem)) }
    }
}
