import Testing

@testable import HTTP

struct RequestTargetTests {
    private func target(_ text: String) throws(HeadError) -> RequestTarget { try RequestTarget(Array(text.utf8)) }

    @Test func `path and query are split and decoded, each by its own rules`() throws {
        let target = try target("/v1/a+b%20c/%E2%82%AC?q=1+2%2B3&flag&empty=&q=%26")
        #expect(target.path == ["v1", "a+b c", "€"])
        #expect(target.query.map(\.name) == ["q", "flag", "empty", "q"])
        #expect(target.query.map(\.value) == ["1 2+3", "", "", "&"])
        #expect(try self.target("/").path.isEmpty)
        #expect(try self.target("/a//").path == ["a", "", ""])
        #expect(try self.target("/a%2Fb/..%2fc").path == ["a/b", "../c"])
    }

    @Test(arguments: [
        "", "*", "http://example.org/", "v1", "/a b", "/a\tb", "/a#b", "/%", "/%4", "/%zz", "/?a=%f", "/%ff", "/?a=%c3",
        "/%c0%af", "/a/./b", "/a/..", "/%2e%2E/b", "/%00", "/?q=%00", "/a%0Ab", "/a%7f", "/\u{7f}",
    ])
    func `an ambiguous target is refused`(_ text: String) {
        let error = #expect(throws: HeadError.self) { try target(text) }
        #expect(error?.status == 400)
    }
}
