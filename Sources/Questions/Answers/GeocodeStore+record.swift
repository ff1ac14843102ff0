import Geocoding
package import Postgres

extension GeocodeStore {
    /// Stores the results of questions whose jobs just ended. `job` contains the new job of each question that goes on.
    ///
    /// Call it in the transaction that ended the jobs, with only those that were still held: the lease guards the job,
    /// and the job guards these rows.
    package func record(
        _ turns: [(question: Question, turn: Turn)], from provider: String,
        job: [Question.ID: Int] = [:], on database: isolated Connection
    ) throws {
        var located: [(id: Int, best: Place)] = []
        var ended: [Ended] = []
        var onward: [(from: Question, to: Turn.Onward)] = []
        for (question, turn) in turns {
            let (id, chain) = (question.id, question.chain)
            switch turn {
            case .located(let best): located.append((id, best))
            case .needsReview(let candidates):
                let doubt = Doubt.words(for: candidates, of: question.subject, isChoice: true)
                ended.append(Ended(id, .needsReview, candidates: candidates, because: doubt))
            case .notFound(let candidates):
                let doubt = Doubt.words(for: candidates, of: question.subject, isChoice: false)
                ended.append(Ended(id, .notFound, candidates: candidates, because: doubt, keep: chain.keepNotFound))
            case .failed(let reason): ended.append(Ended(id, .failed, because: reason, keep: chain.keepFailed))
            case .goesOn(let next): onward.append((question, next))
            }
        }
        try improve(
            turns.compactMap { question, turn in
                if case .located(let best) = turn, question.shadowOf != nil { (question, best) } else { nil }
            }, on: database)
        try record(located, on: database)
        try close(ended, from: provider, on: database)
        try goOn(onward, in: job, on: database)
        try settle(
            located.map(\.id) + ended.map(\.id),
            // A town does not answer a question for a street, so it is not shared and needs no lookup.
            answered: turns.compactMap { question, turn in
                if case .located(let best) = turn, best.isShareable(by: question) { question.id } else { nil }
            },
            on: database)
    }

    /// Marks questions as failed. `reason` is for a person to read, and contains nothing of the address.
    package func fail(
        _ subjects: [Int], because reason: String, from provider: String, on database: isolated Connection
    ) throws {
        try close(
            subjects.map { Ended($0, .failed, because: reason) }, from: provider, on: database)
        try settle(subjects, answered: [], on: database)
    }

    private func record(_ located: [(id: Int, best: Place)], on database: isolated Connection) throws {
        guard !located.isEmpty else { return }
        let best = located.map(\.best)
        let places = best.map(\.placemark)
        try database.query(
            """
            UPDATE geocodes
            SET status = 'located',
                job = NULL,
                follows = false,
                latitude = found.latitude,
                longitude = found.longitude,
                precision = found.precision,
                confidence = found.confidence,
                is_weak = found.is_weak,
                placemark = found.names::jsonb,
                provider = found.provider,
                step = found.step,
                candidates = NULL,
                reason = NULL,
                geocoded_at = now(),
                expires_at = now() + found.days * interval '1 day',
                is_lent = found.is_lent
            FROM unnest(
                \(located.map(\.id)),
                \(places.map(\.coordinate.latitude)), \(places.map(\.coordinate.longitude)),
                \(best.map(\.precision.rawValue)), \(best.map(\.confidence)), \(best.map(\.isWeak)),
                \(places.map(\.namesAsJSON)), \(best.map(\.provider)), \(best.map(\.step?.rawValue)),
                \(best.map(\.days)), \(best.map(\.isLent))
            ) AS found (
                id, latitude, longitude, precision, confidence, is_weak, names, provider, step, days, is_lent)
            WHERE geocodes.id = found.id AND geocodes.status = 'waiting'
            """)
    }

    private func close(_ ended: [Ended], from provider: String, on database: isolated Connection) throws {
        guard !ended.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET status = ended.status::geocode_status,
                job = NULL,
                follows = false,
                provider = \(provider),
                candidates = ended.candidates::jsonb,
                confidence = ended.confidence,
                reason = ended.reason,
                geocoded_at = now(),
                expires_at = now() + ended.days * interval '1 day',
                is_lent = ended.is_lent
            FROM unnest(
                \(ended.map(\.id)), \(ended.map(\.status.rawValue)),
                \(ended.map { $0.candidates.isEmpty ? nil : $0.candidates.json }),
                \(ended.map { $0.candidates.first?.confidence }), \(ended.map(\.reason)), \(ended.map(\.days)),
                \(ended.map(\.isLent))
            ) AS ended (id, status, candidates, confidence, reason, days, is_lent)
            WHERE geocodes.id = ended.id AND geocodes.status = 'waiting'
            """)
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

/// A question that ended without a place.
private struct Ended {
    let id: Int
    let status: GeocodeStatus
    let candidates: [Place]
    let reason: String?
    let days: Int?

    /// `days` is how long the result is kept. The provider of a candidate may permit less.
    init(
        _ id: Int, _ status: GeocodeStatus, candidates: [Place] = [], because reason: String? = nil,
        keep days: Int? = nil
    ) {
        self.id = id
        self.status = status
        self.candidates = candidates
        self.reason = reason
        self.days = (candidates.map(\.days) + [days]).compactMap(\.self).min()
    }

    var isLent: Bool { candidates.contains(where: \.isLent) }
}
