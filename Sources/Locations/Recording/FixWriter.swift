package import Postgres

/// The writers of the accounts whose phones have sent fixes.
package actor FixWriters {
    private var writers: [Int: FixWriter] = [:]

    package init() {}

    package func writer(of account: Int, on database: some DatabaseAccess) -> FixWriter {
        let writer = writers[account] ?? FixWriter(database: database, account: account)
        writers[account] = writer
        return writer
    }
}

/// Stores the fixes of many requests at once, so that a thousand phones cost a few transactions a second.
///
/// While one transaction runs, new requests gather for the next. So a single fix never waits, and with more load each
/// transaction stores more fixes.
package actor FixWriter {
    private struct Request {
        let fixes: [UserFix]
        let answer: CheckedContinuation<Result<[FixFate], any Error>, Never>
    }

    private let database: any DatabaseAccess
    private let account: Int
    private var waiting: [Request] = []
    private var isWriting = false

    /// The most fixes in one transaction, unless a single request has more.
    private static let most = 1_000
    private let longestQueue: Int

    /// At most `longestQueue` requests wait, which is the load of several seconds.
    package init(database: any DatabaseAccess, account: Int, longestQueue: Int = 20_000) {
        self.database = database
        self.account = account
        self.longestQueue = longestQueue
    }

    /// Returns the fate of each fix, after it is stored. Throws ``Overload`` if too many requests wait already.
    package func record(_ fixes: [UserFix]) async throws -> [FixFate] {
        guard waiting.count < longestQueue else { throw Overload() }
        return try await withCheckedContinuation { answer in
            waiting.append(Request(fixes: fixes, answer: answer))
            guard !isWriting else { return }
            isWriting = true
            // In a task of its own: a request that is cancelled must not cancel the others, and the trace of none
            // applies to all.
            Task.detached { await self.write() }
        }.get()
    }

    package struct Overload: Error {}

    private func write() async {
        while !waiting.isEmpty {
            var count = 0
            let size = waiting.firstIndex { request in
                count += request.fixes.count
                return count > Self.most
            }
            let requests = Array(waiting.prefix(max(1, size ?? waiting.count)))
            waiting.removeFirst(requests.count)
            await write(requests)
        }
        isWriting = false
    }

    private func write(_ requests: [Request]) async {
        do {
            var fates = try await store(requests.flatMap(\.fixes))[...]
            for request in requests {
                request.answer.resume(returning: .success(Array(fates.prefix(request.fixes.count))))
                fates = fates.dropFirst(request.fixes.count)
            }
        } catch let error as DatabaseError where requests.count > 1 && !error.isConnectionLost {
            // One of them may be at fault, and must not make the others fail.
            for request in requests { await write([request]) }
        } catch {
            for request in requests { request.answer.resume(returning: .failure(error)) }
        }
    }

    private func store(_ fixes: [UserFix]) async throws -> [FixFate] {
        try await database.run(within: nil) { [account] in
            try TrackerStore().record(fixes, account: account, on: $0)
        }
    }

    /// The fate of a good fix of a user.
    nonisolated func standing(of user: String) async throws -> FixFate {
        let tracker = try await database.run(within: nil) { [account] in
            try TrackerStore().tracker(of: user, account: account, on: $0)
        }
        guard let tracker else { return .refused(.noTracker) }
        return tracker.isOn ? .taken : .refused(.off)
    }

    /// See ``TrackerStore/count(refused:of:account:on:)``.
    package nonisolated func count(refused: [RefusedFix], of user: String) async throws -> CountedRefusals {
        if refused.isEmpty { return ([:], [], nil) }
        return try await database.run(within: nil) { [account] in
            try TrackerStore().count(refused: refused, of: user, account: account, on: $0)
        }
    }
}
