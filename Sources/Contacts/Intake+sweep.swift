import Geocodes
import Geocoding
package import Postgres

extension Intake {
    /// Hashes up to `limit` addresses that another program wrote, and asks for those that are new.
    /// Returns how many it found.
    package func hashForeignAddresses(_ limit: Int, on database: isolated Connection) throws -> Int {
        try database.transaction { database in
            let found = try database.query(
                """
                SELECT id, street, city, region, postcode, country
                FROM addresses
                WHERE hash IS NULL
                ORDER BY id
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
                """
            ).map { row -> (id: Int, hash: AddressHash, address: Address) in
                let address = Address(
                    street: try row.read("street"), city: try row.read("city"), region: try row.read("region"),
                    postcode: try row.read("postcode"), country: try row.read("country"))
                return (try row.read("id"), AddressHash(address), address)
            }
            guard !found.isEmpty else { return 0 }
            _ = try geocodes.ask(found.map { ($0.hash, $0.address) }, on: database)
            try database.query(
                """
                UPDATE addresses
                SET hash = hashed.hash
                FROM unnest(\(found.map(\.id)), \(found.map { Bytes($0.hash.bytes) })) AS hashed (id, hash)
                WHERE addresses.id = hashed.id
                """)
            return found.count
        }
    }

    /// Queues up to `limit` questions that wait and are in no job. Returns how many it found.
    package func enqueueWaiting(_ limit: Int, on database: isolated Connection) throws -> Int {
        try database.transaction { database in
            let waiting = try geocodes.takeUnqueued(limit, on: database)
            try enqueue(waiting, on: database)
            return waiting.count
        }
    }
}
