import DatabaseTesting
import Locations
import Postgres
import Processes
import Testing
import Tracking

@Suite(.database)
struct FixWriterTests {
    private func user(_ number: Int) -> String { "user \(number)" }

    private func fix(_ number: Int, lat: Double = 60) -> UserFix {
        UserFix(
            Fix(id: "\(number)", lat: lat, lng: 24, timestamp: 1_700_000_000 + Double(number)), of: user(number % 10))
    }

    private func openTrackers() async throws -> Int {
        let account = try await openAccount()
        try await Database.test.run { db throws in
            for number in 0..<10 { try TrackerStore().start(user(number), since: 0, account: account, on: db) }
        }
        return account
    }

    @Test func `many concurrent requests share statements, and each gets its own result`() async throws {
        let account = try await openTrackers()
        let database = CountingDatabase(database: try Database.test)
        let writer = FixWriter(database: database, account: account)
        try await withThrowingTaskGroup { group in
            for number in 0..<500 {
                // Every fifth fix belongs to a user without a tracker.
                group.addTask {
                    let stranger = UserFix(fix(number).fix, of: "stranger")
                    let fates = try await writer.record(number % 5 == 0 ? [stranger] : [fix(number)])
                    return (number, fates)
                }
            }
            for try await (number, fates) in group {
                #expect(fates == [number % 5 == 0 ? .refused(.noTracker) : .taken])
            }
        }
        #expect(database.count < 250)
        #expect(try await Database.test.run { try rows("SELECT FROM fixes", on: $0).count } == 400)
    }

    @Test func `when too many requests wait, the next is refused at once`() async throws {
        let account = try await openTrackers()
        let database = HeldDatabase(database: try Database.test)
        let writer = FixWriter(database: database, account: account, longestQueue: 2)
        async let first = writer.record([fix(0)])
        await database.hasBegun()
        let others = await withTaskGroup(of: [FixFate]?.self) { group in
            for number in 1...3 {
                group.addTask {
                    do {
                        return try await writer.record([fix(number)])
                    } catch {
                        // The two waiting requests are stored after the first one.
                        database.goOn()
                        return error is FixWriter.Overload ? [FixFate]?.none : []
                    }
                }
            }
            return await group.reduce(into: [[FixFate]?]()) { $0.append($1) }
        }
        #expect(others.count { $0 == nil } == 1)
        #expect(others.count { $0 == [.taken] } == 2)
        #expect(try await first == [.taken])
    }

    @Test func `requests of several fixes that are written together get their own results`() async throws {
        let account = try await openTrackers()
        let database = HeldDatabase(database: try Database.test)
        let writer = FixWriter(database: database, account: account, longestQueue: 4)
        async let first = writer.record([fix(0)])
        await database.hasBegun()
        // The n-th request has n fixes. Those of even requests are of a user without a tracker.
        let results = await withTaskGroup(of: (number: Int, fates: [FixFate]?).self) { group in
            for number in 1...5 {
                group.addTask {
                    let fixes = (0..<number).map { place in
                        let own = fix(number * 10 + place)
                        return number % 2 == 0 ? UserFix(own.fix, of: "stranger") : own
                    }
                    let fates = try? await writer.record(fixes)
                    // One request is refused, so the four others wait together.
                    if fates == nil { database.goOn() }
                    return (number, fates)
                }
            }
            return await group.reduce(into: [Int: [FixFate]]()) { $0[$1.number] = $1.fates }
        }
        #expect(try await first == [.taken])
        #expect(results.count == 4)
        for (number, fates) in results {
            #expect(
                fates == [FixFate](repeating: number % 2 == 0 ? .refused(.noTracker) : .taken, count: number),
                "\(number)")
        }
    }

    @Test func `a request that the database refuses fails alone`() async throws {
        let account = try await openTrackers()
        let writer = FixWriter(database: CountingDatabase(database: try Database.test), account: account)
        let outcomes = await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    // One latitude is invalid, which a caller should have refused.
                    let fixes = [fix(number, lat: number == 25 ? 95 : 60)]
                    return (number, (try? await writer.record(fixes)) != nil)
                }
            }
            return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes.filter { !$0.value }.keys.sorted() == [25])
    }
}

private final class CountingDatabase: DatabaseAccess {
    private let statements = Locked(0)
    private let database: Database

    init(database: Database) { self.database = database }

    var count: Int { statements.withLock { $0 } }

    func run<Value: Sendable>(
        within limit: Duration?, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        statements.withLock { $0 += 1 }
        return try await database.run(body)
    }
}

/// Holds the first statement until `goOn` is called.
private final class HeldDatabase: DatabaseAccess {
    private let database: Database
    private let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    private let (gates, gate) = AsyncStream.makeStream(of: Void.self)

    init(database: Database) { self.database = database }

    func hasBegun() async { for await _ in begun { break } }
    func goOn() { gate.finish() }

    func run<Value: Sendable>(
        within limit: Duration?, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        begin.yield()
        for await _ in gates {}
        return try await database.run(body)
    }
}
