import HTTP
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ServerFuzzTests {
    private static let seeds = [
        "GET /a/b?c=d%20e HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nX: y\r\n\r\n",
        "HEAD /a HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
    ]

    private func mutated(_ seed: String, _ random: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = Array(seed.utf8)
        let odd = Array("\r\n\0 :;%?/\u{7f}0fF9-,\t".utf8) + [0x80, 0xFF]
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.insert(odd.randomElement(using: &random) ?? 0, at: place)
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
            default: bytes[place] = odd.randomElement(using: &random) ?? 0
            }
        }
        return bytes
    }

    @Test func `the server still replies after any bytes`() async throws {
        struct Steps: RandomNumberGenerator {
            var state: UInt64 = 20_261_121
            mutating func next() -> UInt64 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return state ^ (state >> 29)
            }
        }
        var random = Steps()
        try await withServer { router in
            router.add(.get, "/a/{b}") { request in .text(request.parameters["b"] ?? "") }
            router.add(.post, "/a") { request in
                await Task.yield()
                return .text("\(try await request.body.collect(upTo: 1 << 20).count)")
            }
        } _: { server in
            let requests = (0..<400).map { _ in mutated(Self.seeds.randomElement(using: &random) ?? "", &random) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for part in 0..<20 {
                    group.addTask {
                        for request in requests[part * 20..<(part + 1) * 20] {
                            let connection = try server.connect()
                            await connection.send(request)
                            connection.finish()
                            let answer = await connection.rest()
                            connection.close()
                            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 "))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let alive = try await server.answers(to: Self.seeds[0])
            #expect(alive.statuses == [200, 404])
        }
    }
}
