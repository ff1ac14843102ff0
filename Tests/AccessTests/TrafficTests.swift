import Contacts
import DatabaseTesting
import Postgres
import Processes
import Testing

@testable import Access

struct TrafficCountsTests {
    @Test func `a percentile lies in the class of its request`() throws {
        var counts = TrafficCounts()
        #expect(counts.quantile(0.5) == nil)
        for _ in 0..<98 { counts.add(.local, after: .microseconds(300)) }
        for _ in 0..<2 { counts.add(.call, after: .milliseconds(700)) }
        counts.add(.refused, after: .seconds(20))
        #expect(counts.requests == 101)
        let (half, most) = (try #require(counts.quantile(0.5)), try #require(counts.quantile(0.99)))
        #expect(half > .microseconds(256) && half < .microseconds(512))
        #expect(most > .microseconds(524_288) && most < .microseconds(1_048_576))
    }

    @Test(arguments: [.zero, .seconds(-1), .microseconds(64), .seconds(1 << 62)] as [Duration])
    func `every duration has a class`(_ duration: Duration) throws {
        var counts = TrafficCounts()
        counts.add(.cache, after: duration)
        let found = try #require(counts.quantile(1))
        #expect(found > .zero && found <= .seconds(40))
    }
}

@Suite(.database)
struct TrafficTests {
    private func caller(_ account: Int, token: Int?, _ name: String? = nil) -> Caller {
        Caller(account: account, accountName: "a", token: token, tokenName: name, scopes: [.geocode])
    }

    private func look(_ span: TrafficSpan = .hour) async throws -> [String: TrafficCounts] {
        let traffic = try await Database.test.run { try GatewayTraffic.look(span, on: $0) }
        let all = traffic.minutes.reduce(into: TrafficCounts()) { $0.add($1) }
        #expect(all.requests == traffic.tokens.reduce(0) { $0 + $1.counts.requests })
        return Dictionary(traffic.tokens.map { ($0.name, $0.counts) }) { first, _ in first }
    }

    @Test func `the requests at two coordinators add up by token and source`() async throws {
        let counters = [TrafficCounter(), TrafficCounter()]
        for round in 0..<3 {
            for counter in counters {
                counter.add(.local, of: caller(1, token: 7, "photos"), after: .milliseconds(1))
                counter.add(.missed, of: caller(1, token: 7, "photos"), after: .milliseconds(1))
                counter.add(.refused, of: caller(2, token: 8, "map"), after: .zero)
                if round == 2 { counter.add(.refused, of: nil, after: .zero) }
                try await Database.test.run { try counter.write(on: $0) }
            }
        }
        let found = try await look()
        #expect(found.mapValues(\.requests) == ["photos": 12, "map": 6, "": 2])
        #expect(found["photos"]?[.local] == 6 && found["photos"]?[.missed] == 6 && found["map"]?[.refused] == 6)
    }

    @Test(arguments: ["DELETE", "INSERT"])
    func `a write that fails after its commit, or before, counts each request once`(_ statement: String) async throws {
        let counter = TrafficCounter()
        func add() { counter.add(.cache, of: caller(1, token: 7, "photos"), after: .milliseconds(1)) }
        add()
        try await Database.test.run { db in
            try db.query(
                "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''full''; END'")
            try db.query(
                """
                CREATE TRIGGER fail BEFORE \(part: SQL(stringLiteral: statement)) ON gateway_minutes
                FOR EACH STATEMENT EXECUTE FUNCTION fail()
                """)
        }
        for _ in 0..<2 {
            await #expect(throws: DatabaseError.self) {
                try await Database.test.run { try counter.write(minute: $0.minute() - 2, on: $0) }
            }
            #expect(try await look()["photos"]?.requests == (statement == "DELETE" ? 1 : nil))
            #expect(!counter.isWritten)
            add()
        }
        try await Database.test.run { db in
            try db.query("DROP TRIGGER fail ON gateway_minutes")
            try counter.write(minute: db.minute() - 1, on: db)
        }
        #expect(counter.isWritten)
        #expect(try await look()["photos"]?.requests == 3)
    }

    @Test func `a clock that is set back overwrites nothing`() async throws {
        let counter = TrafficCounter()
        for minutes in [0, -5, -5, 0, -3] {
            counter.add(.cache, of: caller(1, token: 7, "photos"), after: .milliseconds(1))
            try await Database.test.run { try counter.write(minute: $0.minute() + minutes, on: $0) }
        }
        #expect(try await look()["photos"]?.requests == 5)
    }

    @Test func `only the last day is kept, and nothing is written without requests`() async throws {
        let counter = TrafficCounter()
        try await Database.test.run { try counter.write(on: $0) }
        #expect(try await look().isEmpty)
        counter.add(.local, of: caller(1, token: 7, "photos"), after: .milliseconds(1))
        try await Database.test.run { db in
            try counter.write(on: db)
            try db.query("UPDATE gateway_minutes SET minute = minute - interval '26 hours'")
        }
        let other = TrafficCounter()
        other.add(.local, of: caller(1, token: 8, "map"), after: .milliseconds(1))
        try await Database.test.run { try other.write(on: $0) }
        #expect(
            try await Database.test.query("SELECT name FROM gateway_minutes").map { try $0.read("name") } == ["map"])
    }

    @Test func `an account sees the traffic of its own tokens only, and a report that of all`() async throws {
        let (ada, bob) = try await Database.test.run { db in
            (try ContactStore().openAccount(named: "ada", on: db), try ContactStore().openAccount(named: "bob", on: db))
        }
        let counter = TrafficCounter()
        for (account, name) in [(ada, "hers"), (bob, "his")] {
            counter.add(.local, of: caller(account, token: account, name), after: .milliseconds(1))
        }
        counter.add(.refused, of: nil, after: .zero)
        let worker = try Database.test(as: "waypost_worker")
        try await worker.run { try counter.write(on: $0) }
        await worker.close()
        let admin = try Database.test(as: "waypost_admin")
        #expect(try await admin.run { try GatewayTraffic.look(.minute, on: $0).tokens }.isEmpty)
        for (account, names) in [(ada, ["hers"]), (bob, ["his"]), (0, [""])] {
            let traffic = try await AccountDatabase(admin, account: account).run {
                try GatewayTraffic.look(.minute, on: $0)
            }
            #expect(traffic.tokens.map(\.name) == names)
            #expect(traffic.minutes.reduce(0) { $0 + $1.requests } == 1)
        }
        await #expect(throws: DatabaseError.self) {
            try await AccountDatabase(admin, account: ada).run { try $0.query("DELETE FROM gateway_minutes") }
        }
        await admin.close()
        let report = try Database.test(as: "waypost_report")
        #expect(try await report.run { try GatewayTraffic.look(.minute, on: $0).tokens.count } == 3)
        await report.close()
        #expect(try await look().count == 3)
    }
}

extension Connection {
    fileprivate func minute() throws -> Int {
        try query("SELECT floor(extract(epoch FROM now()) / 60)::bigint AS minute")[0].read("minute")
    }
}
