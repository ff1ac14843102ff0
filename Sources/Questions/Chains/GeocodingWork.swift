package import Geocoding
package import HTTP
package import Postgres
package import Processes
package import Queue

/// Jobs whose subjects are questions, which a provider answers, or a request that it is passed as it is.
package struct GeocodingWork: LaneWork {
    package enum Question: Sendable {
        case questions([Questions.Question])
        case request(RelayedRequest)
    }

    package enum Answer: Sendable {
        case turns([(question: Questions.Question, turn: Turn)])
        /// Nil if the server refused the request.
        case reply([UInt8]?)
    }

    private let provider: any GeocodingProvider
    private let geocodes = GeocodeStore()
    private let questionQueue = QuestionQueue()
    private let relays = RelayStore()
    private let mending: (any AddressMending)?
    private let counters: AnswerCounters?

    package var lane: String { provider.name }

    package var sender: (any HTTPCaller)? { provider as? any HTTPCaller }

    /// `mending` corrects typos in an address before the provider is called. The answers are counted in `metrics`.
    package init(_ provider: any GeocodingProvider, mending: (any AddressMending)? = nil, metrics: Metrics? = nil) {
        self.provider = provider
        self.mending = mending
        counters = metrics.map { AnswerCounters($0, lane: provider.name) }
    }

    /// Unpacks the gazetteer, which corrects typos.
    package func warmUp() {
        guard let mending, provider.terms.finest <= .street else { return }
        _ = mending.mended(Address(city: "Paris", country: "FR"))
    }

    package func questions(of jobs: [Job], on database: isolated Connection) throws -> [Job.ID: Question] {
        let questions = try geocodes.questions(jobs.flatMap(\.subjects), of: jobs.map(\.id), on: database)
        var all = questions.mapValues { asked in
            var asked = asked
            if let mending {
                for index in asked.indices { asked[index].mend(by: mending, for: provider.terms) }
            }
            return Question.questions(asked)
        }
        let others = jobs.map(\.id).filter { all[$0] == nil }
        if provider is any RelayingProvider, !others.isEmpty {
            for (job, request) in try relays.requests(of: others, on: database) { all[job] = .request(request) }
        }
        return all
    }

    package func call(_ question: Question, _ departure: Departure) async -> Reply<Answer> {
        if sender == nil {
            guard departure.leave() else { return Reply(.void) }
            return await call(question)
        }
        let reply = await Departure.$current.withValue(departure) { await call(question) }
        return departure.isVoid ? Reply(.void) : reply
    }

    private func call(_ question: Question) async -> Reply<Answer> {
        do {
            switch question {
            case .questions(let questions): return try await ask(questions)
            case .request(let request):
                let server = provider as? any RelayingProvider
                return Reply(.done(leftOvers: []), answer: .reply(try await server?.relay(request.text)))
            }
        } catch {
            switch error {
            case .busy(let retryAfter): return Reply(.rate(retryAfter: retryAfter))
            case .quotaExhausted(let resetIn): return Reply(.quota(resetIn: resetIn))
            case .unavailable(let reason): return Reply(.retry(reason: reason))
            case .unauthorized(let reason): return Reply(.denied(reason: reason))
            }
        }
    }

    private func ask(_ questions: [Questions.Question]) async throws(ProviderError) -> Reply<Answer> {
        let outside = questions.filter { $0.isOutside(provider.terms.countries) }
        let asked = Batch(
            questions.filter { !$0.isOutside(provider.terms.countries) }, atMost: provider.terms.batch)
        let answers = asked.questions.isEmpty ? [] : try await callProvider(with: asked)
        guard answers.count == asked.questions.count else {
            return Reply(
                .retry(reason: "the provider answered \(answers.count) of \(asked.questions.count) questions"))
        }
        let turns = zip(asked.questions, answers).map { question, answer in
            (question: question, turn: question.turn(after: answer, from: lane, provider.terms))
        }
        for (_, turn) in turns { counters?.count(turn) }
        return Reply(
            turns,
            uncalled: asked.rest.map { (question: $0, turn: $0.asItIs) }
                + outside.map { (question: $0, turn: $0.turn(outsideOf: lane)) },
            isPaced: provider.terms.finest <= .street)
    }

    private func callProvider(with batch: Batch) async throws(ProviderError) -> [Geocoding.Answer] {
        let coordinates = batch.questions.compactMap(\.subject.coordinate)
        if !coordinates.isEmpty { return try await provider.reverseGeocode(coordinates) }
        return try await provider.geocode(
            batch.questions.compactMap { question in
                var query = question.rung(provider.terms)?.query
                query?.order = question.chain.lineOrder
                return query
            })
    }

    package func store(
        _ ends: [JobEnd<Answer>], successors: [QueuedJob], givenUp: [Int], on database: isolated Connection
    ) throws {
        var turns: [(question: Questions.Question, turn: Turn)] = []
        for end in ends {
            switch end.answer {
            case .turns(let own): turns += own
            case .reply(let reply): try relays.store(reply, of: end.job.id, on: database)
            case nil: break
            }
        }
        try geocodes.record(turns, from: lane, goingOnIn: successors, on: database)
        for end in ends {
            guard let reason = end.deathReason else { continue }
            try questionQueue.giveUp(
                end.job.subjects, of: end.job.id, in: lane, because: reason, on: database)
        }
        try geocodes.fail(givenUp, because: "too many calls left it unanswered", from: lane, on: database)
    }
}

