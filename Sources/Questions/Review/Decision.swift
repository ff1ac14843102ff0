import FoundationEssentials
package import Geocoding
package import Postgres
package import Queue

/// A person's decision on a question. It holds until the address changes, and no provider overrides it.
package enum Decision: Sendable {
    /// One of the candidates is the answer, counted from 1. An answer that its provider only lends still expires.
    case accept(candidate: Int)
    /// No candidate is the answer of a question that needs review.
    case reject
    /// The question, whatever its state, has this place. A call under way then changes nothing.
    case pin(Coordinate)

    /// The result of undoing a decision.
    package enum Undoing: Sendable, Equatable {
        /// The question has its former state again.
        case undone
        /// No decision was found, or it is too old.
        case nothingDecided
        /// The question has a new answer since the decision.
        case changedSince
    }

    /// How long a decision can be undone.
    static let retention: Duration = .seconds(30 * 86_400)

    /// Returns nil if the state of the question does not permit the decision.
    fileprivate func answer(_ question: Row) throws -> Answer? {
        var answer: Answer
        switch self {
        case .accept(let number):
            let stored = try question.readIfPresent("candidates", as: String.self)
            let candidates = try stored.map([Place].init(json:)) ?? []
            guard try question.read("is_at_rest"), candidates.indices.contains(number - 1) else { return nil }
            answer = Answer(located: candidates[number - 1])
            answer.isPinned = answer.days == nil
        case .reject:
            guard try question.read("needs_review") else { return nil }
            answer = Answer(.notFound, from: try question.readIfPresent("provider"))
            answer.step = try question.readIfPresent("step").flatMap(LadderStep.init(rawValue:))
            answer.reason = "a person rejected what was found"
            answer.isPinned = true
        case .pin(let coordinate):
            let placemark = Placemark(coordinate: coordinate)
            answer = Answer(
                located: Place(placemark: placemark, precision: .rooftop, areaConfidence: 1, provider: "pin"))
            answer.isPinned = true
        }
        return answer
    }

    /// The log does not contain the coordinate.
    fileprivate var act: (verb: Act.Verb, details: [String: String]) {
        switch self {
        case .accept(let number): (.acceptCandidate, ["candidate": "\(number)"])
        case .reject: (.rejectCandidates, [:])
        case .pin: (.pinQuestion, [:])
        }
    }
}

/// The table `decisions`: decisions of persons, each with the former answer. Run each function in a transaction.
extension QuestionQueue {
    /// Changes the answer of a question, and logs the act. Returns false if the question's state does not permit it.
    package func decide(
        _ decision: Decision, of id: Int, by author: Author, on database: isolated Connection
    ) throws -> Bool {
        let question = try database.query(
            """
            SELECT candidates, provider, step, job IS NULL AS is_at_rest, status = 'needs_review' AS needs_review,
                   \(part: Answer.json)::text AS answer
            FROM geocodes
            WHERE id = \(id)
            FOR NO KEY UPDATE
            """
        ).first
        guard let question, let answer = try decision.answer(question) else { return false }
        try geocodes.replace([(id, answer)], on: database)
        try database.query(
            """
            INSERT INTO decisions (geocode, before, after)
            SELECT id, \(question.read("answer", as: String.self))::jsonb, \(part: Answer.json)
            FROM geocodes
            WHERE id = \(id)
            """)
        try AuditLog().append(decision.act.verb, "\(id)", after: decision.act.details, by: author, on: database)
        return true
    }

    /// Undoes the last decision on a question, unless the answer was changed since then. If the question waited before,
    /// it waits again, and the sweep queues it.
    package func undo(_ id: Int, by author: Author, on database: isolated Connection) throws -> Decision.Undoing {
        let last = try database.query(
            """
            SELECT decisions.id,
                   geocodes.job IS NULL
                   AND \(part: Answer.row(of: "geocodes")) IS NOT DISTINCT FROM \(part: Answer.row(of: "became"))
                       AS is_unchanged
            FROM geocodes
            JOIN decisions ON decisions.geocode = geocodes.id,
            jsonb_populate_record(NULL::geocodes, after) AS became
            WHERE geocodes.id = \(id) AND decided_at > now() - \(Decision.retention)::interval
            ORDER BY decisions.id DESC
            LIMIT 1
            FOR NO KEY UPDATE OF geocodes
            """
        ).first
        guard let last else { return .nothingDecided }
        guard try last.read("is_unchanged") else { return .changedSince }
        try database.query(
            """
            WITH undone AS (
                DELETE FROM decisions WHERE id = \(last.read("id", as: Int.self)) RETURNING before
            )
            UPDATE geocodes
            SET follows = was.follows, \(part: Answer.assignments(from: "was"))
            FROM undone, jsonb_populate_record(NULL::geocodes, before) AS was
            WHERE geocodes.id = \(id)
            """)
        try AuditLog().append(.undoDecision, "\(id)", by: author, on: database)
        return .undone
    }

    /// Deletes up to `limit` decisions that can no longer be undone, or whose answers may no longer be kept. Returns
    /// how many.
    package func forgetDecisions(limit: Int, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            DELETE FROM decisions
            WHERE id = ANY (ARRAY(
                SELECT id
                FROM decisions
                WHERE decided_at <= now() - \(Decision.retention)::interval
                   OR (before ->> 'expires_at')::timestamptz <= now()
                   OR (after ->> 'expires_at')::timestamptz <= now()
                LIMIT \(limit)))
            """
        ).affected
    }
}

/// The reason why a person's decision on a question is refused.
package struct UnsuitableQuestion: Error, CustomStringConvertible {
    package let description: String
}

extension QuestionDetails {
    /// Explains why none of its candidates can be accepted or rejected. `status` is in the reader's words.
    package func refusal(_ reason: String, status: String) -> UnsuitableQuestion {
        UnsuitableQuestion(description: "question \(id) \(reason): it is \(status)")
    }

    package func refusal(ofCandidate number: Int, status: String) -> UnsuitableQuestion {
        if candidates.isEmpty { return refusal("has no candidates", status: status) }
        if number > candidates.count {
            return UnsuitableQuestion(
                description: "there is no candidate \(number): question \(id) has \(candidates.count)")
        }
        return refusal("is under way, and its candidates may change", status: status)
    }
}
