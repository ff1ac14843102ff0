import Geocoding
package import Postgres

extension GeocodeStore {
    /// Stores the results of questions whose jobs just ended. `job` contains the new job of each question that goes on.
    ///
    /// Call it in the transaction that ended the jobs, with only those that were still held: the lease guards the job,
    /// and the job guards these rows.
    package func record(
        _ turns: [(question: Question, turn: Turn)], from provider: String, job: [Question.ID: Int] = [:],
        on database: isolated Connection
    ) throws {
        var located: [(question: Question, place: Place)] = []
        var ended: [(id: Int, answer: Answer)] = []
        var onward: [(from: Question, to: Turn.Onward)] = []
        for (question, turn) in turns {
            if case .goesOn(let next) = turn { onward.append((question, next)) }
            if case .located(let place) = turn { located.append((question, place)) }
            if let answer = Answer(after: turn, of: question, from: provider) { ended.append((question.id, answer)) }
        }
        try improve(located.filter { $0.question.shadowOf != nil }, on: database)
        try end(ended, on: database)
        try goOn(onward, in: job, on: database)
        // A town does not answer a question for a street, so it is not shared and needs no lookup.
        try share(located.filter { $0.place.isShareable(by: $0.question) }.map(\.question.id), on: database)
        try releaseFollowers(of: ended.map(\.id), on: database)
    }

    /// Marks questions as failed. `reason` is for a person to read, and contains nothing of the address.
    package func fail(
        _ subjects: [Int], because reason: String, from provider: String, on database: isolated Connection
    ) throws {
        var answer = Answer(.failed, from: provider)
        answer.reason = reason
        try end(subjects.map { ($0, answer) }, on: database)
        try releaseFollowers(of: subjects, on: database)
    }

    private static let answerOrOwnStep = Answer.assignments(replacing: ["step": "coalesce(answer.step, geocodes.step)"])

    /// Ends those of the questions that still wait. A question without a place keeps the step of its last call.
    private func end(_ answers: [(id: Int, answer: Answer)], on database: isolated Connection) throws {
        guard !answers.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET job = NULL, follows = false, \(part: Self.answerOrOwnStep)
            FROM (\(part: Answer.table(answers))) AS answer
            WHERE geocodes.id = answer.id AND geocodes.status = 'waiting'
            """)
    }

    /// Replaces the answers of questions, whatever their state. Returns how many it changed.
    @discardableResult
    func replace(_ answers: [(id: Int, answer: Answer)], on database: isolated Connection) throws -> Int {
        guard !answers.isEmpty else { return 0 }
        return try database.query(
            """
            UPDATE geocodes
            SET job = NULL, follows = false, \(part: Answer.assignments())
            FROM (\(part: Answer.table(answers))) AS answer
            WHERE geocodes.id = ANY (\(answers.map(\.id))) AND geocodes.id = answer.id
            """
        ).affected
    }

    private func goOn(
        _ onward: [(from: Question, to: Turn.Onward)], in job: [Question.ID: Int], on database: isolated Connection
    ) throws {
        guard !onward.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET job = onward.job,
                follows = false,
                link = onward.link,
                step = onward.step,
                candidates = onward.candidates::jsonb,
                reason = onward.failure,
                trail = CASE WHEN because IS NULL THEN trail ELSE coalesce(trail, '[]') || jsonb_build_object(
                    'lane', from_lane, 'step', from_step, 'result', because, 'at', now()) END
            FROM unnest(
                \(onward.map(\.from.id)), \(onward.map { job[$0.from.id] }), \(onward.map(\.to.link)),
                \(onward.map(\.to.step?.rawValue)), \(onward.map(\.to.candidates?.json)),
                \(onward.map(\.to.failure)),
                \(onward.map { $0.from.chain.links[$0.from.link].lane }), \(onward.map(\.from.step?.rawValue)),
                \(onward.map(\.to.because))
            ) AS onward (id, job, link, step, candidates, failure, from_lane, from_step, because)
            WHERE geocodes.id = onward.id AND geocodes.status = 'waiting'
            """)
    }
}
