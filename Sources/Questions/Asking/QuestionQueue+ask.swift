package import Geocoding
package import Postgres
package import Queue

extension QuestionQueue {
    /// Asks each address that was not asked before, and enqueues it. Returns how many were new.
    package func ask(
        _ questions: [NewQuestion], along chain: String, priority: Priority = .usual, on database: isolated Connection
    ) throws -> Int {
        try ask(questions, along: self.chain(chain, on: database), priority: priority, on: database)
    }

    package func ask(
        _ questions: [NewQuestion], along chain: StoredChain, priority: Priority = .usual,
        on database: isolated Connection
    ) throws -> Int {
        let starts = chain.plan.starts(of: questions.map(\.address))
        let reserved = try starts.map { (link, count) in
            let reserved = try jobs.reserve(forAtMost: count, in: chain.plan.links[link].lane, on: database)
            return ReservedJobs(link: link, jobs: reserved.jobs, batch: reserved.batch)
        }
        let asked = try geocodes.ask(questions, along: chain, in: reserved, on: database)
        for (link, _) in starts {
            let queued = asked.filter { $0.link == link }
            try jobs.enqueue(
                queued.compactMap { asked in asked.job.map { (job: $0, subject: asked.id) } },
                in: chain.plan.links[link].lane, priority: priority, on: database)
        }
        let new = Set(asked.map(\.hash))
        let known = questions.filter { !new.contains($0.hash) }.map { (hash: $0.hash, address: $0.address) }
        return try asked.count + geocodes.askAgain(known, along: chain, on: database)
    }

    /// Asks all of these, and returns the state of each, in their order. Known answers cost nothing. A small number
    /// goes before background work.
    package func askAll(
        _ questions: [NewQuestion], along name: String, on database: isolated Connection
    ) throws -> [QuestionState] {
        _ = try ask(questions, along: name, on: database)
        let hashes = Array(Set(questions.map(\.hash)))
        if hashes.count <= Self.fewQuestions { _ = try hurry(hashes, on: database) }
        let standings = try geocodes.standings(of: hashes, on: database)
        return questions.map { question in
            guard let standing = standings[question.hash] else {
                preconditionFailure("a question that was just asked is there")
            }
            return standing
        }
    }

    /// Each hurried question gets a job of its own.
    private static let fewQuestions = 100

    /// Asks addresses again whose answers were forgotten or have expired. With `insisting`, also those that failed or
    /// were not found. Returns how many.
    package func askAgain(
        _ questions: [(hash: AddressHash, address: Address)], along chain: String, insisting: Bool = false,
        on database: isolated Connection
    ) throws -> Int {
        guard !questions.isEmpty else { return 0 }
        return try geocodes.askAgain(
            questions, along: self.chain(chain, on: database), insisting: insisting, on: database)
    }

    /// Asks one question with the highest priority, and returns its id. Known answers cost nothing.
    package func askNow(
        _ subject: Question.Subject, along name: String, on database: isolated Connection
    ) throws -> Int {
        let chain = try chain(name, on: database)
        let hash: AddressHash
        switch subject {
        case .address(let address):
            hash = AddressHash(address)
            _ = try geocodes.ask([(hash, address)], along: chain, on: database)
            _ = try geocodes.askAgain([(hash, address)], along: chain, on: database)
        case .coordinate(let coordinate):
            hash = try geocodes.askWhatIsAt([coordinate], along: chain, on: database)[0]
        }
        guard let known = try geocodes.standing(hash, on: database) else {
            preconditionFailure("a question that was just asked is there")
        }
        if known.status == .waiting {
            let lane = chain.plan.links[chain.plan.start(of: subject)].lane
            try hurry(known.id, in: known.job, lane: lane, on: database)
        }
        return known.id
    }
}
