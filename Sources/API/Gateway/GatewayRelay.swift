import Access
import Gateway
import Geocoding
import HTTP
import Postgres
import Processes
import Questions
import Queue

/// Passes requests on to a Nominatim server, each once and through the queue, and its replies back as they are.
final class GatewayRelay: Sendable {
    private let backend: Backend
    private let stored: Gathered<RelayedRequest, RelayState?>
    private let asked: Gathered<RelayedRequest, RelayState?>
    private let watch: AnswerWatch<RelayState>
    private let recent = RecentValues<RelayedRequest, [UInt8]>(most: 2_000, lifetime: .seconds(5))
    /// Longer replies, such as outlines of countries, are not kept in memory.
    private static let mostInMemory = 8_192

    init(_ backend: Backend) {
        self.backend = backend
        let database = backend.strangers.withoutLimit
        let store = RelayStore()
        stored = Gathered { requests in
            let states = try await database.run { try store.states(of: requests.map(\.hash), on: $0) }
            return requests.map { states[$0.hash] }
        }
        asked = Gathered { requests in
            do {
                let states = try await database.transaction { db in
                    try store.ask(Set(requests), on: db)
                    return try store.states(of: requests.map(\.hash), on: db)
                }
                return requests.map { states[$0.hash] }
            } catch let error as DatabaseError where error.sqlState == "P0002" {
                throw GatewayRefusal(
                    503, "This token passes requests on, and no worker ever had WAYPOST_NOMINATIM_URL.",
                    ["Retry-After": "60"])
            }
        }
        watch = AnswerWatch { hashes in
            try await database.run { try store.states(of: hashes, on: $0) }.filter(\.value.isOver)
        }
    }

    /// The reply; nil if it will be there after the returned time.
    func reply(to request: RelayedRequest, for caller: Caller) async throws -> (
        reply: [UInt8]?, source: GatewayAnswer.Source, retryAfter: Duration
    ) {
        if let known = recent[request] { return (known, .cache, .zero) }
        if let known = try await stored.value(of: request), let reply = try reply(in: known, to: request) {
            return (reply, .cache, .zero)
        }
        let hash = request.hash
        watch.begin(hash)
        var id: Int?
        let state: RelayState?
        do {
            let asked = try await asked.value(of: request)
            if case .waiting(let own, _) = asked { id = own }
            let ended = asked?.isOver == true ? asked : try await watch.answer(to: hash, within: caller.manners.wait)
            state = ended ?? asked
            _ = watch.end(hash)
        } catch {
            if watch.end(hash), Task.isCancelled, let id { await backend.leave(id, caller) }
            throw error
        }
        guard let state, let reply = try reply(in: state, to: request) else {
            guard case .waiting(_, let job) = state else { return (nil, .waiting, .seconds(1)) }
            return (nil, .waiting, try await backend.wait(for: job, caller))
        }
        return (reply, .call, .zero)
    }

    private func reply(in state: RelayState, to request: RelayedRequest) throws -> [UInt8]? {
        switch state {
        case .waiting: return nil
        case .refused: throw GatewayRefusal(400, "The Nominatim server refuses this request.")
        case .replied(let reply):
            if reply.count <= Self.mostInMemory { recent[request] = reply }
            return reply
        }
    }
}

extension Backend {
    /// Called when the last client that waited for the question has left.
    func leave(_ question: Int, _ caller: Caller) async {
        let drops = caller.manners.left == .drop
        // The task is cancelled, and the database would not be asked in it.
        await Task {
            try? await database(of: caller.account).withoutLimit.transaction { db in
                try QuestionQueue().leave(question, drops: drops, on: db)
            }
        }.value
    }

    /// The time after which the answer of a job will be there.
    func wait(for job: Int?, _ caller: Caller) async throws -> Duration {
        let circumstances = try await database(of: caller.account).withoutLimit.run { db in
            try job.flatMap { try JobQueue().circumstances(of: $0, on: db) }
        }
        let reason = circumstances.map(WaitReason.init)
        // Only a person can end these.
        let isHalted = reason.map { ["paused", "stopped", "no worker"].contains($0.why) } ?? false
        return .seconds(min(max(reason?.seconds ?? (isHalted ? 60 : 1), 1), 3_600))
    }
}
