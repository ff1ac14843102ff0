import HTTP
import Testing

struct URLTests {
    @Test func `added paths and queries encode all but unreserved characters`() throws {
        let url = try #require(HTTPURL("https://Example.org/geo?key=a%20b"))
            .appending(path: "v5", "10/2 Rue de l'Été", "x.json")
            .appending(query: ["q": "a+b&c=d ~_.-", "skipped": nil, "ß[]": ""])
        #expect(
            url.text == "https://example.org/geo/v5/10%2F2%20Rue%20de%20l%27%C3%89t%C3%A9/x.json"
                + "?key=a%20b&q=a%2Bb%26c%3Dd%20~_.-&%C3%9F%5B%5D=")
    }

    @Test func `a slash at the end of a server's address makes no difference`() throws {
        for text in ["http://localhost:8080", "http://localhost:8080/"] {
            #expect(try #require(HTTPURL(text)).appending(path: "search").text == "http://localhost:8080/search")
        }
    }

    @Test(arguments: [
        "", "example.org", "/search", "ftp://example.org", "https://", "https://u:p@example.org", "http://a b/",
        "http://a/\0",
    ])
    func `a text that is not a complete http address is refused`(text: String) {
        #expect(HTTPURL(text) == nil)
    }

    @Test func `a printed URL or request shows no path, query or key`() throws {
        let url = try #require(HTTPURL("https://example.org:8443/secret?key=secret"))
        let request = HTTPRequest(.get, url, headers: ["X-Key": "secret"], body: Array("secret".utf8))
        #expect("\(url)" == "https://example.org:8443")
        #expect("\(request)" == "GET https://example.org:8443")
    }
}
