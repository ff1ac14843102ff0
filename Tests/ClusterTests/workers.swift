import Cluster
import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Polling
import Postgres
import Processes
import Questions
import Queue
import Testing

/// A provider whose answers a test decides.
struct TestProvider: GeocodingProvider {
    var name = "gazetteer"
    var terms = ProviderTerms(batch: 500)
    let answer: @Sendable ([Address]) async throws(ProviderError) -> [Answer]

    func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
        try await answer(queries.map(\.address))
    }

    func reverseGeocode(_ coordinates: [Coordinate]) async throws(ProviderError) -> [Answer] {
        try await answer(coordinates.map { _ in Address() })
    }

    static let everywhere = TestProvider { addresses in addresses.map(house) }

    /// Exactly the house of the address.
    static func house(_ address: Address) -> Answer {
        var place = reno
        (place.thoroughfare, place.locality) = (address.street, address.city)
        (place.postalCode, place.administrativeArea) = (address.postcode, address.region)
        place.countryCode = Country(address.country)?.code
        return .located(place, .rooftop)
    }

    static var reno: Placemark {
        guard let coordinate = Coordinate(latitude: 39.5, longitude: -119.8) else {
            preconditionFailure("Reno is on Earth")
        }
        return Placemark(coordinate: coordinate)
    }
}

let silent = Log(format: .logfmt) { _ in }

func worker(
    _ providers: TestProvider..., named name: String = "ada", on database: Database,
    registry: ProcessRegistry = ProcessRegistry(), callsAtOnce: Int = 4, poll: Duration = .seconds(1),
    outageLimit: Duration = .seconds(600), log: Log = silent
) -> Worker {
    Worker(
        name: name, database: database, works: providers.map { GeocodingWork($0) }, registry: registry,
        callsAtOnce: callsAtOnce, poll: poll, outageLimit: outageLimit, log: log)
}

/// Runs the worker until `body` returns, then drains it.
func with(_ worker: Worker, _ body: () async throws -> Void) async throws {
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    let run = Task {
        defer { start.finish() }
        try await worker.run { start.yield() }
    }
    // A worker that is stopped while it starts ends with a cancellation, and proves nothing.
    for await _ in starts { break }
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    run.cancel()
    try await run.value
    try outcome.get()
}

/// Sets columns of the lane that the tests use.
func setLane(_ columns: String, on database: Database) async throws {
    try await database.run { try $0.run(script: "UPDATE lanes SET \(columns) WHERE name = 'gazetteer'") }
}

/// Reports when it listens, then each transaction that changes one of these tables.
struct Changes {
    let values: AsyncStream<Hearing>

    init(of tables: [String], in database: Database) async throws {
        try await database.run { db throws in
            try db.run(
                script: """
                    CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN NOTIFY test_changes; RETURN NULL; END $$
                    """)
            for table in tables {
                try db.run(
                    script: """
                        CREATE TRIGGER tell AFTER UPDATE ON \(table) FOR EACH STATEMENT EXECUTE FUNCTION tell()
                        """)
            }
        }
        values = database.listen(on: ["test_changes"])
    }
}

/// Stores friends at `count` addresses, `copies` at each, and a job for each address.
func fill(_ database: Database, with count: Int, copies: Int = 1) async throws {
    try await database.run { db throws in
        try db.run(
            script: """
                UPDATE lanes SET batch = 1, calls_per_worker = NULL, first_retry = '1 millisecond'
                WHERE name = 'gazetteer'
                """)
        let writer = ContactWriter()
        let friends = (0..<count * copies).map { number in
            let address = Address(street: "\(number % count + 1) Main St", city: "Reno")
            return Friend(
                sourceKey: "\(number + 1)", name: "Friend",
                addresses: [LabelledAddress(label: "", address: address)])
        }
        _ = try writer.store(friends, account: ContactStore().openAccount(named: "default", on: db), on: db)
    }
}

func counts(_ database: Database) async throws -> GeocodeCounts {
    try await database.run { try GeocodeStore().counts(on: $0) }
}

/// Returns once no question is waiting.
func waitForAnswers(
    _ database: Database, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> GeocodeCounts {
    try await pollUntil(sourceLocation: sourceLocation) { try await counts(database).waiting == 0 }
    return try await counts(database)
}
