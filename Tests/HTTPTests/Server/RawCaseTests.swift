import HTTP
import HTTPTesting
import Processes
import Testing

/// The requests of ``RawCase`` at a real socket, and changed at random.
@Suite(.timeLimit(.minutes(10)))
struct RawCaseTests {
    private func routes(_ router: inout Router) {
        router.add(.get, "/a") { _ in .text("a") }
        router.add(.get, "/smuggled") { _ in .text("smuggled") }
        router.add(.post, "/a") { request in
            await Task.yield()
            return .text("\(try await request.body.collect(upTo: 1 << 20).count) bytes")
        }
    }

    @Test func `each request of the table gets its reply, and the next request is found or not read`() async throws {
        #expect(RawCase.all.count >= 600)
        try await withServer(routes: routes) { server in
            try await inParallel(RawCase.all) { raw in
                let answer = try await server.answers(toBytes: raw.request)
                let bodies = answer.matches(of: #/(\d+) bytes$/#.anchorsMatchLineEndings()).compactMap { Int($0.1) }
                #expect(answer.statuses == raw.statuses && !answer.contains("smuggled"), "\(raw.name)\n\(answer)")
                if !raw.bodies.isEmpty { #expect(bodies.isEmpty || bodies == raw.bodies, "\(raw.name)\n\(answer)") }
            }
        }
    }

    @Test func `ten thousand changed requests get well-formed replies, however they are split`() async throws {
        var random = Steps(state: 20_261_128)
        let seeds = RawCase.all.map(\.request).filter { $0.count < 2_000 }
        let requests = (0..<10_000).map { _ in
            var bytes = seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &random) { mutate(&bytes, with: seeds, &random) }
            return (bytes: bytes, cut: Int.random(in: 0...bytes.count, using: &random))
        }
        try await withServer(routes: routes) { server in
            try await inParallel(Array(requests.enumerated())) { number, request in
                let answer = try await server.answers(toBytes: request.bytes, done: true)
                let isKnown = Set(answer.statuses).isSubset(of: Self.known)
                #expect(isKnown && (answer.isEmpty || answer.hasPrefix("HTTP/1.1 ")), "\(request)\n\(answer)")
                guard number.isMultiple(of: 10) else { return }
                let again = try await server.answers(toBytes: request.bytes, cutAt: request.cut, done: true)
                #expect(again.statuses == answer.statuses, "\(request)")
            }
            #expect(try await server.answers(to: "GET /a HTTP/1.1\r\nHost: a\r\n\r\n").statuses == [200, 404])
            #expect(server.failures.withLock { $0 } == [])
        }
    }

    private static let known: Set = [100, 200, 204, 400, 404, 405, 413, 414, 417, 431, 501, 505]
    private static let odd = Array("\r\n\0 :;%?/\u{7f}0fF9-,\t".utf8) + [0x80, 0xFF]

    private func mutate(_ bytes: inout [UInt8], with seeds: [[UInt8]], _ random: inout Steps) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(Self.odd.randomElement(using: &random) ?? 0, at: place)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
        case 4: bytes.insert(contentsOf: seeds.randomElement(using: &random)?.dropFirst(20).prefix(40) ?? [], at: place)
        default: bytes[place] = Self.odd.randomElement(using: &random) ?? 0
        }
    }

    private func inParallel<Item: Sendable>(
        _ items: [Item], _ body: @escaping @Sendable (Item) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<16 {
                group.addTask {
                    for number in stride(from: part, to: items.count, by: 16) { try await body(items[number]) }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// The same numbers in each run.
private struct Steps: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
