import Foundation
import HTTPTesting
import Processes
import Testing

@testable import HTTP

struct GzipTests {
    /// Bytes that can be compressed in part only.
    private func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { $0 % 3 == 0 ? UInt8.random(in: .min ... .max, using: &generator) : UInt8($0 & 7) }
    }

    @Test(arguments: [0, 1, 1_000, 65_535, 65_536, 300_000])
    func `packed bytes unpack to the same bytes, in one piece or many`(_ count: Int) async throws {
        let whole = bytes(count)
        var deflater = Deflater()
        var packed: [UInt8] = []
        for start in stride(from: 0, to: count, by: 10_007) {
            packed += deflater.deflate(Array(whole[start..<min(count, start + 10_007)]), isLast: false)
        }
        packed += deflater.deflate([], isLast: true)
        #expect(try gunzip(packed) == whole)
        for size in [1, 7, packed.count] where size == packed.count || count <= 1_000 {
            let pieces = stride(from: 0, to: packed.count, by: size).map {
                Array(packed[$0..<min(packed.count, $0 + size)])
            }
            #expect(try await collected(GzippedBody(body(of: pieces), limit: 1 << 20)) == whole)
        }
    }

    @Test func `concatenated gzip members are one body`() async throws {
        let packed = packed("first ") + packed("") + packed("second")
        #expect(try await collected(GzippedBody(RequestBody(packed), limit: 100)) == Array("first second".utf8))
    }

    @Test func `a body that is not gzip, or is truncated, is refused`() async throws {
        let good = packed("where is it?")
        var changed = good
        changed[good.count - 6] ^= 1
        for bad in [
            Array("{}".utf8), Array(good.dropLast()), Array(good.prefix(3)), good + [0], good + good.prefix(5), changed,
        ] {
            await #expect(throws: BodyError.notGzip) {
                _ = try await collected(GzippedBody(RequestBody(bad), limit: 1 << 20))
            }
        }
    }

    @Test func `a body that unpacks to far more bytes is refused and never held in memory`() async throws {
        var deflater = Deflater()
        let bomb = deflater.deflate([UInt8](repeating: 0x20, count: 64 << 20), isLast: true)
        let body = GzippedBody(RequestBody(bomb), limit: 4 << 30)
        var (longest, all) = (0, 0)
        do {
            while let piece = try await body.next() {
                longest = max(longest, piece.count)
                all += piece.count
            }
            Issue.record("all \(all) bytes were taken")
        } catch BodyError.tooLong(let limit) {
            #expect(limit == bomb.count * GzippedBody.mostForOne)
            #expect(longest == Inflater.piece)
            #expect(all > limit - 2 * Inflater.piece && all <= limit)
        }
        await #expect(throws: BodyError.tooLong(limit: 10)) {
            _ = try await collected(GzippedBody(RequestBody(packed("eleven bytes")), limit: 10))
        }
    }

    @Test(arguments: [
        ("gzip", true), ("deflate, gzip;q=1.0, *;q=0.5", true), ("x-gzip", true), ("GZIP ; q=0.1", true), ("*", true),
        ("gzip;q=0", false), ("identity, gzip;q=0.5", false), ("br", false), ("", false), ("gzip;q=lots", false),
        ("identity;q=0.5, gzip;q=0.5", true), ("*;q=0", false),
    ])
    func `Accept-Encoding decides whether gzip is accepted`(_ header: String, _ takes: Bool) {
        #expect(ServerRequest(.get, path: [], headers: ["Accept-Encoding": header]).acceptsGzip == takes)
    }

    /// With libcurl, which unpacks by itself, and the system's gzip.
    @Test func `a client receives long replies and streams as gzip, and may send gzip`() async throws {
        let whole = bytes(200_000)
        try await withServer(routes: { router in
            router.add(.get, "/whole") { _ in ServerResponse(status: 200, body: .bytes(whole)).gzipped() }
            router.add(.get, "/stream") { _ in
                let body = ServerResponse.Body.stream { writer in
                    for start in stride(from: 0, to: whole.count, by: 1_000) {
                        try await writer.write(Array(whole[start..<start + 1_000]))
                    }
                }
                return ServerResponse(status: 200, body: body).gzipped()
            }
            router.add(.get, "/broken") { _ in
                ServerResponse(
                    status: 200,
                    body: .stream { writer in
                        try await writer.write(whole)
                        throw CancellationError()
                    }
                ).gzipped()
            }
            router.add(.post, "/length") { request in
                let decoded = try #require(request.decoded(upTo: 1 << 20))
                return .text("\(try await decoded.body.collect(upTo: 1 << 20) == whole)")
            }
        }) { server in
            try await withClient { client in
                for path in ["/whole", "/stream"] {
                    #expect(try await client.get(server.url(path)).body == whole, "\(path)")
                }
                _ = try await client.failure(of: server.url("/broken"))
            }
            let connection = try server.connect()
            defer { connection.close() }
            let packed = try gzip(whole)
            await connection.send(
                "POST /length HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n"
                    + "Connection: close\r\n\r\n")
            await connection.send(packed)
            #expect(await connection.rest().hasSuffix("true"))
        }
    }

    private func packed(_ text: String) -> [UInt8] {
        var deflater = Deflater()
        return deflater.deflate(Array(text.utf8), isLast: true)
    }

    private func body(of pieces: [[UInt8]]) -> RequestBody {
        let left = Locked(pieces[...])
        return RequestBody { left.withLock { $0.popFirst() } }
    }

    private func collected(_ body: GzippedBody) async throws -> [UInt8] {
        try await RequestBody { try await body.next() }.collect(upTo: 1 << 30)
    }

    private func gzip(_ bytes: [UInt8]) throws -> [UInt8] { try filtered(bytes, by: ["gzip", "-c"]) }
    private func gunzip(_ bytes: [UInt8]) throws -> [UInt8] { try filtered(bytes, by: ["gzip", "-dc"]) }

    private func filtered(_ bytes: [UInt8], by command: [String]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(path: "waypost-gzip-\(UUID())")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        try process.run()
        let result = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return Array(result)
    }
}
