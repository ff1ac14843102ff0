package import Geocoding
package import Postgres

/// Finds addresses in the built-in gazetteer: by postcode, then by city within region and country.
///
/// It needs no network and answers any number of addresses with one statement. It knows towns and
/// postcodes, no streets.
package struct GazetteerProvider: GeocodingProvider {
    package let name = "gazetteer"
    package let terms = ProviderTerms(
        batch: 500, forms: [.structured], attribution: "Places and postcodes © GeoNames, CC BY 4.0")
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    package func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
        do {
            return try await database.run { try Gazetteer().look(up: queries.map(\.address), on: $0) }
        } catch {
            // A database error quotes the statement, never its values.
            throw .unavailable(reason: "the gazetteer's tables could not be read: \(error)")
        }
    }
}

extension Gazetteer {
    /// Spaces and hyphens stand at different places in the same postcode, and some people put their
    /// country in front: `L-1115`, `LV-1005`, `D-80331`.
    static func postcodeKey(_ postcode: String, in country: String) -> String {
        let key = Folding.loose(postcode).filter { $0 != " " }
        for prefix in [country.lowercased(), carSigns[country] ?? ""] where !prefix.isEmpty && key.hasPrefix(prefix) {
            let rest = key.dropFirst(prefix.count)
            if rest.allSatisfy(\.isNumber), !rest.isEmpty { return String(rest) }
        }
        return key
    }

    /// The letters on cars, where they are not the country's code.
    private static let carSigns = [
        "AT": "a", "BE": "b", "DE": "d", "ES": "e", "FI": "fin", "FR": "f", "IT": "i", "LU": "l", "NO": "n", "PT": "p",
        "SE": "s", "SI": "slo",
    ]

    /// The part of a postcode for which there is a row, in countries where GeoNames gives no whole ones.
    static func area(of postcode: String, in country: String) -> String {
        switch country {
        case "GB" where postcode.count > 4: String(postcode.dropLast(3))
        case "CA" where postcode.count > 3, "IE" where postcode.count > 3: String(postcode.prefix(3))
        case "NL" where postcode.count > 4: String(postcode.prefix(4))
        case "US" where postcode.count > 5: String(postcode.prefix(5))
        default: ""
        }
    }

    /// Countries whose regions are written in so few ways that another region is another place.
    private static let strictRegions: Set = ["US", "CA", "AU"]

    func look(up addresses: [Address], on database: isolated Connection) throws -> [Answer] {
        let questions = addresses.map(Question.init)
        var answers = [Answer](repeating: .notFound, count: addresses.count)
        let rows = try database.query(
            """
            SELECT asked.number, hit.precision, hit.place, hit.region, hit.country, hit.latitude, hit.longitude
            FROM unnest(
                \(questions.map(\.country)), \(questions.map(\.postcode)), \(questions.map(\.area)),
                \(questions.map(\.city)), \(questions.map(\.region)), \(questions.map(\.isRegionStrict))
            ) WITH ORDINALITY AS asked (country, postcode, area, city, region, is_strict, number),
            LATERAL (
                (
                    SELECT 'postcode' AS precision, place, region, country, latitude, longitude
                    FROM gazetteer_postcodes
                    WHERE country = asked.country AND postcode = asked.postcode AND asked.postcode <> ''
                    ORDER BY place_key <> asked.city, place
                    LIMIT 1
                )
                UNION ALL
                (
                    SELECT 'postcode', place, region, country, latitude, longitude
                    FROM gazetteer_postcodes
                    WHERE country = asked.country AND postcode = asked.area AND asked.area <> ''
                    ORDER BY place_key <> asked.city, place
                    LIMIT 1
                )
                UNION ALL
                (
                    SELECT 'city', places.name, places.region, places.country, places.latitude, places.longitude
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
        for row in rows {
            let number: Int = try row.read("number")
            guard let precision = try Precision(rawValue: row.read("precision")),
                let coordinate = try Coordinate(latitude: row.read("latitude"), longitude: row.read("longitude"))
            else { continue }
            var placemark = Placemark(coordinate: coordinate)
            placemark.locality = try row.read("place")
            placemark.administrativeArea = try row.read("region")
            placemark.countryCode = try row.read("country")
            if precision == .postcode { placemark.postalCode = addresses[number - 1].postcode }
            answers[number - 1] = .located(placemark, precision)
        }
        return answers
    }

    /// An address in the gazetteer's own spelling.
    private struct Question {
        let country: String
        let postcode: String
        let area: String
        let city: String
        let region: String
        let isRegionStrict: Bool

        init(_ address: Address) {
            // A country nobody has heard of holds no place we know; no country at all may be any.
            country = Country(address.country)?.code ?? (address.country.isEmpty ? "" : "?")
            postcode = Gazetteer.postcodeKey(address.postcode, in: country)
            area = Gazetteer.area(of: postcode, in: country)
            city = Folding.loose(address.city)
            region = Folding.loose(address.region)
            isRegionStrict = !region.isEmpty && Gazetteer.strictRegions.contains(country)
        }
    }
}
