import Contacts
import DatabaseTesting
import Geocoding
import Postgres
import Testing

@testable import Formats

/// Contacts imported from any format, exported to any format and imported again are the same.
@Suite(.database)
struct RoundTripTests {
    private let writer = ContactWriter()
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test(
        arguments: [
            "plain.csv", "google-new.csv", "google-old.csv", "outlook.csv", "android-2.1.vcf", "nokia-2.1.vcf",
            "outlook-2.1.vcf", "icloud-3.0.vcf", "nextcloud-4.0.vcf", "places.geojson", "contacts.ndjson",
            "Monica/export.json",
        ], [PlaceFormat.csv, .geoJSON, .ndjson, .vCard])
    func `an export has every friend with an address, and importing it changes nothing`(
        source: String, format: PlaceFormat
    ) async throws {
        let friends = try read(samplePath(source)).filter { !$0.addresses.isEmpty }
        #expect(!friends.isEmpty)
        _ = try await store(samplePath(source))
        try await locateAll()
        let before = try await versions()

        let path = folder.file("export.\(format.rawValue)")
        try await export(to: path, as: format)
        let kept = try read(path)
        #expect(kept == friends)
        #expect(kept.map(bytes) == friends.map(bytes))

        let counts = try await store(path)
        #expect(counts == SyncCounts(unchanged: friends.count, addresses: friends.flatMap(\.addresses).count))
        #expect(try await versions() == before)
    }

    private func read(_ path: String) throws -> [Friend] {
        var reader = try SourceFormat(path: path).reader(path: path, options: ReadingOptions())
        var friends: [Friend] = []
        while let entry = try reader.next() {
            if case .contact(_, let friend) = entry { friends.append(friend) }
        }
        return friends
    }

    private func store(_ path: String) async throws -> SyncCounts {
        let database = try Database.test
        let account = try await database.run { try ContactStore().openAccount(named: "default", on: $0) }
        var reader = try SourceFormat(path: path).reader(path: path, options: ReadingOptions())
        return try await ImportRun(ImportRules(feed: "book"), database: database, account: account)
            .run(&reader).counts
    }

    /// Gives every waiting address its own place, like a provider.
    private func locateAll() async throws {
        _ = try await Database.test.run { db throws in
            try db.query(
                """
                UPDATE geocodes
                SET status = 'located', job = NULL, latitude = 50.123456789 + id / 1000.0, longitude = -0.00001 * id,
                    precision = 'street', confidence = 0.5, provider = 'gazetteer', geocoded_at = now()
                WHERE status = 'waiting'
                """)
        }
    }

    private func export(to path: String, as format: PlaceFormat) async throws {
        var writer = try format.writer(to: path, attribution: ["GeoNames"])
        let places = try await Database.test.run { db throws in
            try ContactStore().places(PlaceFilter(account: "default"), limit: 1_000, on: db)
        }
        for place in places { try writer.write(place) }
        try writer.finish().commit()
    }

    /// The version of each row that an import could write.
    private func versions() async throws -> [String] {
        try await Database.test.run { db throws in
            try rows(
                """
                SELECT 'friend ' || id || ' ' || xmin AS v FROM friends
                UNION ALL SELECT 'address ' || id || ' ' || xmin FROM addresses
                UNION ALL SELECT 'geocode ' || id || ' ' || xmin FROM geocodes
                UNION ALL SELECT 'job ' || id FROM jobs
                ORDER BY 1
                """, on: db
            ).map { try $0.read("v") }
        }
    }

    /// Compares bytes, because Swift's texts are equal if an accent is only encoded differently.
    private func bytes(_ friend: Friend) -> [[UInt8]] {
        let texts =
            [friend.sourceKey, friend.name, friend.firstName, friend.lastName, friend.nickname]
            + friend.addresses.flatMap { labelled in
                let address = labelled.address
                return [
                    labelled.label, address.street, address.city, address.region, address.postcode, address.country,
                ]
            }
        return texts.map { Array($0.utf8) }
    }
}
