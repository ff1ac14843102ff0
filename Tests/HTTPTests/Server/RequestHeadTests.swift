import Testing

@testable import HTTP

struct RequestHeadTests {
    private func parse(
        _ fields: KeyValuePairs<String, String>, version: String = "HTTP/1.1"
    ) throws -> (head: RequestHead, body: RequestHead.Body) {
        let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        var framing = RequestFraming(largestHead: 1_000, largestBody: .max)
        let part = try Array("POST / \(version)\r\n\(lines)\r\n".utf8).withUnsafeBytes { try framing.next(in: $0).part }
        guard case .head(let head, let body) = part else { throw HTTPTestError(text: "no head") }
        return (head, body)
    }

    @Test func `a body is empty, has a length or comes in chunks`() throws {
        #expect(try parse(["Host": "a"]).body == .none)
        #expect(try parse(["host": "a", "content-length": "12"]).body == .length(12))
        #expect(try parse(["Host": "a", "Content-Length": "0"]).body == .none)
        #expect(try parse(["Host": "a", "Transfer-Encoding": "Chunked"]).body == .chunked)
        #expect(try parse([:], version: "HTTP/1.0").body == .none)
    }

    @Test(arguments: [
        ["Host": "a", "Content-Length": "1", "content-length": "1"],
        ["Host": "a", "Content-Length": "1", "Transfer-Encoding": "chunked"],
        ["Host": "a", "Transfer-Encoding": "chunked", "transfer-encoding": "chunked"],
        ["Host": "a", "Transfer-Encoding": "gzip, chunked"], ["Host": "a", "Transfer-Encoding": "identity"],
        ["Host": "a", "Content-Length": "+1"], ["Host": "a", "Content-Length": "-1"],
        ["Host": "a", "Content-Length": ""],
        ["Host": "a", "Content-Length": "1, 1"],
        [:], ["Host": "a", "host": "a"], ["Host": "a", "Content-Length ": "1"], ["Host": "a", "X": "a\u{1}b"],
        ["Host": "a", "X(": "1"],
    ])
    func `ambiguous framing is refused`(_ fields: KeyValuePairs<String, String>) {
        let error = #expect(throws: HeadError.self) { try parse(fields) }
        #expect(error?.status == 400)
    }

    @Test func `chunks need HTTP 1.1, and other versions are refused`() {
        #expect(throws: HeadError.self) {
            try parse(["Host": "a", "Transfer-Encoding": "chunked"], version: "HTTP/1.0")
        }
        for version in ["HTTP/0.9", "HTTP/2.0", "HTTP/3.0"] {
            let error = #expect(throws: HeadError.self) { try parse(["Host": "a"], version: version) }
            #expect(error?.status == 505)
        }
        #expect(throws: Never.self) { try parse(["Host": "a"], version: "HTTP/1.2") }
    }

    @Test func `small chunks are joined, so that a body costs its bytes and not its chunks`() throws {
        var framing = RequestFraming(largestHead: 1_000, largestBody: .max)
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        var rest = Array((head + String(repeating: "1\r\nx\r\n", count: 5_000) + "0\r\n\r\n").utf8)[...]
        var sizes: [Int] = []
        while !rest.isEmpty {
            let (taken, part) = try rest.withUnsafeBytes { try framing.next(in: $0) }
            rest = rest.dropFirst(taken)
            if case .body(let bytes)? = part { sizes.append(bytes.count) }
        }
        #expect(sizes.reduce(0, +) == 5_000 && sizes.count < 50)
    }

    @Test func `only the expectation 100-continue is accepted`() throws {
        #expect(try parse(["Host": "a", "Expect": "100-Continue"]).head.expectsContinue())
        #expect(try parse(["Host": "a"]).head.expectsContinue() == false)
        let error = #expect(throws: HeadError.self) {
            try parse(["Host": "a", "Expect": "wonders"]).head.expectsContinue()
        }
        #expect(error?.status == 417)
    }
}
