import Geocoding
package import Postgres
package import Queue

extension GeocodeStore {
    /// Stores the results of questions whose jobs just ended. `jobs` are those of the questions that go on.
    ///
    /// Call it in the transaction that ended the jobs, with only those that were still held: the lease guards the job,
    /// and the job guards these rows.
    package func record(
        _ turns: [(question: Question, turn: Turn)], from provider: String, goingOnIn jobs: [QueuedJob] = [],
        on database: isolated Connection
    ) throws {
        var ended: [(question: Question, answer: Answer)] = []
        var onward: [(from: Question, to: Turn.Onward)] = []
        for (question, turn) in turns {
            if case .goesOn(let next) = turn { onward.append((question, next)) }
            if let answer = Answer(after: turn, of: question, from: provider) { ended.append((question, answer)) }
        }
        try improve(ended.filter { $0.question.shadowOf != nil }, on: database)
        try end(ended.map { ($0.question.id, $0.answer) }, on: database)
        try goOn(onward, in: jobs, on: database)
        // A town does not answer a question for a street, so it is not shared and needs no lookup.
        try share(
            ended.filter { $0.answer.place?.isShareable(by: $0.question) == true }.map(\.question.id), on: database)
        try releaseFollowers(of: ended.map(\.question.id), on: database)
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
        _ onward: [(from: Question, to: Turn.Onward)], in jobs: [QueuedJob], on database: isolated Connection
    ) throws {
        guard !onward.isEmpty else { return }
        let job = Dictionary(jobs.flatMap { job in job.subjects.map { ($0, job.id) } }) { _, last in last }
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

/// Moves questions on after a call, and questions whose provider can't be called: they go to the next link of their
/// chains.
extension QuestionQueue {
    /// Updates the questions of jobs whose workers were lost. The questions of a job that was given up end as failed in
    /// the same transaction, because no later step would update them.
    package func moveQuestions(after rescue: Rescue, on database: isolated Connection) throws {
        let halves = rescue.halves.map { QueuedJob(id: $0.job, subjects: $0.subjects) }
        try geocodes.move(to: halves, from: rescue.halves.map(\.of), on: database)
        for dead in rescue.dead {
            try giveUp(
                dead.subjects, of: dead.job, in: dead.lane,
                because: "too many workers were lost during its calls", on: database)
        }
    }

    /// Moves the questions of a dead job to the next links of their chains. Questions without a next link stay with the
    /// dead job, as failed.
    func giveUp(
        _ subjects: [Int], of job: Job.ID, in lane: String, because reason: String, on database: isolated Connection
    ) throws {
        // A subject may have moved to another job meanwhile.
        let questions = try geocodes.questions(subjects, of: [job], on: database)[job] ?? []
        let turns = questions.map { (question: $0, turn: $0.turn(afterFailure: reason)) }
        try move(turns, from: lane, on: database)
        // A shadow that failed is deleted and can't be asked again.
        let saved = turns.filter { if case .failed = $0.turn { $0.question.shadowOf != nil } else { true } }
        try jobs.remove(saved.map(\.question.id), fromDead: job, on: database)
    }

    /// Takes questions out of waiting jobs of lanes that are halted for longer than `patience`, if their chains have
    /// another link. The others continue to wait. Returns how many jobs it read.
    package func leaveHaltedLanes(
        patience: Duration, limit: Int, on database: isolated Connection
    ) throws -> Int {
        // crosses rooms: chains tell which lanes can be left. A lane that is the last link of every chain may have
        // millions of jobs, which are not read.
        let halted = try database.query(
            """
            SELECT lanes.id, name, coalesce(paused_because, blocked_because) AS reason
            FROM lanes
            WHERE (paused_because IS NOT NULL OR paused_at IS NULL AND blocked_until > now() + \(patience)::interval)
              AND EXISTS (
                  SELECT FROM chains, jsonb_array_elements(plan->'links') WITH ORDINALITY AS place (link, number)
                  WHERE link->>'lane' = lanes.name AND number < jsonb_array_length(plan->'links'))
            """)
        return try halted.reduce(0) { count, lane in
            try count
                + leave(
                    lane.read("id"), named: lane.read("name"), because: lane.read("reason"), limit: limit - count,
                    on: database)
        }
    }

    private func leave(
        _ lane: Int, named name: String, because reason: String, limit: Int, on database: isolated Connection
    ) throws -> Int {
        // crosses rooms: only the chains of its questions show if a waiting job has another lane to go to.
        //
        // OFFSET 0 keeps the planner from reading all questions for a lane with millions of jobs, and the order is that
        // of an index.
        let waiting = try database.query(
            """
            SELECT jobs.id, jobs.subjects
            FROM jobs
            WHERE jobs.lane = \(lane)::smallint AND is_waiting(jobs)
              AND EXISTS (
                  SELECT FROM geocodes JOIN chains ON chains.id = chain
                  WHERE geocodes.id = ANY (subjects) AND geocodes.job = jobs.id
                    AND link < jsonb_array_length(plan->'links') - 1
                  OFFSET 0)
            ORDER BY priority, run_at, jobs.id
            LIMIT \(limit)
            FOR UPDATE OF jobs SKIP LOCKED
            """
        ).map { (id: try $0.read("id", as: Int.self), subjects: try $0.read("subjects", as: [Int].self)) }
        let questions = try geocodes.questions(waiting.flatMap(\.subjects), of: waiting.map(\.id), on: database)
        for job in waiting {
            let leaving = (questions[job.id] ?? []).compactMap { question -> (question: Question, turn: Turn)? in
                let turn = question.turn(afterFailure: reason)
                return if case .goesOn = turn { (question, turn) } else { nil }
            }
            try jobs.remove(leaving.map(\.question.id), fromWaiting: job.id, on: database)
            try move(leaving, from: name, on: database)
        }
        return waiting.count
    }

    /// Records the results of questions, and queues those that go on.
    private func move(
        _ turns: [(question: Question, turn: Turn)], from lane: String, on database: isolated Connection
    ) throws {
        var goingTo: [String: [Question.ID]] = [:]
        for (question, turn) in turns {
            if case .goesOn(let next) = turn { goingTo[next.lane, default: []].append(question.id) }
        }
        let queued = try goingTo.sorted { $0.key < $1.key }.flatMap { lane, subjects in
            try jobs.enqueue(subjects, in: lane, on: database)
        }
        try geocodes.record(turns, from: lane, goingOnIn: queued, on: database)
    }
}
