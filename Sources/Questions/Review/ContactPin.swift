package import Geocoding
package import Postgres

/// A position from a contact, under the hash that the address has in the contact's account.
package struct ContactPin: Sendable {
    package let hash: AddressHash
    package let address: Address
    package let position: Coordinate
    /// The part of the address from which the position is far away, such as the town; nil if there is none.
    package let distantPart: Precision?

    package init(hash: AddressHash, address: Address, position: Coordinate, distantPart: Precision? = nil) {
        (self.hash, self.address, self.position, self.distantPart) = (hash, address, position, distantPart)
    }

    /// As if the answer of a provider had another town.
    package var confidence: Double { distantPart == nil ? 1 : 0.3 }
    package var reason: String? { distantPart.map(Doubt.farPosition) }
}

/// Pins are stored as answers: no provider is called, and they never expire.
extension GeocodeStore {
    /// Stores pins of an account. A newer position replaces an older one, but not a person's later decision.
    ///
    /// Rows are inserted in the order of their hashes, so that two parallel imports may wait for each other but never
    /// deadlock.
    package func upsert(_ pins: [ContactPin], of account: Int, on database: isolated Connection) throws {
        guard !pins.isEmpty else { return }
        // Of several positions of one address, the last one that fits the address counts.
        let distinct = Array(Dictionary(pins.map { ($0.hash, $0) }, uniquingKeysWith: Self.preferred).values)
        try database.query(
            """
            INSERT INTO geocodes AS old (
                hash, street, city, region, postcode, country, status, latitude, longitude, precision, placemark, provider,
                confidence, reason, geocoded_at, pinned_at, account)
            SELECT hash, street, city, region, postcode, country, 'located', latitude, longitude, 'rooftop', '{}', 'contact',
                   confidence, reason, now(), now(), \(account)
            FROM unnest(
                \(distinct.map(\.hash)), \(distinct.map(\.address.street)), \(distinct.map(\.address.city)),
                \(distinct.map(\.address.region)), \(distinct.map(\.address.postcode)),
                \(distinct.map(\.address.country)), \(distinct.map(\.position.latitude)), \(distinct.map(\.position.longitude)),
                \(distinct.map(\.confidence)), \(distinct.map(\.reason))
            ) AS brought (hash, street, city, region, postcode, country, latitude, longitude, confidence, reason)
            ORDER BY hash
            ON CONFLICT (hash) DO UPDATE
            SET latitude = excluded.latitude, longitude = excluded.longitude, confidence = excluded.confidence,
                reason = excluded.reason, geocoded_at = now(), pinned_at = now()
            WHERE old.provider = 'contact'
              AND (old.latitude, old.longitude, old.reason) IS DISTINCT FROM
                  (excluded.latitude, excluded.longitude, excluded.reason)
            """)
    }

    private static func preferred(_ earlier: ContactPin, _ later: ContactPin) -> ContactPin {
        later.distantPart != nil && earlier.distantPart == nil ? earlier : later
    }

    /// Returns which of these are pins.
    package func pins(among hashes: [AddressHash], on database: isolated Connection) throws -> Set<AddressHash> {
        guard !hashes.isEmpty else { return [] }
        let rows = try database.query(
            "SELECT hash FROM geocodes WHERE hash = ANY (\(hashes)) AND pinned_at IS NOT NULL")
        return Set(try rows.map { try $0.read("hash") })
    }

    /// Deletes those of these pins that no address uses.
    package func deleteUnusedPins(_ hashes: [AddressHash], on database: isolated Connection) throws {
        guard !hashes.isEmpty else { return }
        // crosses rooms: only `addresses` shows if a pin is in use.
        try database.query(
            """
            DELETE FROM geocodes
            WHERE hash = ANY (\(hashes)) AND provider = 'contact'
              AND NOT EXISTS (SELECT FROM addresses WHERE addresses.hash = geocodes.hash)
            """)
    }
}
