import Geocoding
package import Postgres
package import Queue

/// Asks one question with the highest priority, and waits for its answer.
package struct QuestionWait: Sendable {
    private let database: Database
    private let registry: ProcessRegistry

    /// The present state of a question.
    package struct Moment: Sendable {
        package let question: QuestionDetails
        package let circumstances: JobCircumstances?
        private let workers: Int

        /// The reasons for the wait.
        package var waits: [LaneWait] {
            workers == 0 ? [.nobody] : [circumstances.flatMap { LaneWait($0.lane) }].compactMap(\.self)
        }

        fileprivate init?(of id: Int, workers registry: ProcessRegistry, on database: isolated Connection) throws {
            guard let question = try GeocodeStore().geocode(id, on: database) else { return nil }
            self.question = question
            circumstances = try question.job.flatMap { try JobQueue().circumstances(of: $0, on: database) }
            workers = try registry.workers(on: database).count
        }
    }

    package init(database: Database, workers registry: ProcessRegistry) {
        (self.database, self.registry) = (database, registry)
    }

    /// Returns the question when it is answered or the limit is over; nil if it was deleted meanwhile. `onLook` gets
    /// each state that was read.
    package func run(
        _ subject: Question.Subject, along chain: String, within limit: Duration? = nil, onLook: (Moment) -> Void
    ) async throws -> QuestionDetails? {
        let id = try await database.transaction { try QuestionQueue().askNow(subject, along: chain, on: $0) }
        let start = ContinuousClock.now
        while true {
            let moment = try await database.run { [registry] in try Moment(of: id, workers: registry, on: $0) }
            guard let moment else { return nil }
            onLook(moment)
            let isOver = limit.map { ContinuousClock.now - start >= $0 } ?? false
            if moment.question.status != .waiting || isOver { return moment.question }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
