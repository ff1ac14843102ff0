import DatabaseTesting
import Foundation
import Glibc
import Polling
import Postgres
import Testing

/// On a cluster in which the test plays the worker.
@Suite(.database)
struct CompareCommandTests: CommandSuite {
    let program: Program

    init() throws {
        program = try Program()
    }

    private func number(_ sql: SQL) async throws -> Int {
        try await Database.test.run { try $0.query(sql)[0].read("number") }
    }

    /// Lets one chain find an address of this city.
    private func locate(
        _ city: String, along chain: String, at latitude: Double, as precision: String
    ) async throws {
        let located = try await Database.test.run { db in
            try db.query(
                """
                UPDATE geocodes
                SET status = 'located', job = NULL, latitude = \(latitude), longitude = 11.6, precision = \(precision),
                    is_weak = \(precision) = 'city', confidence = 0.9, provider = 'gazetteer', geocoded_at = now()
                WHERE city = \(city) AND status = 'waiting' AND chain = (SELECT id FROM chains WHERE name = \(chain))
                """
            ).affected
        }
        #expect(located == 1)
    }

    @Test func `two chains are compared, and a killed run that is repeated makes no call twice`() async throws {
        defer { program.remove() }
        let file = """
            Nr,name,street,city,country
            7,Ada,1 Main St,Reno,US
            8,Bob,2 Main St,Ely,US
            9,Cy,3 Main St,Elko,US
            10,Di,1 Main St,Reno,US
            11,Ed,4 Main St,Fallon,US

            """
        try program.write(file, to: "a.csv")
        try await Database.test.run { db in
            try db.query("INSERT INTO chains (name, plan) SELECT 'strict', plan FROM chains WHERE name = 'default'")
            try db.query("UPDATE lanes SET price_per_1000_calls = 1000, currency = 'EUR', batch = 1")
        }
        let words = ["chains", "compare", "a.csv", "--with", "default,strict"]
        let dry = try await waypost(words + ["--dry-run"])
        #expect(dry.output.hasPrefix("5 addresses, 4 of them distinct, along default and along strict:"), "\(dry)")
        #expect(dry.output.contains("In all 8 calls, 8.00 EUR"), "\(dry.output)")
        #expect(try await waypost(words).code == 2)
        #expect(try await number("SELECT count(*) AS number FROM geocodes") == 0)

        let killed = try RunningProgram(
            program, words + ["--yes", "-o", "b.csv"], environment: ["DATABASE_URL": Database.testURL])
        try await pollUntil { try await number("SELECT count(*) AS number FROM jobs WHERE lane = 1") >= 8 }
        killed.process.send(SIGKILL)
        _ = await killed.process.exit()
        #expect(!program.exists("b.csv"))
        // No question shares an answer with the other chain, or with a question asked for the place itself.
        #expect(
            try await number("SELECT count(*) AS number FROM geocodes WHERE loose_key IS NULL AND NOT follows") == 8)
        try await locate("Reno", along: "default", at: 48.1, as: "city")
        try await locate("Reno", along: "strict", at: 48.2, as: "rooftop")
        try await locate("Ely", along: "default", at: 48.1, as: "rooftop")
        try await locate("Elko", along: "default", at: 48.1, as: "street")
        try await locate("Elko", along: "strict", at: 48.1, as: "street")
        try await Database.test.run { db in
            try db.query(
                """
                UPDATE geocodes
                SET status = 'not_found', job = NULL, provider = 'gazetteer', geocoded_at = now()
                WHERE status = 'waiting'
                """)
        }
        let outcome = try await waypost(words + ["--yes", "-o", "b.csv"])
        #expect(
            outcome.output == """
                CHAIN     LOCATED      WEAK  TO REVIEW  NOT FOUND   FAILED    BETTER
                default  4 (80 %)  2 (40 %)    0 (0 %)   1 (20 %)  0 (0 %)  1 (20 %)
                strict   3 (60 %)   0 (0 %)    0 (0 %)   2 (40 %)  0 (0 %)  2 (40 %)
                Equally good: 2 (40 %).
                Both located 3 (60 %): half of them within 11,119 m, nine of ten within 11,119 m, the farthest 11,119 m.
                LINE  ADDRESS     APART  default                strict                    BETTER
                   2        1  11,119 m  city 0.9 by gazetteer  rooftop 0.9 by gazetteer  strict
                   5        1  11,119 m  city 0.9 by gazetteer  rooftop 0.9 by gazetteer  strict

                """)
        let rows = try program.read("b.csv").split(separator: "\r\n")
        #expect(rows.count == 6)
        #expect(rows[0].hasPrefix("line,address,default_status,default_precision,default_confidence,default_weak,"))
        #expect(rows[2] == "3,1,located,rooftop,0.9,no,gazetteer,48.1,11.6,not_found,,,,,,,,default")
        // Nothing is stored, not even a friend.
        #expect(
            try await number("SELECT (SELECT count(*) FROM geocodes) + (SELECT count(*) FROM friends) AS number") == 0)
        for wrong in ["default", "default,default", "a,b,c"] {
            #expect(try await waypost("chains", "compare", "a.csv", "--with", wrong).code == 2)
        }
    }
}
