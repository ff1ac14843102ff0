import DatabaseTesting
import Formats
import Geocoding
import Postgres
import Questions
import Queue
import Testing

@testable import Contacts

@Suite(.database)
struct DryRunTests {
    private let writer = ContactWriter()
    private let dryRun = DryRun(account: "default")

    private static let text = """
        name,street,city,country
        Ada,1 Main St,Reno,US
        Bob,1 MAIN ST,Reno,USA
        Cy,2 Elm St,Reno,US
        Di,,,
        Eve,"3 "Elm" St",Reno,US
        Flo,4 Oak St,Reno,US
        """

    private func outcome(of text: String = text) async throws -> DryRun.Outcome {
        var reader = try ContactsCSV(CSVReader(Array(text.utf8)))
        return try await dryRun.run(over: &reader, on: Database.test)
    }

    private func store(_ streets: String...) async throws {
        try await Database.test.run { [writer] db in
            let friends = streets.map { street in
                Friend(
                    sourceKey: street, name: "",
                    addresses: [
                        LabelledAddress(label: "", address: Address(street: street, city: "Reno", country: "US"))
                    ])
            }
            _ = try writer.store(friends, account: ContactStore().openAccount(named: "default", on: db), on: db)
        }
    }

    @Test func `a dry run counts a file and writes nothing`() async throws {
        let outcome = try await outcome()
        #expect(outcome.contacts == 5)
        #expect(outcome.addresses == 4)
        #expect(outcome.distinct == 3)
        #expect(outcome.known == 0)
        #expect(outcome.new == 3)
        #expect(outcome.refused == 1)
        // The gazetteer takes 500 addresses per call. Its terms are not given here, so the most counts every step.
        #expect(outcome.forecast.calls == 1...6)
        let left = try await Database.test.query(
            """
            SELECT (SELECT count(*) FROM accounts) + (SELECT count(*) FROM friends) + (SELECT count(*) FROM geocodes)
                   + (SELECT count(*) FROM jobs) AS count
            """)[0].read("count", as: Int.self)
        #expect(left == 0)
    }

    @Test func `addresses already asked or answered are counted as known`() async throws {
        try await store("1 Main St", "9 Other St")
        #expect(try await outcome().known == 1)
        #expect(try await outcome().forecast.calls.lowerBound == 1)
        try await store("2 Elm St", "4 Oak St")
        let none = try await outcome()
        #expect(none.known == 3)
        #expect(none.forecast.calls == 0...0)
    }

    /// A dry run predicts the import, whatever the state of the answers.
    @Test(arguments: [
        "status = 'forgotten', job = NULL", "status = 'not_found', job = NULL",
        "status = 'not_found', job = NULL, chain = 99", "status = 'failed', job = NULL, reason = 'x', chain = 99",
        "status = 'not_found', job = NULL, chain = 99, pinned_at = now()", "job = NULL",
        "status = 'located', job = NULL, latitude = 1, longitude = 1, precision = 'rooftop', chain = 99",
    ]) func `a dry run predicts the number of new questions`(state: String) async throws {
        try await store("1 Main St", "2 Elm St")
        try await Database.test.run(script: "UPDATE geocodes SET \(state)")
        let text = """
            name,street,city,country
            Ada,1 Main St,Reno,US
            Bob,"2 Elm St, Apt 5",Reno,US
            Cy,"3 Oak St, Apt 1",Reno,US
            """
        let foretold = try await outcome(of: text).new
        var contacts = try ContactsCSV(CSVReader(Array(text.utf8)))
        var friends: [Friend] = []
        while case .contact(_, let friend) = try contacts.next() { friends.append(friend) }
        let counts = try await Database.test.run { [writer, friends] db in
            try writer.store(friends, account: ContactStore().openAccount(named: "default", on: db), on: db)
        }
        #expect(foretold == counts.questions)
    }

    @Test func `a dry run uses the account's chain and its lanes' limits and prices`() async throws {
        try await Database.test.transaction { db in
            let queue = JobQueue()
            try queue.addLane("slow", on: db)
            try queue.setLimits([#require(RateLimit(text: "1/min"))], of: "slow", on: db)
            try queue.change("slow", on: db) { $0.price = Price(text: "1000 EUR") }
            try ChainStore().set("mine", to: Chain([Chain.Link("slow", steps: [.structured])]), on: db)
            _ = try ContactStore().openAccount(named: "default", on: db)
            _ = try ContactStore().use(chain: "mine", for: "default", on: db)
        }
        let forecast = try await outcome().forecast
        #expect(forecast.lanes.map(\.name) == ["slow"])
        #expect(forecast.costs == ["EUR": 3...3])
        // A new limit begins with a single token.
        let most = try #require(forecast.time?.upperBound)
        #expect(most > .seconds(100) && most <= .seconds(180))
    }

    @Test func `a dry run takes a blocked or paused lane into account`() async throws {
        try await Database.test.run { db in
            try db.query(
                """
                UPDATE lanes SET blocked_until = now() + interval '1 hour', blocked_because = 'quota used up until tomorrow'
                """)
            try db.transaction {
                try JobQueue().setLimits([#require(RateLimit(text: "20/s"))], of: "gazetteer", on: $0)
            }
        }
        let blocked = try await outcome().forecast
        #expect(blocked.lanes.map(\.isPaused) == [false])
        #expect(try #require(blocked.time).lowerBound > .seconds(3_500))
        try await Database.test.query("UPDATE lanes SET paused_at = now(), paused_because = 'no'")
        #expect(try await outcome().forecast.lanes.map(\.isPaused) == [true])
    }

    @Test func `an address with its own position needs no answer`() async throws {
        var reader = Entries([
            .contact(
                line: 1,
                Friend(
                    sourceKey: "a", name: "",
                    addresses: [
                        LabelledAddress(
                            label: "", address: Address(street: "1 Main St", city: "Reno"),
                            position: Coordinate(latitude: 1, longitude: 1)),
                        LabelledAddress(label: "", address: Address(street: "2 Elm St", city: "Reno")),
                    ])), .noted(line: 2, reason: "x"),
        ])
        var tally = DryRunTally(chain: Chain([Chain.Link("a")]))
        let questions = try await tally.read(&reader, upTo: 10)
        #expect(questions.map(\.address.street) == ["2 Elm St"])
        #expect(tally.distinct == 2)
        #expect(tally.refused == 1)
    }
}

private struct Entries: ContactReader {
    private var entries: ArraySlice<ContactEntry>
    let name = "entries"
    let totalSize: Int? = nil
    let bytesRead = 0

    init(_ entries: [ContactEntry]) { self.entries = entries[...] }

    mutating func next() throws -> ContactEntry? { entries.popFirst() }
}
