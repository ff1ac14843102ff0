package import Postgres

/// The database for an account's fixes.
package protocol FixDatabase: Sendable {
    func record<Value: Sendable>(_ body: @Sendable (isolated Connection) throws -> Value) async throws -> Value
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

    private let database: any FixDatabase
    private let account: Int
    private var waiting: [Request] = []
    private var isWriting = false

    /// The most fixes in one transaction, unless a single request has more.
    private static let most = 1_000
    private let longestQueue: Int

    /// At most `longestQueue` requests wait, which is the load of several seconds.
    package init(database: any FixDatabase, account: Int, longestQueue: Int = 20_000) {
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
            // In a task of its own: a request that is cancelled must not cancel the others.
            Task { await write() }
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
        try await database.record { [account] in try TrackerStore().record(fixes, account: account, on: $0) }
    }
}
