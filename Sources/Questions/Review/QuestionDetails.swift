import FoundationEssentials
package import Geocoding
package import Postgres
package import Queue

/// The state of a question: its job while it waits, or its place. Does not contain the address, because the API's role
/// may not read it.
package struct QuestionState: Identifiable, Sendable {
    package let id: Int
    package let status: GeocodeStatus
    package let job: Int?
    package let place: Place?
    /// The reason why it has no place; nil if it has one.
    package let reason: String?

    fileprivate init(_ row: Row) throws {
        id = try row.read("id")
        status = try GeocodeStatus(rawValue: row.read("status")) ?? .waiting
        job = try row.readIfPresent("job")
        place = try Place(row)
        reason = status.reason(try row.readIfPresent("reason"), provider: try row.readIfPresent("provider"))
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

    /// The columns of `geocodes` that ``init(_:)`` reads, without the subject.
    package static let columns: SQL = """
        id, job, pinned_at, candidates, trail, \(part: Answer.copiedColumns), \(part: PlaceSoFar.columns)
        """

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
        let stored: String? = try row.readIfPresent("reason")
        // The reason why a provider could not be called stays relevant while others are called.
        if status == .waiting, let stored {
            reason = stored
        } else if let place, subject.address != nil {
            reason = stored ?? place.weakness
        } else {
            reason = status.reason(stored, provider: provider)
        }
    }
}

extension GeocodeStore {
    /// Returns questions that wait for a person: up to `limit` after `id`.
    package func toReview(after id: Int, limit: Int, on database: isolated Connection) throws -> [QuestionDetails] {
        try details(
            where: "candidates IS NOT NULL AND status = 'needs_review' AND id > \(id)", limit: limit, on: database)
    }

    /// Returns everything that is known about a question.
    package func geocode(_ id: Int, on database: isolated Connection) throws -> QuestionDetails? {
        try details(where: "id = \(id)", limit: 1, on: database).first
    }

    /// Returns the shadow of a question that is being asked again.
    fileprivate func shadow(of id: Int, on database: isolated Connection) throws -> QuestionDetails? {
        try details(where: "shadow_of = \(id)", limit: 1, on: database).first
    }

    /// Returns everything that is known about the question with this hash.
    package func geocode(_ hash: AddressHash, on database: isolated Connection) throws -> QuestionDetails? {
        try details(where: "hash = \(hash)", limit: 1, on: database).first
    }

    private func details(
        where condition: SQL, limit: Int, on database: isolated Connection
    ) throws -> [QuestionDetails] {
        try database.query(
            """
            SELECT *, \(part: PlaceSoFar.columns)
            FROM geocodes
            WHERE \(part: condition)
            ORDER BY id
            LIMIT \(limit)
            """
        ).map(QuestionDetails.init)
    }

    /// Returns the state of each of these questions. Questions that were never asked are missing.
    package func states(
        of hashes: [AddressHash], on database: isolated Connection
    ) throws -> [AddressHash: QuestionState] {
        // The limit makes this an index lookup.
        let rows = try database.query(
            """
            SELECT known.*
            FROM unnest(\(hashes)) AS asked (hash)
            CROSS JOIN LATERAL (
                SELECT id, hash, status, job, reason, \(part: Place.columns)
                FROM geocodes
                WHERE geocodes.hash = asked.hash
                LIMIT 1
            ) AS known
            """)
        return Dictionary(try rows.map { (try $0.read("hash"), try QuestionState($0)) }) { first, _ in first }
    }
}

/// Asks one question with the highest priority, and waits for its answer.
package struct QuestionWait: Sendable {
    private let database: Database
    private let registry: ProcessRegistry

    /// The present state of a question.
    package struct Moment: Sendable {
        package let question: QuestionDetails
        package let circumstances: JobCircumstances?
        fileprivate let workers: Int

        /// The reasons for the wait.
        package var waits: [LaneWait] {
            workers == 0 ? [.nobody] : [circumstances.flatMap { LaneWait($0.lane) }].compactMap(\.self)
        }

        fileprivate init?(of id: Int, workers registry: ProcessRegistry, on database: isolated Connection) throws {
            let store = GeocodeStore()
            guard let question = try store.shadow(of: id, on: database) ?? store.geocode(id, on: database) else {
                return nil
            }
            self.question = question
            circumstances = try question.job.flatMap { try JobQueue().circumstances(of: $0, on: database) }
            workers = try registry.workers(on: database).count
        }
    }

    package init(database: Database, workers registry: ProcessRegistry) {
        (self.database, self.registry) = (database, registry)
    }

    /// Returns the question when it is answered or the limit is over; nil if it was deleted meanwhile. `onLook` gets
    /// each state that was read. Without a limit it waits until nothing moves for ``Standstill/limit``.
    ///
    /// A weak answer is asked again if the chain has changed since it was asked.
    package func run(
        _ subject: Question.Subject, along chain: String, within limit: Duration? = nil, onLook: (Moment) -> Void
    ) async throws -> QuestionDetails? {
        let id = try await database.transaction { db in
            let id = try QuestionQueue().askNow(subject, along: chain, on: db).id
            try QuestionQueue().askAgainIfWeak(id, along: chain, on: db)
            return id
        }
        let start = ContinuousClock.now
        var standstill = Standstill()
        while true {
            let moment = try await database.run { [registry] in try Moment(of: id, workers: registry, on: $0) }
            guard let moment else { return nil }
            onLook(moment)
            let isStuck = standstill.isOver(
                waiting: 1, in: [moment.circumstances?.lane].compactMap(\.self), workers: moment.workers, at: .now)
            let isOver = limit.map { ContinuousClock.now - start >= $0 } ?? isStuck
            if moment.question.status != .waiting { return moment.question }
            // While it is asked again, its old answer stays.
            if isOver { return try await database.run { try GeocodeStore().geocode(id, on: $0) } }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
