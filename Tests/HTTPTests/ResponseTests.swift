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

    @Test(arguments: [
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616", "1e400", "5.5",
        " ",
        "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 2147483647 08:49:37 GMT", "Sun, 06 Nov -1 08:49:37 GMT",
        "Sun, 00 Jan 0000 00:00:00 GMT", "Sun, 31 Feb 2026 24:60:61 +9999", "99991231 23:59:59 -9999",
        String(repeating: "9", count: 10_000),
    ])
    func `any Retry-After is a wait of up to a year, or none`(text: String) {
        for headers: HTTPHeaders in [["Retry-After": text], ["Retry-After": text, "Date": text]] {
            for now in [0, .max, .min, 1_445_412_400] {
                let wait = HTTPResponse(status: 429, headers: headers).retryAfter(now: now) ?? .zero
                #expect((Duration.zero ... .seconds(366 * 86_400)).contains(wait))
            }
        }
    }

    @Test func `a reply without Retry-After gives none`() {
        #expect(HTTPResponse(status: 503).retryAfter() == nil)
    }
}
