import FoundationEssentials
package import Geocoding
package import Postgres

/// Decisions of a person. A decision holds until the address changes, and no provider overrides it.
extension GeocodeStore {
    /// Returns questions that wait for a person: up to `limit` after `id`.
    package func toReview(after id: Int, limit: Int, on database: isolated Connection) throws -> [QuestionDetails] {
        try database.query(
            """
            SELECT *, \(part: PlaceSoFar.columns)
            FROM geocodes
            WHERE candidates IS NOT NULL AND status = 'needs_review' AND id > \(id)
            ORDER BY id
            LIMIT \(limit)
            """
        ).map(QuestionDetails.init)
    }

    /// Returns everything that is known about a question.
    package func geocode(_ id: Int, on database: isolated Connection) throws -> QuestionDetails? {
        try database.query(
            """
            SELECT *, \(part: PlaceSoFar.columns)
            FROM geocodes
            WHERE id = \(id)
            """
        ).first.map(QuestionDetails.init)
    }

    /// Returns everything that is known about the question with this hash.
    package func geocode(_ hash: AddressHash, on database: isolated Connection) throws -> QuestionDetails? {
        let row = try database.query("SELECT id FROM geocodes WHERE hash = \(Bytes(hash.bytes))").first
        return try row.flatMap { try geocode($0.read("id"), on: database) }
    }

    /// Returns the state of the question with this hash. Does not read the address, because the API's role may not.
    package func standing(_ hash: AddressHash, on database: isolated Connection) throws -> QuestionState? {
        let row = try database.query("SELECT id FROM geocodes WHERE hash = \(Bytes(hash.bytes))").first
        return try row.flatMap { try standing($0.read("id"), on: database) }
    }

    /// Returns the state of each of these questions. Questions that were never asked are missing.
    package func standings(
        of hashes: [AddressHash], on database: isolated Connection
    ) throws -> [AddressHash: QuestionState] {
        // The limit makes this an index lookup.
        let rows = try database.query(
            """
            SELECT known.*
            FROM unnest(\(hashes.map { Bytes($0.bytes) })) AS asked (hash)
            CROSS JOIN LATERAL (
                SELECT id, hash, status, job, reason, \(part: Place.columns)
                FROM geocodes
                WHERE geocodes.hash = asked.hash
                LIMIT 1
            ) AS known
            """)
        var standings: [AddressHash: QuestionState] = [:]
        for row in rows {
            guard let hash = AddressHash(bytes: try row.read("hash", as: Bytes.self).bytes) else { continue }
            standings[hash] = try QuestionState(row)
        }
        return standings
    }

    package func standing(_ id: Int, on database: isolated Connection) throws -> QuestionState? {
        try database.query(
            """
            SELECT id, status, job, reason, \(part: Place.columns) FROM geocodes WHERE id = \(id)
            """
        ).first.map(QuestionState.init)
    }

    /// Accepts one of the candidates, counted from 1. An answer that its provider only lends still expires. Returns
    /// false if the question has no such candidate.
    package func accept(_ id: Int, candidate number: Int, on database: isolated Connection) throws -> Bool {
        let row = try database.query(
            "SELECT candidates FROM geocodes WHERE id = \(id) AND job IS NULL FOR NO KEY UPDATE"
        ).first
        let candidates = try row?.readIfPresent("candidates", as: String.self).map([Place].init(json:)) ?? []
        guard candidates.indices.contains(number - 1) else { return false }
        var answer = Answer(located: candidates[number - 1])
        answer.isPinned = answer.days == nil
        return try replace([(id, answer)], on: database) > 0
    }

    /// Rejects all candidates. Returns false if the question doesn't wait for a person.
    package func reject(_ id: Int, on database: isolated Connection) throws -> Bool {
        let row = try database.query(
            "SELECT provider, step FROM geocodes WHERE id = \(id) AND status = 'needs_review' FOR NO KEY UPDATE"
        ).first
        guard let row else { return false }
        var answer = Answer(.notFound, from: try row.readIfPresent("provider"))
        answer.step = try row.readIfPresent("step").flatMap(LadderStep.init(rawValue:))
        answer.reason = "a person rejected what was found"
        answer.isPinned = true
        return try replace([(id, answer)], on: database) > 0
    }

    /// Sets the place of a question, whatever its state. A call under way then changes nothing. Returns false if the
    /// question does not exist.
    package func pin(_ id: Int, at coordinate: Coordinate, on database: isolated Connection) throws -> Bool {
        let placemark = Placemark(coordinate: coordinate)
        var answer = Answer(
            located: Place(placemark: placemark, precision: .rooftop, confidence: 1, provider: "pin"))
        answer.isPinned = true
        return try replace([(id, answer)], on: database) > 0
    }
}

/// A question with everything that is known about it.
package struct QuestionDetails: Identifiable, Sendable {
    /// The result of a call that did not end the question.
    package struct Stretch: Hashable, Sendable, Decodable {
        package let lane: String
        package let step: LadderStep?
        package let result: String
    }

    package let id: Int
    package let subject: Question.Subject
    package let status: GeocodeStatus
    package let job: Int?
    /// The step by which the address is put to the present provider; nil for the first step.
    package let step: LadderStep?
    /// The place, with its provider.
    package let place: Place?
    /// The best place found so far, while the question waits.
    package let soFar: PlaceSoFar?
    package let candidates: [Place]
    package let trail: [Stretch]
    package let provider: String?
    /// The reason why it is in doubt, not found, failed, or coarser than the question; nil if there is none.
    package let reason: String?
    /// It took the answer of another spelling, or of another unit of the house, without a call.
    package let isShared: Bool
    package let isPinned: Bool

    package init(_ row: Row) throws {
        id = try row.read("id")
        subject = try Question.Subject(row)
        status = try GeocodeStatus(rawValue: row.read("status")) ?? .waiting
        job = try row.readIfPresent("job")
        step = try row.readIfPresent("step").flatMap(LadderStep.init(rawValue:))
        candidates = try row.readIfPresent("candidates", as: String.self).map([Place].init(json:)) ?? []
        trail =
            try row.readIfPresent("trail", as: String.self)
            .map { try JSONDecoder().decode([Stretch].self, from: Data($0.utf8)) } ?? []
        provider = try row.readIfPresent("provider")
        isShared = try row.readIfPresent("shared_from", as: Int.self) != nil
        isPinned = try row.readIfPresent("pinned_at", as: String.self) != nil
        place = try Place(row)
        soFar = try PlaceSoFar(row)
        reason = try Self.reason(row, status, provider, subject, place)
    }

    private static func reason(
        _ row: Row, _ status: GeocodeStatus, _ provider: String?, _ subject: Question.Subject, _ place: Place?
    ) throws -> String? {
        // The reason why a provider could not be called stays relevant while others are called.
        let stored: String? = try row.readIfPresent("reason")
        if status == .waiting, let stored { return stored }
        guard let place, case .address = subject else { return status.reason(stored, provider: provider) }
        return place.weakness
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
