import Cluster
import DatabaseTesting
import HTTP
import HTTPTesting
import Postgres
import Providers
import Questions
import Queue
import Testing

/// A new worker and a full bucket. The provider's socket counts the calls.
@Suite(.database)
struct FirstBurstTests {
    @Test(arguments: ["10/h:burst=10", "100/d:burst=10"])
    func `a new worker uses the whole burst although its claims take longer than the grace`(
        _ limit: String
    ) async throws {
        let database = try Database.test
        let witness = Witness()
        let server = try ScriptedServer { witness.answer(to: $0) }
        defer { server.stop() }
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let provider = NominatimProvider(server: try #require(HTTPURL(server.url)), language: "en", http: client)
        try await database.transaction { db throws in
            let limits = [try #require(RateLimit(text: limit))]
            try JobQueue().prepareLane("nominatim", batch: 1, limits: limits, attribution: "", on: db)
            try db.query("UPDATE token_buckets SET full_at = now()")
            try ChainStore().set("default", to: Chain([.init("nominatim")]), on: db)
            try db.run(
                script: """
                    CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN PERFORM pg_sleep(0.05); RETURN NULL; END $$;
                    CREATE TRIGGER be_slow AFTER UPDATE ON token_buckets FOR EACH STATEMENT EXECUTE FUNCTION be_slow()
                    """)
        }
        try await fill(database, with: 40)
        let worker = Worker(
            name: "ada", database: database, works: [GeocodingWork(provider)], registry: ProcessRegistry(),
            callsAtOnce: 40, log: silent)
        try await with(worker) { () async throws in
            let deadline = ContinuousClock.now + .seconds(60)
            while witness.moments.count < 10, .now < deadline { try await Task.sleep(for: .milliseconds(10)) }
        }
        let lane = try await database.run { try JobQueue().lane("nominatim", on: $0) }
        #expect(witness.moments.count == 10, "void: \(lane.voided)")
        await client.close()
    }
}
