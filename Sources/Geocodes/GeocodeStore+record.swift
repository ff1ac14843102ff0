package import Geocoding
package import Postgres

extension GeocodeStore {
    /// Stores what a provider said about the questions of jobs that just ended.
    ///
    /// Call it in the transaction that ended the jobs, with only those that were still held: the
    /// lease guards the job, and the job guards these rows.
    package func record(
        _ answers: [(id: Int, answer: Answer)], from provider: String, on database: isolated Connection
    ) throws {
        var located: [(id: Int, placemark: Placemark, precision: Precision)] = []
        var notFound: [Int] = []
        for (id, answer) in answers {
            switch answer {
            case .found(let candidates):
                guard let best = candidates.first else { continue }
                located.append((id, best.placemark, best.precision))
            case .notFound, .refused: notFound.append(id)
            }
        }
        try record(located: located, from: provider, on: database)
        try close(notFound, as: .notFound, because: nil, from: provider, on: database)
    }

    /// Gives questions up. `reason` is for a person to read, and holds nothing of the address.
    package func fail(
        _ subjects: [Int], because reason: String, from provider: String, on database: isolated Connection
    ) throws {
        try close(subjects, as: .failed, because: reason, from: provider, on: database)
    }

    private func record(
        located: [(id: Int, placemark: Placemark, precision: Precision)], from provider: String,
        on database: isolated Connection
    ) throws {
        guard !located.isEmpty else { return }
        let places = located.map(\.placemark)
        try database.query(
            """
            UPDATE geocodes
            SET status = 'located',
                job = NULL,
                latitude = found.latitude,
                longitude = found.longitude,
                precision = found.precision,
                placemark = jsonb_strip_nulls(jsonb_build_object(
                    'name', found.name,
                    'thoroughfare', found.thoroughfare,
                    'subThoroughfare', found.sub_thoroughfare,
                    'locality', found.locality,
                    'administrativeArea', found.administrative_area,
                    'postalCode', found.postal_code,
                    'countryCode', found.country_code)),
                provider = \(provider),
                reason = NULL,
                geocoded_at = now()
            FROM unnest(
                \(located.map(\.id)),
                \(places.map(\.coordinate.latitude)), \(places.map(\.coordinate.longitude)),
                \(located.map(\.precision.rawValue)),
                \(places.map(\.name)), \(places.map(\.thoroughfare)), \(places.map(\.subThoroughfare)),
                \(places.map(\.locality)), \(places.map(\.administrativeArea)), \(places.map(\.postalCode)),
                \(places.map(\.countryCode))
            ) AS found (
                id, latitude, longitude, precision, name, thoroughfare, sub_thoroughfare, locality,
                administrative_area, postal_code, country_code)
            WHERE geocodes.id = found.id AND geocodes.status = 'waiting'
            """)
    }

    private func close(
        _ subjects: [Int], as status: GeocodeStatus, because reason: String?, from provider: String,
        on database: isolated Connection
    ) throws {
        guard !subjects.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET status = \(status.rawValue)::geocode_status,
                job = NULL,
                provider = \(provider),
                reason = \(reason),
                geocoded_at = now()
            WHERE id = ANY (\(subjects)) AND geocodes.status = 'waiting'
            """)
    }
}
