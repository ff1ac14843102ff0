package import Postgres
package import Queue

/// Moves questions on after a call, and questions whose provider can't be called: they go to the next link of their
/// chains.
extension QuestionQueue {
    /// Records the results of calls whose jobs just ended. `successors` are the jobs of the questions that go on.
    func record(
        _ turns: [(question: Question, turn: Turn)], from lane: String, successors: [QueuedJob],
        on database: isolated Connection
    ) throws {
        let carriers = successors.flatMap { job in job.subjects.map { ($0, job.id) } }
        try geocodes.record(turns, from: lane, job: Dictionary(carriers) { _, last in last }, on: database)
    }

    /// Updates the questions of jobs whose workers were lost. The questions of a job that was given up end as failed in
    /// the same transaction, because no later step would update them.
    package func moveQuestions(after rescue: Rescue, on database: isolated Connection) throws {
        try geocodes.move(
            rescue.halves.flatMap { half in half.subjects.map { (subject: $0, from: half.of, to: half.job) } },
            on: database)
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
        try jobs.spare(saved.map(\.question.id), fromDead: job, on: database)
    }

    /// Takes questions out of waiting jobs of lanes that are halted for longer than `patience`, if their chains have
    /// another link. The others continue to wait. Returns how many jobs it read.
    package func leaveHaltedLanes(
        patience: Duration, limit: Int, on database: isolated Connection
    ) throws -> Int {
        // crosses rooms: only the chains of its questions show if a waiting job has another lane to go to.
        let waiting = try database.query(
            """
            SELECT jobs.id, jobs.subjects, lanes.name AS lane, coalesce(paused_because, blocked_because) AS reason
            FROM jobs
            JOIN lanes ON lanes.id = jobs.lane
            WHERE is_waiting(jobs)
              AND (paused_because IS NOT NULL OR paused_at IS NULL AND blocked_until > now() + \(patience)::interval)
              AND EXISTS (
                  SELECT FROM geocodes JOIN chains ON chains.id = chain
                  WHERE geocodes.id = ANY (subjects) AND geocodes.job = jobs.id
                    AND link < jsonb_array_length(plan->'links') - 1)
            ORDER BY jobs.id
            LIMIT \(limit)
            FOR UPDATE OF jobs SKIP LOCKED
            """
        ).map { row in
            (
                id: try row.read("id", as: Int.self), subjects: try row.read("subjects", as: [Int].self),
                lane: try row.read("lane", as: String.self), reason: try row.read("reason", as: String.self)
            )
        }
        let questions = try geocodes.questions(waiting.flatMap(\.subjects), of: waiting.map(\.id), on: database)
        for job in waiting {
            let leaving = (questions[job.id] ?? []).compactMap { question -> (question: Question, turn: Turn)? in
                let turn = question.turn(afterFailure: job.reason)
                return if case .goesOn = turn { (question, turn) } else { nil }
            }
            try jobs.take(leaving.map(\.question.id), outOf: job.id, on: database)
            try move(leaving, from: job.lane, on: database)
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
        var carriers: [Question.ID: Job.ID] = [:]
        for (lane, subjects) in goingTo.sorted(by: { $0.key < $1.key }) {
            for job in try jobs.enqueue(subjects, in: lane, on: database) {
                for subject in job.subjects { carriers[subject] = job.id }
            }
        }
        try geocodes.record(turns, from: lane, job: carriers, on: database)
    }
}
