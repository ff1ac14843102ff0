import Testing

@testable import HTTP

struct RequestHeadTests {
    private func head(_ fields: KeyValuePairs<String, String>, version: String = "HTTP/1.1") -> RequestHead {
        var headers: HTTPHeaders = [:]
        for (name, value) in fields { headers.append(name, value) }
        return RequestHead(method: "POST", version: version, headers: headers)
    }

    @Test func `a body is empty, has a length or comes in chunks`() throws {
        #expect(try head(["Host": "a"]).body() == .none)
        #expect(try head(["host": "a", "content-length": "12"]).body() == .length(12))
        #expect(try head(["Host": "a", "Content-Length": "0"]).body() == .none)
        #expect(try head(["Host": "a", "Transfer-Encoding": "Chunked"]).body() == .chunked)
        #expect(try head([:], version: "HTTP/1.0").body() == .none)
    }

    @Test(arguments: [
        ["Host": "a", "Content-Length": "1", "content-length": "1"],
        ["Host": "a", "Content-Length": "1", "Transfer-Encoding": "chunked"],
        ["Host": "a", "Transfer-Encoding": "chunked", "transfer-encoding": "chunked"],
        ["Host": "a", "Transfer-Encoding": "gzip, chunked"], ["Host": "a", "Transfer-Encoding": "identity"],
        ["Host": "a", "Content-Length": "+1"], ["Host": "a", "Content-Length": "-1"],
        ["Host": "a", "Content-Length": ""],
        ["Host": "a", "Content-Length": "1, 1"], ["Host": "a", "Content-Length": "99999999999999999999"],
        [:], ["Host": "a", "host": "a"], ["Host": "a", "Content-Length ": "1"], ["Host": "a", "X": "a\u{1}b"],
        ["Host": "a", "X(": "1"],
    ])
    func `ambiguous framing is refused`(_ fields: KeyValuePairs<String, String>) {
        let error = #expect(throws: HeadError.self) { try head(fields).body() }
        #expect(error?.status == 400)
    }

    @Test func `chunks need HTTP 1.1, and other versions are refused`() {
        let chunked = head(["Host": "a", "Transfer-Encoding": "chunked"], version: "HTTP/1.0")
        #expect(throws: HeadError.self) { try chunked.body() }
        let error = #expect(throws: HeadError.self) { try head(["Host": "a"], version: "HTTP/1.2").body() }
        #expect(error?.status == 505)
    }

    @Test func `only the expectation 100-continue is accepted`() throws {
        #expect(try head(["Expect": "100-Continue"]).expectsContinue())
        #expect(try head([:]).expectsContinue() == false)
        let error = #expect(throws: HeadError.self) { try head(["Expect": "wonders"]).expectsContinue() }
        #expect(error?.status == 417)
    }
}
