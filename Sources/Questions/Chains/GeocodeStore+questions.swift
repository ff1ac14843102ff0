import FoundationEssentials
package import Geocoding
package import Postgres

extension GeocodeStore {
    /// Returns the questions of jobs that still wait in exactly that job. A job without any is missing.
    package func questions(
        _ subjects: [Int], of jobs: [Int], on database: isolated Connection
    ) throws -> [Int: [Question]] {
        let rows = try database.query(
            """
            SELECT id, job, street, city, region, postcode, country, at_latitude, at_longitude, chain, link, step,
                   candidates, reason, shadow_of
            FROM geocodes
            WHERE id = ANY (\(subjects)) AND job = ANY (\(jobs)) AND status = 'waiting'
            ORDER BY id
            """)
        let chains = try ChainStore().chains(Set(rows.map { try $0.read("chain") }), on: database)
        var questions: [Int: [Question]] = [:]
        for row in rows {
            guard let chain = chains[try row.read("chain")] else { continue }
            questions[try row.read("job"), default: []].append(try Question(row, chain: chain))
        }
        return questions
    }

    /// Returns those of the questions that wait, each with its job, if it has one, and the lane in which it waits.
    package func waiting(
        among hashes: [AddressHash], on database: isolated Connection
    ) throws -> [(id: Question.ID, job: Int?, lane: String?)] {
        try database.query(
            """
            SELECT geocodes.id, job, plan->'links'->link->>'lane' AS lane
            FROM geocodes
            JOIN chains ON chains.id = geocodes.chain
            WHERE hash = ANY (\(hashes.map { Bytes($0.bytes) })) AND status = 'waiting'
            ORDER BY geocodes.id
            """
        ).map { try (id: $0.read("id"), job: $0.readIfPresent("job"), lane: $0.readIfPresent("lane")) }
    }

    /// Stores that waiting questions are in other jobs now.
    package func move(_ carriers: [(id: Int, subjects: [Int])], on database: isolated Connection) throws {
        guard !carriers.isEmpty else { return }
        let subjects = carriers.flatMap(\.subjects)
        let places = carriers.flatMap { carrier in carrier.subjects.map { _ in carrier.id } }
        try database.query(
            """
            UPDATE geocodes
            SET job = moved.place, follows = false
            FROM unnest(\(subjects), \(places)) AS moved (subject, place)
            WHERE geocodes.id = ANY (\(subjects)) AND geocodes.id = moved.subject AND status = 'waiting'
            """)
    }
}

extension Question {
    init(_ row: Row, chain: Chain) throws {
        self.init(
            id: try row.read("id"), subject: try Subject(row), chain: chain,
            link: min(try row.read("link"), chain.links.count - 1),
            step: try row.readIfPresent("step").flatMap(LadderStep.init(rawValue:)),
            candidates: try row.readIfPresent("candidates", as: String.self).map([Place].init(json:)),
            failure: try row.readIfPresent("reason"), shadowOf: try row.readIfPresent("shadow_of"))
    }
}

extension Question.Subject {
    init(_ row: Row) throws {
        if let latitude = try row.readIfPresent("at_latitude", as: Double.self),
            let coordinate = Coordinate(latitude: latitude, longitude: try row.read("at_longitude"))
        {
            self = .coordinate(coordinate)
        } else {
            self = .address(try Address(question: row))
        }
    }

    /// The code of the country in an address, if it is a known one.
    var country: String? {
        guard case .address(let address) = self else { return nil }
        return Country(address.country)?.code
    }
}

extension Address {
    /// Reads the address of a question.
    init(question row: Row) throws {
        self.init(
            street: try row.read("street"), city: try row.read("city"), region: try row.read("region"),
            postcode: try row.read("postcode"), country: try row.read("country"))
    }
}
