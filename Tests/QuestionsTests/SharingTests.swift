import DatabaseTesting
import Dispatch
import Geocoding
import Postgres
import Queue
import Testing

@testable import Questions

/// The answers for one spelling, and the calls that they save for others. A call is a waiting question that follows no
/// other.
@Suite(.database)
struct SharingTests {
    private let store = GeocodeStore()
    private let written = Address(
        street: "10 Main Street", city: "Reno", region: "NV", postcode: "89501", country: "US")
    private let short = Address(
        street: "10 Main St.", city: "Reno", region: "Nevada", postcode: "89501", country: "USA")
    private let avenue = Address(
        street: "10 Main Avenue", city: "Reno", region: "NV", postcode: "89501", country: "US")
    private let place: Placemark

    init() throws {
        place = Placemark(
            coordinate: try #require(Coordinate(latitude: 39.5, longitude: -119.8)), thoroughfare: "Main Street",
            subThoroughfare: "10", locality: "Reno", administrativeArea: "Nevada", postalCode: "89501",
            countryCode: "US")
    }

    /// A chain whose calls are counted and limited.
    private func chain(sharing: Bool = true, on db: isolated Connection) throws -> StoredChain {
        try db.query("INSERT INTO lanes (name, batch) VALUES ('paid', 1) ON CONFLICT DO NOTHING")
        return try ChainStore().set("paid", to: Chain([.init("paid")], sharesHouses: sharing), on: db)
    }

    private func ask(_ addresses: [Address], along chain: StoredChain, on db: isolated Connection) throws {
        _ = try store.ask(addresses.map { NewQuestion($0) }, along: chain, on: db)
    }

    private func known(_ address: Address, on db: isolated Connection) throws -> QuestionDetails {
        try #require(try store.geocode(AddressHash(address), on: db))
    }

    /// The number of calls still to be made.
    private func calls(on db: isolated Connection) throws -> Int {
        try rows("SELECT FROM geocodes WHERE status = 'waiting' AND NOT follows", on: db).count
    }

    private func record(
        _ address: Address, _ turn: Turn, along chain: StoredChain, on db: isolated Connection
    ) throws {
        let question = Question(id: try known(address, on: db).id, subject: .address(address), chain: chain.plan)
        try store.record([(question, turn)], from: "paid", on: db)
    }

    private func found(
        _ precision: Precision = .rooftop, at place: Placemark? = nil, confidence: Double = 1,
        storage: StorageRule = .unlimited
    ) -> Turn {
        .located(
            Place(
                placemark: place ?? self.place, precision: precision, areaConfidence: confidence, provider: "paid",
                storage: storage))
    }

    /// Returns which of two spellings in one import leads.
    private func leader(on db: isolated Connection) throws -> (leader: Address, follower: Address) {
        let leads = try rows(
            "SELECT FROM geocodes WHERE NOT follows AND hash = \(Bytes(AddressHash(written).bytes))", on: db)
        return leads.isEmpty ? (short, written) : (written, short)
    }

