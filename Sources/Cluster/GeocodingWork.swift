package import Geocodes
package import Geocoding
package import Postgres
package import Queue

/// Jobs whose subjects are addresses, to be asked of a provider.
package struct GeocodingWork: LaneWork {
    package typealias Question = [(id: Int, address: Address)]
    package typealias Answer = [(id: Int, answer: Geocoding.Answer)]

    private let provider: any GeocodingProvider
    private let geocodes: GeocodeStore

    package var lane: String { provider.name }

    package init(_ provider: any GeocodingProvider, geocodes: GeocodeStore = GeocodeStore()) {
        self.provider = provider
        self.geocodes = geocodes
    }

    package func questions(of jobs: [Job], on database: isolated Connection) throws -> [Job.ID: Question] {
        try geocodes.questions(jobs.flatMap(\.subjects), of: jobs.map(\.id), on: database)
    }

    package func call(_ questions: Question) async -> Reply<Answer> {
        do {
            let answers = try await provider.geocode(questions.map { Query($0.address) })
            guard answers.count == questions.count else {
                return Reply(
                    .retry(reason: "the provider answered \(answers.count) of \(questions.count) questions"))
            }
            return Reply(.done(), answer: zip(questions, answers).map { ($0.id, $1) })
        } catch {
            switch error {
            case .busy(let retryAfter): return Reply(.rate(retryAfter: retryAfter))
            case .quotaExhausted(let resetIn): return Reply(.quota(resetIn: resetIn))
            case .unavailable(let reason): return Reply(.retry(reason: reason))
            case .unauthorized(let reason): return Reply(.failed(reason: reason))
            }
        }
    }

    package func store(
        _ ends: [JobEnd<Answer>], successors: [QueuedJob], givenUp: [Int], on database: isolated Connection
    ) throws {
        try geocodes.record(ends.flatMap { $0.answer ?? [] }, from: lane, on: database)
        for end in ends {
            guard let reason = end.deathReason else { continue }
            try geocodes.fail(end.job.subjects, because: reason, from: lane, on: database)
        }
        try geocodes.move(successors.map { ($0.id, $0.subjects) }, on: database)
        try geocodes.fail(givenUp, because: "too many calls left it unanswered", from: lane, on: database)
    }
}