/// The questions of a job that fit in one call: only addresses or only coordinates, because a provider takes one kind
/// per call, and no more than it takes in one call, whatever the lane's batch is.
private struct Batch {
    let questions: [Question]
    /// These need another call.
    let rest: [Question]

    init(_ all: [Question], atMost count: Int) {
        let coordinates = all.filter { $0.subject.coordinate != nil }
        let addresses = all.filter { $0.subject.coordinate == nil }
        let alike = coordinates.isEmpty ? addresses : coordinates
        questions = Array(alike.prefix(count))
        rest = alike.dropFirst(count) + (coordinates.isEmpty ? [] : addresses)
    }
}

extension Question {
    /// True if the address names a country outside these, so that no call is worth making.
    func isOutside(_ countries: Set<String>?) -> Bool {
        guard let countries, let country = subject.country else { return false }
        return !countries.contains(country)
    }
}

extension Reply<GeocodingWork.Answer> {
    /// Questions that need another call leave the job as left-overs, for this lane or another. Those of `called` wait
    /// for the pause of their chain if `isPaced`.
    fileprivate init(
        _ called: [(question: Question, turn: Turn)], uncalled: [(question: Question, turn: Turn)], isPaced: Bool
    ) {
        func leftOvers(of turns: [(question: Question, turn: Turn)], isPaced: Bool) -> [LeftOver] {
            turns.compactMap { question, turn in
                guard case .goesOn(let next) = turn else { return nil }
                let pause = isPaced ? Duration.seconds(question.chain.pauseSeconds) : .zero
                return LeftOver(question.id, lane: next.lane, after: pause)
            }
        }
        let turns = called + uncalled
        let leftOvers = leftOvers(of: called, isPaced: isPaced) + leftOvers(of: uncalled, isPaced: false)
        self.init(
            !leftOvers.isEmpty && leftOvers.count == turns.count ? .moved(leftOvers) : .done(leftOvers: leftOvers),
            answer: .turns(turns))
    }
}

/// Counts the answers in one lane. All of its series exist from now on, so that the first answer is an increase.
private struct AnswerCounters: Sendable {
    private let located, needsReview, notFound, failed, goesOn: Counter

    init(_ metrics: Metrics, lane: String) {
        let family = metrics.counter(
            "waypost_answers_total", "Questions that calls of this worker answered, by what became of them.",
            labels: "lane", "status")
        (located, needsReview) = (family[lane, "located"], family[lane, "needs_review"])
        (notFound, failed, goesOn) = (family[lane, "not_found"], family[lane, "failed"], family[lane, "goes_on"])
    }

    func count(_ turn: Turn) {
        switch turn {
        case .located: located.add()
        case .needsReview: needsReview.add()
        case .notFound: notFound.add()
        case .failed: failed.add()
        case .provisional(let end, _): count(end)
        case .goesOn: goesOn.add()
        }
    }
}
