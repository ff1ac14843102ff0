import Geocoding
package import Postgres
import Schema

extension Gazetteer {
    /// Loads the data that the binary brings, unless this edition is there already. Returns whether
    /// anything was loaded. Any number of processes may call this at once.
    @discardableResult
    package func load(into database: Database) async throws -> Bool {
        // Two data sets, two connections: folding names keeps one core busy, copying them the other.
        async let places = database.transaction { try load(Seed.places, into: $0, copyPlaces) }
        async let postcodes = database.transaction { try load(Seed.postcodes, into: $0, copyPostcodes) }
        let loaded = try await (places, postcodes)
        return loaded.0 || loaded.1
    }

    private func load(
        _ seed: Seed, into database: isolated Connection, _ copy: (Seed, isolated Connection) throws -> Void
    ) throws -> Bool {
        // Held until commit: a second process waits here, then finds the data loaded.
        try database.query("SELECT pg_advisory_xact_lock(hashtext(\("waypost.seed." + seed.name)))")
        let present = try database.query("SELECT edition FROM gazetteer_editions WHERE dataset = \(seed.name)")
        if try present.first?.read("edition") == Seed.edition { return false }
        try copy(seed, database)
        try database.query(
            """
            INSERT INTO gazetteer_editions (dataset, edition) VALUES (\(seed.name), \(Seed.edition))
            ON CONFLICT (dataset) DO UPDATE SET edition = excluded.edition, loaded_at = now()
            """)
        return true
    }
}

/// Reads the places twice, once for each table: unpacking costs less than holding half a million names.
private func copyPlaces(_ seed: Seed, into database: isolated Connection) throws {
    // Filling these two row by row takes several times as long as making them of what is there.
    try database.run(
        script: """
            TRUNCATE gazetteer_places, gazetteer_names;
            DROP INDEX gazetteer_names_by_trigrams, gazetteer_places_by_position
            """)
    try database.copy(
        into: """
            gazetteer_places (id, name, country, region_code, region, region_key, latitude, longitude, population)
            """
    ) { rows in
        try seed.forEachLine { line in
            let region = String(line[5])
            try rows.append(
                String(line[0]), String(line[1]), String(line[3]), String(line[4]).lowercased(), region,
                Folding.loose(region), String(line[6]), String(line[7]), String(line[8]))
        }
    }
    try database.copy(into: "gazetteer_names (place, name)") { rows in
        try seed.forEachLine { line in
            let id = String(line[0])
            var names: Set<String> = [Folding.loose(String(line[1]))]
            for other in line[2].split(separator: UInt8(ascii: "|")) { names.insert(Folding.loose(String(other))) }
            for name in names where !name.isEmpty { try rows.append(id, name) }
        }
    }
    try database.run(
        script: """
            CREATE INDEX gazetteer_names_by_trigrams ON gazetteer_names USING gin (name gin_trgm_ops);
            CREATE INDEX gazetteer_places_by_position ON gazetteer_places
                USING gist (on_the_sphere(latitude, longitude));
            ANALYZE gazetteer_places;
            ANALYZE gazetteer_names
            """)
}

private func copyPostcodes(_ seed: Seed, into database: isolated Connection) throws {
    try database.query("TRUNCATE gazetteer_postcodes")
    try database.copy(
        into: "gazetteer_postcodes (country, postcode, place, place_key, region, latitude, longitude)"
    ) { rows in
        try seed.forEachLine { line in
            let country = String(line[0])
            let place = String(line[2])
            try rows.append(
                country, Gazetteer.postcodeKey(String(line[1]), in: country), place, Folding.loose(place),
                String(line[4]),
                String(line[5]), String(line[6]))
        }
    }
    try database.run(script: "ANALYZE gazetteer_postcodes")
}

extension String {
    fileprivate init(_ column: Slice<UnsafeBufferPointer<UInt8>>) {
        self.init(decoding: column, as: UTF8.self)
    }
}
