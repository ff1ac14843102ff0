import DatabaseTesting
import ExtremesTesting
import Postgres
import Queue
import Testing

@testable import Terminal
@testable import waypost

/// Every option takes an extreme value or refuses it.
@Suite(.database)
struct ExtremeOptionTests: CommandSuite {
    let program = Program()

    private static let words =
        Extremes.numbers.flatMap {
            ["\($0)", "\($0)s", "\($0)d", "\($0)/s", "1/\($0)d", "gazetteer=\($0)/\($0)s", "\($0) USD"]
        }
        + [
            "nan", "inf", "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:60Z", "0x1p1023", "1/s:burst=1e300", "1,1e400",
            "held.0.-9223372036854775808.1.a", "held.3.9223372036854775807.9223372036854775807.a",
        ]

    @Test func `each option of each command reads any word`() {
        func check(_ node: CommandTree.Node) {
            switch node {
            case .group(_, _, let nodes): nodes.forEach(check)
            case .verb(let verb):
                for word in Self.words {
                    // Each value is a new command's, because an option takes one.
                    for number in verb.parameters.indices { _ = verb.parameters[number].take(word) }
                }
            }
        }
        Waypost.commands.root.children.forEach(check)
    }

    @Test func `a lane with the slowest and the fastest limits is shown and planned`() async throws {
        try program.write("Name,City,Country\nAda,Espoo,FI\nBob,Kuopio,FI\n", to: "a.csv")
        try await Database.test.transaction { db in
            try JobQueue().change("gazetteer", on: db) { $0.batch = 1 }
            _ = try JobQueue().enqueue([9_001, 9_002], in: "gazetteer", on: db)
        }
        for (rate, isPermitted) in [
            ("1e-300/s", false), ("1e-6/31622400s", false), ("1/9223372036854775807d", false), ("1e300/s", false),
            ("1/367d", false), ("1/s:burst=1e300", false), ("1e-6/s", true), ("1/366d", true), ("1e9/s", true),
            ("1e9/s:burst=1e9", true),
        ] {
            #expect(try await waypost("lanes limit gazetteer", rate).code == (isPermitted ? 0 : 2), "\(rate)")
            for command in [["lanes", "show", "gazetteer"], ["stats"], ["lanes", "audit", "gazetteer"]] {
                #expect(try await waypost(command).code == 0, "\(rate) \(command)")
            }
            let plan = try await waypost("plan a.csv --limit", "gazetteer=\(rate)")
            #expect(plan.code == (isPermitted ? 0 : 2), "\(rate): \(plan.error)")
        }
    }

    /// Rows of an older version, or of another program, may have a limit that no door permits.
    @Test func `a limit that only a row can have ends no command`() async throws {
        try await Database.test.transaction { db in
            try JobQueue().change("gazetteer", on: db) { $0.batch = 1 }
            _ = try JobQueue().enqueue(Array(1...30), in: "gazetteer", on: db)
            try db.query("INSERT INTO token_buckets (lane, per, refill, capacity) VALUES (1, '366 days', 1e-6, 1)")
            try db.query("INSERT INTO token_buckets (lane, per, refill, capacity) VALUES (1, '1 s', 1e-300, 1e300)")
        }
        for command in [
            ["lanes", "show", "gazetteer"], ["lanes", "list"], ["stats"], ["jobs", "list"], ["jobs", "why", "2"],
        ] {
            try await waypost(command).expect(0)
        }
    }
}
