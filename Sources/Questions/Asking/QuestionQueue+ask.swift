package import Geocoding
package import Postgres
package import Queue

/// Questions and their jobs: everything that changes both is done here, in one transaction.
///
/// Asking needs no contact, only an address or a coordinate, and the name of a chain.
package struct QuestionQueue: Sendable {
    let geocodes = GeocodeStore()
    let jobs = JobQueue()

    package init() {}
}

extension QuestionQueue {
    /// Asks each address that was not asked before, and enqueues it. Returns how many were new.
    package func ask(
        _ questions: [NewQuestion], along name: String, priority: Priority = .usual, on database: isolated Connection
    ) throws -> Int {
        let chain = try chain(name, on: database)
        let starts = chain.plan.starts(of: questions.map(\.address))
        let asked = try enqueue(starts, of: chain, priority: priority, on: database) { reserved in
            try geocodes.ask(questions, along: chain, in: reserved, on: database)
        }
        let new = Set(asked.compactMap(\.hash))
        return try asked.count
            + geocodes.askAgain(questions.filter { !new.contains($0.hash) }, along: chain, on: database)
    }

    /// Asks what is at each of these cells, as background work behind everything that a person waits for. A cell that
    /// was asked before costs nothing. Returns how many were new.
    package func askWhatIsAt(
        _ cells: Set<CoordinateCell>, along name: String, on database: isolated Connection
    ) throws -> Int {
        let chain = try chain(name, on: database)
        let new = try geocodes.unasked(among: cells.sorted { $0.hash < $1.hash }, on: database)
        guard let first = new.first else { return 0 }
        let start = chain.plan.start(of: .coordinate(first.centre))
        return try enqueue([(start, new.count)], of: chain, priority: .idle, on: database) { reserved in
            try geocodes.ask(new, along: chain, in: reserved.first, on: database)
        }.count
    }

    /// Asks answered questions again, from the beginning of a chain, while their answers stay. Each is asked through a
    /// shadow (sql/functions/rematch.sql), and is given with the code of its country. Returns how many it asked:
    /// questions that wait, that are being asked again already, or that a person decided are skipped.
    package func rematch(
        _ questions: [(id: Int, country: String?)], along name: String, priority: Priority,
        on database: isolated Connection
    ) throws -> Int {
        let chain = try chain(name, on: database)
        let starts = Dictionary(grouping: questions) { chain.plan.start(inCountry: $0.country) }
        return try starts.sorted { $0.key < $1.key }.reduce(0) { count, start in
            let (link, own) = (start.key, start.value.map(\.id))
            return try count
                + enqueue([(link, own.count)], of: chain, priority: priority, on: database) { reserved in
                    try geocodes.addShadows(of: own, in: reserved[0], along: chain, on: database)
                }.count
        }
    }

    /// Reserves the jobs of up to `count` questions for each link, and queues the questions that `insert` stored.
    ///
    /// They are enqueued in full batches, all in the same few statements.
    private func enqueue(
        _ starts: [(link: Int, count: Int)], of chain: StoredChain, priority: Priority,
        on database: isolated Connection, inserting insert: ([ReservedJobs]) throws -> [AskedQuestion]
    ) throws -> [AskedQuestion] {
        let lanes = chain.plan.links.map(\.lane)
        let reserved = try starts.map { link, count in
            let reserved = try jobs.reserve(forAtMost: count, in: lanes[link], on: database)
            return ReservedJobs(link: link, jobs: reserved.jobs, batch: reserved.batch)
        }
        let asked = try insert(reserved)
        for (link, _) in starts {
            let queued = asked.compactMap { asked in
                asked.link == link ? asked.job.map { (job: $0, subject: asked.id) } : nil
            }
            try jobs.enqueue(queued, of: chain.id, in: lanes[link], priority: priority, on: database)
        }
        return asked
    }
}

/// Questions that a person waits for.
extension QuestionQueue {
    /// Asks all of these, and returns the state of each, in their order. Known answers cost nothing. A small number
    /// goes before background work.
    package func askAll(
        _ questions: [NewQuestion], along name: String, on database: isolated Connection
    ) throws -> [QuestionState] {
        try states(of: questions.map(\.hash), on: database) { hashes in
            _ = try ask(questions, along: name, on: database)
            if hashes.count <= Self.fewQuestions { _ = try hurry(hashes, on: database) }
        }
    }

