import Formats
import Geocoding
import Postgres
import Questions

extension KnownPlace {
    /// The columns that ``init(_:)`` reads.
    static let columns: SQL = "\(part: namedColumns), \(part: addedColumns)"

    /// The columns that ``init(named:)`` reads.
    static let namedColumns: SQL = "\(part: usualColumns), geocodes.placemark::text AS placemark"

    /// The columns that ``init(usual:)`` reads.
    ///
    /// crosses rooms: an address has a place only through its hash, so the two tables are read as one.
    static let usualColumns: SQL = """
        coalesce(geocodes.status, 'waiting') AS status, geocodes.latitude, geocodes.longitude, geocodes.precision,
        geocodes.confidence, geocodes.is_weak, geocodes.provider, geocodes.reason
        """

    /// crosses rooms: the attribution of a place is in its lane.
    private static let addedColumns: SQL = """
        \(part: .utc("geocodes.geocoded_at")) AS geocoded_at,
        encode(addresses.hash, 'hex') AS hash, geocodes.candidates_so_far, geocodes.waits_for, geocodes.located_from,
        -- For a waiting question the best candidate so far is written, so take the candidate's provider.
        (SELECT attribution FROM lanes
         WHERE lanes.name = coalesce(geocodes.provider, geocodes.candidates_so_far::jsonb -> 0 ->> 'provider')
           AND attribution <> '') AS attribution
        """

    /// Selects one answer, for a LATERAL join with `addresses`: that makes it an index lookup, whatever the planner
    /// assumes about the tables. It names the columns, because the API's role may read no others.
    static let answer = selection(with: "NULL AS candidates_so_far, NULL AS waits_for, NULL AS located_from")

    /// The same for an export, with the best place so far of a waiting question. The API's role may not read that.
    ///
    /// crosses rooms: see above.
    static let answerSoFar = selection(with: PlaceSoFar.columns)

    private static func selection(with placeSoFar: SQL) -> SQL {
        """
        SELECT id, status, \(part: Place.columns), reason, geocoded_at, \(part: placeSoFar)
        FROM geocodes
        WHERE hash = addresses.hash
        LIMIT 1
        """
    }

    /// The place of a located address with only the values that a map shows.
    init(marker row: Row) throws {
        self.init(
            status: .located, coordinate: try Coordinate(row),
            precision: try row.readIfPresent("precision").flatMap(Precision.init(rawValue:)),
            isWeak: try row.readIfPresent("is_weak") == true, areaConfidence: try row.readIfPresent("confidence"),
            provider: try row.readIfPresent("provider"))
    }

    /// Reads the place of an address from a row of `addresses` and `geocodes`.
    init(_ row: Row) throws {
        if let soFar = try PlaceSoFar(row) {
            self.init(soFar, hash: try row.readIfPresent("hash"))
            if coordinate != nil { attribution = try row.readIfPresent("attribution") }
            return
        }
        try self.init(named: row)
        geocodedAt = try row.readIfPresent("geocoded_at")
        hash = try row.readIfPresent("hash")
        if coordinate != nil { attribution = try row.readIfPresent("attribution") }
    }

    /// The same without the time of its answer, and the hash.
    init(named row: Row) throws {
        try self.init(usual: row)
        if let coordinate, let names: String = try row.readIfPresent("placemark"), names != "{}" {
            placemark = try? Placemark(at: coordinate, names: names)
        }
    }

    /// The same without the names of the place.
    init(usual row: Row) throws {
        let status = try row.readIfPresent("status").flatMap(GeocodeStatus.init(rawValue:)) ?? .waiting
        let coordinate = try Coordinate(row)
        let precision = try row.readIfPresent("precision").flatMap(Precision.init(rawValue:))
        let areaConfidence: Double? = try row.readIfPresent("confidence")
        let isWeak = try row.readIfPresent("is_weak") == true
        let provider: String? = try row.readIfPresent("provider")
        let stored: String? = try row.readIfPresent("reason")
        let reason =
            if status == .located {
                // A provisional answer and a given position have a reason.
                stored ?? (isWeak ? precision.flatMap(Doubt.coarseness) : nil)
            } else {
                status.reason(stored, provider: provider)
            }
        self.init(
            status: status, coordinate: coordinate, precision: precision, isWeak: isWeak && coordinate != nil,
            areaConfidence: areaConfidence, provider: provider, reason: reason)
    }
}

extension KnownPlace {
    /// While a question waits, its best place so far is used: a provider that fails must not leave less than no
    /// provider would.
    fileprivate init(_ soFar: PlaceSoFar, hash: String?) {
        self.init(
            status: .waiting, coordinate: soFar.place?.placemark.coordinate, precision: soFar.place?.precision,
            isWeak: soFar.place?.isWeak ?? false, areaConfidence: soFar.place?.areaConfidence,
            provider: soFar.place?.provider, placemark: soFar.place?.placemark, reason: soFar.reason, hash: hash)
    }
}

extension Address {
    /// Reads the columns of `addresses`.
    init(_ row: Row) throws {
        self.init(
            street: try row.read("street"), city: try row.read("city"), region: try row.read("region"),
            postcode: try row.read("postcode"), country: try row.read("country"))
    }
}

extension Coordinate {
    /// Returns nil if the row has no coordinate.
    init?(_ row: Row) throws {
        guard let latitude = try row.readIfPresent("latitude", as: Double.self),
            let longitude = try row.readIfPresent("longitude", as: Double.self)
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}

extension ContactPlace {
    init(_ row: Row) throws {
        self.init(
            id: try row.read("id"), friend: try row.read("friend"), position: try row.read("position"),
            sourceKey: try row.read("source_key"), name: try row.read("name"), label: try row.read("label"),
            address: try Address(row), status: .waiting)
        place = try KnownPlace(row)
        firstName = try row.read("first_name")
        lastName = try row.read("last_name")
        nickname = try row.read("nickname")
        countryCode = try row.readIfPresent("country_code")
    }
}
