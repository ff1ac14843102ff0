package import Geocodes
import Geocoding
package import Postgres
package import Queue

/// Takes contacts in, and sees that each new address is asked for.
///
/// A contact, its addresses, their hashes and the jobs to come are one transaction: no crash leaves
/// an address that nobody will ever look up.
package struct Intake: Sendable {
    let geocodes: GeocodeStore
    let queue: JobQueue

    package init(geocodes: GeocodeStore = GeocodeStore(), queue: JobQueue) {
        self.geocodes = geocodes
        self.queue = queue
    }

    /// The number of the account with this name, which is opened if there is none.
    package func account(named name: String, on database: isolated Connection) throws -> Int {
        try database.query("INSERT INTO accounts (name) VALUES (\(name)) ON CONFLICT DO NOTHING")
        return try database.query("SELECT id FROM accounts WHERE name = \(name)")[0].read("id")
    }

    /// Lets an account's addresses be asked for along another chain from now on. False when there is no such account.
    package func use(chain: String, for account: String, on database: isolated Connection) throws -> Bool {
        try database.query("UPDATE accounts SET chain = \(chain) WHERE name = \(account)").affected > 0
    }

    /// Stores friends in one transaction. What is known already is left as it is.
    package func store(
        _ friends: [Friend], account: Int, on database: isolated Connection
    ) throws -> IntakeCounts {
        try database.transaction { database in
            let ids = try upsert(friends, account: account, on: database)
            let placed = friends.enumerated().flatMap { number, friend in
                friend.addresses.enumerated().map { position, labelled in
                    PlacedAddress(friend: ids[number], position: position + 1, labelled)
                }
            }
            let chain: String = try database.query("SELECT chain FROM accounts WHERE id = \(account)")[0].read("chain")
            let questions = try ask(placed.map { ($0.hash, $0.address) }, along: chain, on: database)
            try replaceAddresses(of: ids, by: placed, on: database)
            return IntakeCounts(friends: friends.count, addresses: placed.count, questions: questions)
        }
    }

    /// Asks for each address that nobody has asked for before, and queues it. Returns how many were new.
    func ask(
        _ questions: [(hash: AddressHash, address: Address)], along chain: String, on database: isolated Connection
    ) throws -> Int {
        let chain = try self.chain(chain, on: database)
        let starts = chain.plan.starts(of: questions.map(\.address))
        let reserved = try starts.map { (link, count) in
            let jobs = try queue.reserve(forAtMost: count, in: chain.plan.links[link].lane, on: database)
            return ReservedJobs(link: link, jobs: jobs.jobs, batch: jobs.batch)
        }
        let asked = try geocodes.ask(questions, along: chain, in: reserved, on: database)
        for (link, _) in starts {
            let queued = asked.filter { $0.link == link }
            try queue.enqueue(
                queued.compactMap { asked in asked.job.map { (job: $0, subject: asked.id) } },
                in: chain.plan.links[link].lane, on: database)
        }
        return try asked.count + geocodes.askAgain(questions, along: chain, on: database)
    }

    func chain(_ name: String, on database: isolated Connection) throws -> StoredChain {
        guard let chain = try ChainStore().current(name, on: database) else {
            throw ChainError("there is no chain called \"\(name)\"; 'waypost chains list' shows those there are")
        }
        return chain
    }

    private func upsert(_ friends: [Friend], account: Int, on database: isolated Connection) throws -> [Int] {
        guard !friends.isEmpty else { return [] }
        let keys = friends.map(\.sourceKey)
        try database.query(
            """
            INSERT INTO friends (account, source_key, name)
            SELECT \(account)::integer, key, name
            FROM unnest(\(keys), \(friends.map(\.name))) AS given (key, name)
            ORDER BY key
            ON CONFLICT (account, source_key) DO UPDATE
            SET name = excluded.name, updated_at = now()
            WHERE friends.name <> excluded.name
            """)
        return try database.query(
            """
            SELECT friends.id
            FROM unnest(\(keys)) WITH ORDINALITY AS given (key, place)
            JOIN friends ON friends.account = \(account) AND friends.source_key = given.key
            ORDER BY given.place
            """
        ).map { try $0.read("id") }
    }

    private func replaceAddresses(
        of friends: [Int], by addresses: [PlacedAddress], on database: isolated Connection
    ) throws {
        try database.query(
            """
            DELETE FROM addresses
            WHERE friend = ANY (\(friends))
              AND NOT EXISTS (
                  SELECT FROM unnest(\(addresses.map(\.friend)), \(addresses.map(\.position))) AS kept (friend, position)
                  WHERE kept.friend = addresses.friend AND kept.position = addresses.position)
            """)
        guard !addresses.isEmpty else { return }
        try database.query(
            """
            INSERT INTO addresses AS old (friend, position, label, street, city, region, postcode, country, hash)
            SELECT *
            FROM unnest(
                \(addresses.map(\.friend)), \(addresses.map(\.position)), \(addresses.map(\.label)),
                \(addresses.map(\.address.street)), \(addresses.map(\.address.city)),
                \(addresses.map(\.address.region)), \(addresses.map(\.address.postcode)),
                \(addresses.map(\.address.country)), \(addresses.map { Bytes($0.hash.bytes) }))
            ON CONFLICT (friend, position) DO UPDATE
            SET label = excluded.label, street = excluded.street, city = excluded.city, region = excluded.region,
                postcode = excluded.postcode, country = excluded.country, hash = excluded.hash, updated_at = now()
            WHERE (old.label, old.street, old.city, old.region, old.postcode, old.country, old.hash)
                  IS DISTINCT FROM (excluded.label, excluded.street, excluded.city, excluded.region,
                                    excluded.postcode, excluded.country, excluded.hash)
            """)
    }
}

/// What an intake did.
package struct IntakeCounts: Sendable, Equatable {
    package var friends = 0
    package var addresses = 0
    /// Addresses nobody had asked for before.
    package var questions = 0

    package init(friends: Int = 0, addresses: Int = 0, questions: Int = 0) {
        self.friends = friends
        self.addresses = addresses
        self.questions = questions
    }

    package static func += (left: inout Self, right: Self) {
        left.friends += right.friends
        left.addresses += right.addresses
        left.questions += right.questions
    }
}

private struct PlacedAddress {
    let friend: Int
    let position: Int
    let label: String
    let address: Address
    let hash: AddressHash

    init(friend: Int, position: Int, _ labelled: LabelledAddress) {
        self.friend = friend
        self.position = position
        label = labelled.label
        address = labelled.address
        hash = AddressHash(labelled.address)
    }
}