    /// Returns the state of each of these questions, which `ask` asks. Another client may drop one at the same time.
    private func states(
        of hashes: [AddressHash], on database: isolated Connection, asking ask: ([AddressHash]) throws -> Void
    ) throws -> [QuestionState] {
        let distinct = Array(Set(hashes))
        for _ in 1...3 {
            try ask(distinct)
            let found = try geocodes.states(of: distinct, on: database)
            if found.count == distinct.count { return hashes.compactMap { found[$0] } }
        }
        throw DatabaseError(message: "a question was dropped while it was asked", isWorthRetrying: true)
    }

    /// Each hurried question gets a job of its own.
    private static let fewQuestions = 100

    /// Asks one question with the highest priority, and returns its state. Known answers cost nothing.
    package func askNow(
        _ subject: Question.Subject, along name: String, on database: isolated Connection
    ) throws -> QuestionState {
        let chain = try chain(name, on: database)
        return try states(of: [subject.hash], on: database) { hashes in
            switch subject {
            case .address(let address):
                let question = NewQuestion(address)
                _ = try geocodes.ask([question], along: chain, on: database)
                _ = try geocodes.askAgain([question], along: chain, on: database)
            case .coordinate(let coordinate):
                try geocodes.ask([CoordinateCell(coordinate)], along: chain, on: database)
            }
            _ = try hurry(hashes, on: database)
        }[0]
    }

    /// Asks a question again at once if its answer is weak, and its chain has changed since it was asked. It is marked
    /// as asked along the new chain, so that this costs calls only once.
    func askAgainIfWeak(_ id: Int, along name: String, on database: isolated Connection) throws {
        let chain = try chain(name, on: database)
        let weak = try database.query(
            """
            UPDATE geocodes
            SET chain = \(chain.id)::integer
            WHERE id = \(id) AND is_weak AND pinned_at IS NULL AND chain < \(chain.id)::integer
            RETURNING country
            """
        ).first
        guard let weak else { return }
        let country = try Country(weak.read("country", as: String.self))?.code
        _ = try rematch([(id: id, country: country)], along: name, priority: .now, on: database)
    }

    /// Gives the waiting ones of these questions the highest priority. Returns how many wait.
    package func hurry(_ hashes: [AddressHash], on database: isolated Connection) throws -> Int {
        let waiting = try geocodes.waiting(among: hashes, on: database)
        for question in waiting {
            if let job = question.job {
                // Returns nil if a worker already holds the job.
                _ = try hurry(subject: question.id, of: job, on: database)
            } else if let lane = question.lane {
                let queued = try jobs.enqueue([question.id], in: lane, priority: .now, on: database)
                try geocodes.move(to: queued, on: database)
            }
        }
        return waiting.count
    }

    /// For a question for which no client waits: it goes behind other work, or with `drops` is not asked.
    package func leave(_ question: Int, drops: Bool, on database: isolated Connection) throws {
        try database.query("SELECT leave_question(\(question), \(drops))")
    }

    /// Gives one question of a waiting job the highest priority. Returns its new job; nil if that is not possible. If a
    /// person does it, the log contains the act.
    package func hurry(
        subject: Int, of job: Int, by author: Author? = nil, on database: isolated Connection
    ) throws -> QueuedJob? {
        guard let own = try jobs.hurry(subject: subject, of: job, on: database) else { return nil }
        try geocodes.move(to: [own], on: database)
        if let author {
            try AuditLog().append(.hurryJob, "\(job)", after: ["subject": "\(subject)"], by: author, on: database)
        }
        return own
    }

    /// The same for a whole job if no subject is given. Returns the id of the job that goes first.
    package func hurry(
        _ job: Int, only subject: Int?, by author: Author, on database: isolated Connection
    ) throws -> Int? {
        if let subject { return try hurry(subject: subject, of: job, by: author, on: database)?.id }
        return try jobs.hurry(job, by: author, on: database) ? job : nil
    }
}
