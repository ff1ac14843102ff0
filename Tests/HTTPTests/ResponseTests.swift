import HTTP
import Testing

struct ResponseTests {
    @Test(
        arguments: [
            ("120", nil, Duration.seconds(120)),
            ("0", nil, .zero),
            ("Wed, 21 Oct 2015 07:28:00 GMT", nil, .seconds(80)),
            ("Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:27:00 GMT", .seconds(60)),
            ("Wednesday, 21-Oct-15 07:28:00 GMT", nil, .seconds(80)),
            ("Wed, 21 Oct 2015 07:00:00 GMT", nil, .zero),
            ("999999999999", nil, .seconds(366 * 86_400)),
            ("-5", nil, nil),
            ("soon", nil, nil),
            ("", nil, nil),
        ] as [(String, String?, Duration?)])
    func `Retry-After is read as seconds or a date, relative to the server's clock`(
        text: String, date: String?, expected: Duration?
    ) {
        var headers: HTTPHeaders = ["retry-after": text]
        headers["Date"] = date
        // 07:26:40
        #expect(HTTPResponse(status: 429, headers: headers).retryAfter(now: 1_445_412_400) == expected)
    }

    @Test func `a reply without Retry-After gives none`() {
        #expect(HTTPResponse(status: 503).retryAfter() == nil)
    }
}