    @Test func `another spelling of a known address needs no call, and is marked as shared`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try ask([written], along: chain, on: db)
            try record(written, found(), along: chain, on: db)
            try ask([short], along: chain, on: db)
            #expect(try calls(on: db) == 0)
            let other = try known(short, on: db)
            #expect(other.status == .located && other.isShared && other.place?.precision == .rooftop)
            #expect(other.place?.confidence == 1)
        }
    }

    @Test func `two spellings in one import need one call`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try ask([written, short], along: chain, on: db)
            #expect(try calls(on: db) == 1)
            let (leader, follower) = try leader(on: db)
            try record(leader, found(), along: chain, on: db)
            #expect(try known(follower, on: db).status == .located)
            #expect(try known(follower, on: db).isShared)
            #expect(try rows("SELECT FROM geocodes WHERE status = 'waiting'", on: db).isEmpty)
        }
    }

    @Test func `a spelling asked while another one waits follows it`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try ask([short], along: chain, on: db)
            try ask([written], along: chain, on: db)
            #expect(try calls(on: db) == 1)
            try record(short, found(), along: chain, on: db)
            #expect(try known(written, on: db).isShared)
        }
    }

    @Test func `another street, number, town or flat has its own call`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            let others = [
                Address(street: "12 Main St", city: "Reno", region: "NV", postcode: "89501", country: "US"),
                Address(street: "10A Main St", city: "Reno", region: "NV", postcode: "89501", country: "US"),
                Address(street: "10 N Main St", city: "Reno", region: "NV", postcode: "89501", country: "US"),
                Address(street: "10 Main St", city: "Sparks", region: "NV", postcode: "89501", country: "US"),
                Address(street: "10 Main St", city: "Reno", region: "OH", postcode: "89501", country: "US"),
                Address(street: "10 Main St", city: "Reno", region: "NV", postcode: "89502", country: "US"),
                Address(street: "12 Main St #10", city: "Reno", region: "OR", postcode: "89501", country: "US"), avenue,
            ]
            try ask([written] + others, along: chain, on: db)
            #expect(try calls(on: db) == others.count + 1)
            try record(written, found(), along: chain, on: db)
            #expect(try calls(on: db) == others.count)
        }
    }

    @Test func `an answer that does not fit the follower's spelling is not shared`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            var elsewhere = place
            elsewhere.thoroughfare = "Maine Road"
            elsewhere.locality = "Sparks"
            try ask([written, short], along: chain, on: db)
            let (leader, follower) = try leader(on: db)
            try record(leader, found(at: elsewhere), along: chain, on: db)
            #expect(try known(follower, on: db).status == .waiting)
            #expect(try calls(on: db) == 1)
            // The sweep will enqueue it.
            #expect(try rows("SELECT FROM unqueued_geocodes", on: db).count == 2)
        }
    }

    @Test(arguments: [Turn.notFound([]), .failed(reason: "broken")])
    func `a follower without a shared answer is queued`(turn: Turn) async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try ask([written, short], along: chain, on: db)
            let (leader, follower) = try leader(on: db)
            try db.query("DELETE FROM unqueued_geocodes")
            try record(leader, turn, along: chain, on: db)
            let id = try known(follower, on: db).id
            #expect(try rows("SELECT geocode FROM unqueued_geocodes", on: db).map { try $0.read("geocode") } == [id])
            #expect(try calls(on: db) == 1)
        }
    }

    @Test func `a town found for a street is not shared with other spellings of the street`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try ask([written, short], along: chain, on: db)
            let (leader, follower) = try leader(on: db)
            try record(leader, found(.city), along: chain, on: db)
            #expect(try known(follower, on: db).status == .waiting)
            #expect(try calls(on: db) == 1)
        }
    }

    @Test func `a town's answer is shared with other spellings of the town`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            let (town, other) = (
                Address(city: "Frankfurt am Main", country: "DE"), Address(city: "Frankfurt a. M.", country: "DE")
            )
            try ask([town], along: chain, on: db)
            let main = Placemark(coordinate: place.coordinate, locality: "Frankfurt am Main", countryCode: "DE")
            try record(town, found(.city, at: main), along: chain, on: db)
            try ask([other], along: chain, on: db)
            #expect(try known(other, on: db).isShared)
            try ask([Address(city: "Frankfurt an der Oder", country: "DE")], along: chain, on: db)
            #expect(try calls(on: db) == 1)
        }
    }

    @Test func `a follower of a deleted question is released by the sweep`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try ask([written, short], along: chain, on: db)
            #expect(try store.releaseLonely(10, on: db) == 0)
            let (leader, follower) = try leader(on: db)
            let ada = Author.user("ada", on: "here")
            #expect(try QuestionQueue().decide(.pin(place.coordinate), of: known(leader, on: db).id, by: ada, on: db))
            #expect(try store.releaseLonely(10, on: db) == 1)
            #expect(try known(follower, on: db).status == .waiting)
            #expect(try calls(on: db) == 1)
        }
    }

    @Test func `a pin is not shared`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try ask([written], along: chain, on: db)
            try record(written, found(), along: chain, on: db)
            try db.query("UPDATE geocodes SET pinned_at = now()")
            try ask(
                [
                    short,
                    Address(street: "10 Main Street #4", city: "Reno", region: "NV", postcode: "89501", country: "US"),
                ], along: chain, on: db)
            #expect(try calls(on: db) == 1)
            #expect(try rows("SELECT FROM geocodes WHERE shared_from IS NOT NULL", on: db).isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `a shared answer is lent like the original, and expires with it`(isFollower: Bool) async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try ask(isFollower ? [written, short] : [written], along: chain, on: db)
            let leader = isFollower ? try leader(on: db).leader : written
            try record(leader, found(storage: .session), along: chain, on: db)
            if !isFollower { try ask([short], along: chain, on: db) }
            #expect(
                try rows("SELECT FROM geocodes WHERE is_lent AND expires_at > now() AND status = 'located'", on: db)
                    .count == 2)
            try db.query("UPDATE geocodes SET expires_at = now()")
            #expect(try store.expire(10, on: db) == 2)
            #expect(try rows("SELECT FROM geocodes WHERE status = 'forgotten'", on: db).count == 2)
        }
    }

    @Test func `shared answers that expired are asked again with one call`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try ask([written], along: chain, on: db)
            try record(written, found(storage: .days(30)), along: chain, on: db)
            try ask([short], along: chain, on: db)
            try db.query("UPDATE geocodes SET expires_at = now()")
            #expect(try store.expire(10, on: db) == 2)
            #expect(try calls(on: db) == 1)
            let (leader, follower) = try leader(on: db)
            try record(leader, found(), along: chain, on: db)
            #expect(try known(follower, on: db).isShared)
        }
    }

    @Test func `an expired answer is no longer shared`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try ask([written], along: chain, on: db)
            try record(written, found(storage: .days(30)), along: chain, on: db)
            try db.query("UPDATE geocodes SET expires_at = now() - interval '1 second'")
            try ask([short], along: chain, on: db)
            #expect(try known(short, on: db).status == .waiting)
        }
    }

    @Test func `an answer that expires at once is not copied to a waiting spelling`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try ask([written, short], along: chain, on: db)
            let (leader, follower) = try leader(on: db)
            try record(leader, found(storage: .days(0)), along: chain, on: db)
            #expect(try known(follower, on: db).status == .waiting)
        }
    }

    @Test func `a chain that does not share calls for each spelling`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(sharing: false, on: db)
            try ask([written, short], along: chain, on: db)
            #expect(try calls(on: db) == 2)
            try record(written, found(), along: chain, on: db)
            #expect(try calls(on: db) == 1)
        }
    }

    @Test func `where a call has many addresses, no question follows another`() async throws {
        try await Database.test.run { db throws in
            let chain = try #require(try ChainStore().current("default", on: db))
            try ask([written, short], along: chain, on: db)
            #expect(try calls(on: db) == 2)
        }
    }

    @Test func `two importers that ask at once share the first answer`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try ask([written], along: chain, on: db)
            try ask([short], along: chain, on: db)
            // Makes the second question lead too, as if it had not seen the first.
            try db.query("UPDATE geocodes SET follows = false, job = id")
            try record(written, found(), along: chain, on: db)
            #expect(try known(short, on: db).isShared)
            #expect(try calls(on: db) == 0)
        }
    }

    @Test func `a spelling asked while the first is being answered does not follow`() async throws {
        let database = try Database.test
        let paid = try await database.run { db throws in
            let paid = try chain(on: db)
            try ask([written], along: paid, on: db)
            return paid
        }
        let (held, isHeld) = AsyncStream<Void>.makeStream()
        let release = DispatchSemaphore(value: 0)
        async let answering: Void = database.transaction { db throws in
            try db.query("UPDATE geocodes SET step = 'free form'")
            isHeld.yield()
            release.wait()
        }
        for await _ in held { break }
        do {
            defer { release.signal() }
            try await database.run { db throws in try ask([short], along: paid, on: db) }
        }
        try await answering
        try await database.run { db throws in #expect(try calls(on: db) == 2) }
    }

    @Test func `a forecast counts one call for all spellings`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            let questions = [written, short, avenue].map { NewQuestion($0) }
            #expect(try store.unanswered(questions, along: chain, on: db).count == 2)
            try ask([written], along: chain, on: db)
            #expect(try store.unanswered(questions, along: chain, on: db) == [2])
            try record(written, found(), along: chain, on: db)
            #expect(try store.unanswered(questions, along: chain, on: db) == [2])
        }
    }

    @Test func `ten thousand flats of one house follow one question and share its answer`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            let flats = (1...10_000).map {
                Address(street: "10 Main St, Apt \($0)", city: "Reno", region: "NV", postcode: "89501", country: "US")
            }
            for start in stride(from: 0, to: flats.count, by: 500) {
                try ask(Array(flats[start..<(start + 500)]), along: chain, on: db)
            }
            #expect(try calls(on: db) == 1)
            let id: Int = try rows("SELECT id FROM geocodes WHERE NOT follows", on: db)[0].read("id")
            let question = Question(id: id, subject: .address(flats[0]), chain: chain.plan)
            try store.record([(question, found())], from: "paid", on: db)
            #expect(try rows("SELECT FROM geocodes WHERE shared_from = \(id)", on: db).count == 9_999)
        }
    }
}
