import Geocoding
import Postgres

extension Gazetteer {
    /// What is known of each address, at most five places for one.
    ///
    /// Most are spelt as everybody spells them, and one look settles them. Only the others are looked at more closely.
    func look(up addresses: [Address], on database: isolated Connection) throws -> [Answer] {
        let questions = addresses.map(GazetteerQuestion.init)
        var found = try exactly(questions, addresses, on: database)
        let doubtful = questions.indices.filter { found[$0].isDoubtful(for: questions[$0]) }
        for (number, more) in try closely(doubtful, questions, addresses, on: database) {
            found[number].add(more)
            found[number].settle(for: addresses[number])
        }
        return found.map { $0.isEmpty ? .notFound : .found($0.candidates) }
    }

    /// The first thing that there is: the postcode, the area it lies in, or the town.
    private func exactly(
        _ questions: [GazetteerQuestion], _ addresses: [Address], on database: isolated Connection
    ) throws -> [GazetteerFinds] {
        let rows = try database.query(
            """
            SELECT asked.number, hit.precision, hit.place, hit.region, hit.country, hit.latitude, hit.longitude,
                   hit.population, hit.others, hit.is_same
            FROM unnest(
                \(questions.map(\.country)), \(questions.map(\.postcode)), \(questions.map(\.area)),
                \(questions.map(\.city)), \(questions.map(\.region)), \(questions.map(\.isRegionStrict))
            ) WITH ORDINALITY AS asked (country, postcode, area, city, region, is_strict, number),
            LATERAL (
                (
                    SELECT 'postcode' AS precision, place, region, country, latitude, longitude, 0 AS population,
                           0::bigint AS others, place_key = asked.city AS is_same
                    FROM gazetteer_postcodes
                    WHERE country = asked.country AND postcode = asked.postcode AND asked.postcode <> ''
                    ORDER BY place_key <> asked.city, place
                    LIMIT 1
                )
                UNION ALL
                (
                    SELECT 'postcode', place, region, country, latitude, longitude, 0, 0, place_key = asked.city
                    FROM gazetteer_postcodes
                    WHERE country = asked.country AND postcode = asked.area AND asked.area <> ''
                    ORDER BY place_key <> asked.city, place
                    LIMIT 1
                )
                UNION ALL
                (
                    SELECT 'city', places.name, places.region, places.country, places.latitude, places.longitude,
                           places.population, count(*) OVER () - 1,
                           asked.region IN (places.region_code, places.region_key)
                    FROM gazetteer_names AS names
                    JOIN gazetteer_places AS places ON places.id = names.place
                    WHERE names.name = asked.city
                      AND asked.country IN ('', places.country)
                      AND (NOT asked.is_strict OR asked.region IN (places.region_code, places.region_key))
                    ORDER BY asked.region NOT IN (places.region_code, places.region_key), places.population DESC, places.id
                    LIMIT 1
                )
                LIMIT 1
            ) AS hit
            """)
        var finds = [GazetteerFinds](repeating: GazetteerFinds(), count: questions.count)
        for row in rows {
            let number: Int = try row.read("number")
            let address = addresses[number - 1]
            guard let find = try GazetteerFind(row, postcode: address.postcode) else { continue }
            finds[number - 1].add([find.precision == .city ? find.called(address.city) : find])
        }
        return finds
    }

    /// Towns of the same name, of names that mean the same, and where there are none of names that look alike.
    private func closely(
        _ doubtful: [Int], _ questions: [GazetteerQuestion], _ addresses: [Address], on database: isolated Connection
    ) throws -> [Int: [GazetteerFind]] {
        let spellings = doubtful.flatMap { number in
            CitySpelling(addresses[number]).names.enumerated().map { (number: number, rank: $0, name: $1) }
        }
        guard !spellings.isEmpty else { return [:] }
        let rows = try database.query(
            """
            SELECT asked.number, asked.rank, 'city' AS precision, hit.*
            FROM unnest(
                \(spellings.map(\.number)), \(spellings.map(\.rank)), \(spellings.map(\.name)),
                \(spellings.map { questions[$0.number].country }), \(spellings.map { questions[$0.number].region }),
                \(spellings.map { questions[$0.number].isRegionStrict })
            ) AS asked (number, rank, name, country, region, is_strict),
            LATERAL (
                SELECT places.name AS place, places.region, places.country, places.latitude, places.longitude,
                       places.population, count(*) OVER () - 1 AS others,
                       asked.region IN (places.region_code, places.region_key) AS is_same
                FROM gazetteer_names AS names
                JOIN gazetteer_places AS places ON places.id = names.place
                WHERE names.name = asked.name
                  AND asked.country IN ('', places.country)
                  AND (NOT asked.is_strict OR asked.region IN (places.region_code, places.region_key))
                ORDER BY asked.region NOT IN (places.region_code, places.region_key), places.population DESC, places.id
                LIMIT 5
            ) AS hit
            ORDER BY asked.number, asked.rank
            """)
        var finds: [Int: [GazetteerFind]] = [:]
        for row in rows {
            guard let find = try GazetteerFind(row, postcode: nil) else { continue }
            finds[try row.read("number"), default: []].append(find)
        }
        let missing = spellings.filter { finds[$0.number] == nil && $0.rank == 0 && $0.name.count > 3 }
        return finds.merging(try alike(missing.map { ($0.number, $0.name) }, questions, on: database)) { known, _ in
            known
        }
    }

    /// Towns whose names look like these: letters are left out, doubled and swapped.
    private func alike(
        _ spellings: [(number: Int, name: String)], _ questions: [GazetteerQuestion], on database: isolated Connection
    ) throws -> [Int: [GazetteerFind]] {
        guard !spellings.isEmpty else { return [:] }
        // Below it, names have little more in common than their language.
        try database.query("SELECT set_limit(0.45)")
        let rows = try database.query(
            """
            SELECT asked.number, 'city' AS precision, hit.*
            FROM unnest(
                \(spellings.map(\.number)), \(spellings.map(\.name)),
                \(spellings.map { questions[$0.number].country }), \(spellings.map { questions[$0.number].region }),
                \(spellings.map { questions[$0.number].isRegionStrict })
            ) AS asked (number, name, country, region, is_strict),
            LATERAL (
                SELECT places.name AS place, places.region, places.country, places.latitude, places.longitude,
                       places.population, 0::bigint AS others, similarity(names.name, asked.name) AS likeness,
                       asked.region IN (places.region_code, places.region_key) AS is_same
                FROM gazetteer_names AS names
                JOIN gazetteer_places AS places ON places.id = names.place
                WHERE names.name % asked.name
                  AND asked.country IN ('', places.country)
                  AND (NOT asked.is_strict OR asked.region IN (places.region_code, places.region_key))
                -- A town of millions is more often misspelt than a village that happens to be called so.
                ORDER BY similarity(names.name, asked.name) + log(1 + places.population) / 25 DESC, places.id
                LIMIT 5
            ) AS hit
            """)
        var finds: [Int: [GazetteerFind]] = [:]
        for row in rows {
            guard let find = try GazetteerFind(row, postcode: nil, likeness: row.read("likeness")) else { continue }
            finds[try row.read("number"), default: []].append(find)
        }
        return finds
    }
}
