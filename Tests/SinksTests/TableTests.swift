import DatabaseTesting
import Polling
import Postgres
import Testing

@testable import Sinks

@Suite(.database)
struct TableTests {
    @Test func `a location becomes a row of a table that is created for it`() async throws {
        try await upload([.sample(), .sample("2", at: 1_800_000_001.001, accuracy: nil)])
        #expect(
            try await contents() == [
                "ann-secret 1 2027-01-15T08:00:00.250 60.125 24.5 8 90",
                "ann-secret 2 2027-01-15T08:00:01.001 60.125 24.5 - 90",
            ])
    }

    @Test func `a removed location is deleted, also from a table that does not exist yet`() async throws {
        try await upload([.sample(isRemoved: true)])
        #expect(try await contents() == [])
        try await upload([.sample("1"), .sample("2"), .sample("3", at: 1_800_000_000.251)])
        // The same id of another user or another time is another location.
        try await upload([
            .sample("1", isRemoved: true), .sample("2", user: "bob", isRemoved: true), .sample("3", isRemoved: true),
        ])
        #expect(try await contents().map { $0.split(separator: " ")[1] } == ["2", "3"])
    }

    @Test func `a location that appears twice in a parcel is stored in its last state`() async throws {
        try await upload([.sample(waitTime: 1), .sample("2"), .sample(waitTime: 5), .sample("2", isRemoved: true)])
        #expect(try await contents() == ["ann-secret 1 2027-01-15T08:00:00.250 60.125 24.5 8 5"])
    }

    @Test func `ids that look equal but differ in bytes are two rows`() async throws {
        try await upload([.sample("é"), .sample("e\u{301}")])
        #expect(try await contents().count == 2)
    }

    @Test func `an unchanged location writes nothing`() async throws {
        try await upload([.sample()])
        let before = try await version()
        try await upload([.sample()])
        #expect(try await version() == before)
        try await upload([.sample(accuracy: nil)])
        #expect(try await version() != before)
    }

    private func version() async throws -> [String] {
        try await Database.test.run { try rows("SELECT xmin::text FROM locations", on: $0).map { try $0.read("xmin") } }
    }

    @Test func `a table may be in a schema and have any name`() async throws {
        try await Database.test.run { try $0.run(script: #"CREATE SCHEMA "My ""Maps""""#) }
        let table = try #require(TableName(#"My "Maps".Its; DROP TABLE x"#))
        try await TableSink(url: Database.testURL, table: table).upload(Parcel(id: "1", locations: [.sample()]))
        let count = try await Database.test.run {
            try rows(#"SELECT count(*) FROM "My ""Maps"""."Its; DROP TABLE x""#, on: $0).first?.read(
                "count", as: Int.self)
        }
        #expect(count == 1)
    }

    @Test(arguments: ["", ".", "a.", ".a", "a.b.c", String(repeating: "x", count: 64)])
    func `a text that is not a table name is refused`(text: String) {
        #expect(TableName(text) == nil)
    }

    @Test func `twenty concurrent writers create one table and lose nothing`() async throws {
        let url = try Database.testURL
        for round in 1...5 {
            let table = try #require(TableName("round_\(round)"))
            try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        // The same rows too, in another order.
                        let shared = (0..<10).map { LocationToUpload.sample("shared \($0)", waitTime: Double(number)) }
                        try await TableSink(url: url, table: table).upload(
                            Parcel(id: "1", locations: shared.shuffled() + [.sample("own \(number)")]))
                    }
                }
                try await group.waitForAll()
            }
            let sql: SQL = "SELECT count(*) FROM \(identifier: table.description)"
            let count = try await Database.test.run { try rows(sql, on: $0).first?.read("count", as: Int.self) }
            #expect(count == 30)
        }
    }

    @Test func `a parcel with one refused row leaves nothing behind, and the error has no value`() async throws {
        try await upload([])
        try await upload([.sample("0", isRemoved: true)])
        try await Database.test.run {
            try $0.run(script: "ALTER TABLE locations ADD CONSTRAINT no_secret CHECK (lat < 61)")
        }
        let error = try await failure { try await upload([.sample("1"), .sample("2", lat: 62)]) }
        #expect(error == .refused(reason: "PostgreSQL answered 23514: the table does not take such a row"))
        #expect(try await contents() == [])
    }

    @Test func `a table that a person must repair is reported without values`() async throws {
        let url = try Database.testURL
        try await Database.test.run {
            try $0.run(
                script: """
                    CREATE TABLE other (user_id text, secret int);
                    CREATE TABLE keyless (
                        user_id text, id text, timestamp timestamptz, lat float8, lng float8, accuracy float8, wait_time float8)
                    """)
        }
        for (table, state) in [
            ("other", "42703"), ("keyless", "42P10"), ("no_schema.x", "3F000"), ("pg_catalog.x", "42501"),
        ] {
            let name = try #require(TableName(table))
            let error = try await failure {
                try await TableSink(url: url, table: name).upload(Parcel(id: "1", locations: [.sample()]))
            }
            #expect(Meaning(error) == .denied)
            #expect("\(error)".contains(state))
        }
    }

    @Test func `a refused login is denied, and a missing server is an outage`() async throws {
        let url = try Database.testURL
        let stranger = url.replacing("waypost_test_", with: "no_secret_")
        let refused = try await failure {
            try await TableSink(url: stranger).upload(Parcel(id: "1", locations: [.sample()]))
        }
        #expect(Meaning(refused) == .denied)
        let absent = "postgresql://ann-secret:word-secret@127.0.0.1:1/secret?connect_timeout=2"
        let error = try await failure {
            try await TableSink(url: absent, waitLimit: .seconds(1)).upload(Parcel(id: "1", locations: [.sample()]))
        }
        #expect(Meaning(error) == .unavailable)
    }

    @Test func `a lost connection is an outage, and the next parcel gets a new connection`() async throws {
        let sink = TableSink(url: try Database.testURL)
        try await sink.upload(Parcel(id: "1", locations: [.sample()]))
        try await Database.test.run {
            try $0.run(
                script: """
                    CREATE FUNCTION hang_up() RETURNS trigger LANGUAGE plpgsql
                    AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';
                    CREATE TRIGGER hang_up BEFORE INSERT ON locations FOR EACH ROW EXECUTE FUNCTION hang_up()
                    """
            )
        }
        let error = try await failure { try await sink.upload(Parcel(id: "2", locations: [.sample("2")])) }
        #expect(Meaning(error) == .unavailable)
        try await Database.test.run { try $0.run(script: "DROP TRIGGER hang_up ON locations") }
        try await sink.upload(Parcel(id: "2", locations: [.sample("2")]))
        #expect(try await contents().count == 2)
    }

    @Test func `the connections end with the sink`() async throws {
        do {
            let sink = TableSink(url: try Database.testURL, applicationName: "the sink")
            try await sink.upload(Parcel(id: "1", locations: [.sample()]))
            #expect(try await sessions() == 1)
        }
        try await pollUntil { try await sessions() == 0 }
    }

    private func sessions() async throws -> Int {
        try await Database.test.run {
            try rows("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'the sink'", on: $0).first?
                .read("count") ?? 0
        }
    }

    @Test func `the URL is not printed`() {
        let sink = TableSink(url: "postgresql://ann:word-secret@db/x")
        var dumped = ""
        dump(sink, to: &dumped)
        for text in ["\(sink)", String(reflecting: sink), dumped] { #expect(!text.contains("secret")) }
    }

    private func upload(_ locations: [LocationToUpload]) async throws {
        try await TableSink(url: Database.testURL).upload(Parcel(id: "1", locations: locations))
    }

    private func failure(_ body: () async throws -> Void) async throws -> SinkError {
        let error = try await #require(throws: SinkError.self) { try await body() }
        expectDiscretion(error)
        return error
    }

    private func contents() async throws -> [String] {
        try await Database.test.run {
            try rows(
                """
                SELECT concat_ws(
                    ' ', user_id, id, to_char(timestamp AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), lat, lng,
                    coalesce(accuracy::text, '-'), wait_time) AS line
                FROM locations
                ORDER BY user_id, timestamp, id
                """, on: $0
            ).map { try $0.read("line") }
        }
    }
}
