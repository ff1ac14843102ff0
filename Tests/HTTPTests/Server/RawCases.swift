/// Requests byte by byte, and the statuses of their replies.
///
/// A line is `statuses | section of RFC 9112 or 9110, and the case | request`. `200=3` is the reply to a body of 3 bytes.
/// After each request `GET /none` is sent, which closes the connection. So a last status 404 shows that the next request
/// was found at its place, and a missing one that the connection was closed. In the requests `⏎` is CR LF, `\xNN` a byte,
/// `⟨a¦b⟩` one case for each alternative, `⟪3×a⟫` a repetition, and `$G`, `$P`, `$C` are the beginnings in
/// ``RawCase/beginnings``.
struct RawCase: Sendable {
    let name: String
    let request: [UInt8]
    let statuses: [Int]
    /// The sizes of the bodies that the handler has read.
    let bodies: [Int]

    static let all = table.split(separator: "\n").flatMap { line -> [RawCase] in
        let parts = line.split(separator: " | ", maxSplits: 2).map(String.init)
        guard parts.count == 3 else { return [] }
        let replies = parts[0].split(separator: " ").map { $0.split(separator: "=") }
        return alternatives(expanded(parts[2])).map { text in
            RawCase(
                name: "\(parts[1]): \(text.prefix(200))", request: bytes(of: text),
                statuses: replies.compactMap { Int($0[0]) },
                bodies: replies.compactMap { $0.count > 1 ? Int($0[1]) : nil })
        }
    }

    private static let beginnings = [
        ("$G", "GET /a HTTP/1.1⏎Host: a⏎"), ("$C", "$PTransfer-Encoding: chunked⏎⏎"),
        ("$P", "POST /a HTTP/1.1⏎Host: a⏎"),
    ]

    private static func expanded(_ text: String) -> String {
        beginnings.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    private static func alternatives(_ text: String) -> [String] {
        guard let start = text.firstIndex(of: "⟨"), let end = text[start...].firstIndex(of: "⟩") else { return [text] }
        let choices = text[start..<end].dropFirst().split(separator: "¦", omittingEmptySubsequences: false)
        let (before, after) = (String(text[..<start]), String(text[end...].dropFirst()))
        return choices.flatMap { alternatives(before + $0 + after) }
    }

    private static func bytes(of text: String) -> [UInt8] {
        let repeated = text.replacing(#/⟪(\d+)×([^⟫]*)⟫/#) { String(repeating: String($0.2), count: Int($0.1) ?? 0) }
        var (bytes, rest) = ([UInt8](), Array(repeated.replacing("⏎", with: "\r\n").utf8)[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x") else {
                bytes.append(byte)
                continue
            }
            bytes.append(UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16) ?? 0)
            rest = rest.dropFirst(3)
        }
        return bytes
    }

    private static let table = #"""
        200 404 | 9112 2.2 empty lines before a request | ⟨¦⏎¦⏎⏎¦⏎⏎⏎⏎⟩$G⏎
        400 | 9112 2.2 a bare line feed | ⟨GET /a HTTP/1.1\x0aHost: a⏎⏎¦GET /a HTTP/1.1⏎Host: a\x0a⏎¦GET /a HTTP/1.1⏎Host: a⏎\x0a¦\x0a$G⏎¦GET /a HTTP/1.1⏎Host: a⏎X: y\x0aGET /smuggled HTTP/1.1⏎Host: a⏎⏎¦GET /a HTTP/1.1\x0a\x0a⟩
        400 | 9112 2.2 a bare carriage return | ⟨GET /a HTTP/1.1\x0dHost: a⏎⏎¦GET /a\x0d HTTP/1.1⏎Host: a⏎⏎¦$GX: y\x0dZ: z⏎⏎¦$GX: y\x0d⏎⏎¦$GX\x0d: y⏎⏎¦GET /a HTTP/1.1\x0d⏎Host: a⏎⏎⟩
        400 | 9112 2.2 white space before the first field | GET /a HTTP/1.1⏎⟨ ¦\x09¦  ⟩Host: a⏎⏎
        400 | 9112 2.2 white space before the method | ⟨ ¦  ¦⏎ ⟩$G⏎
        400 | 9110 5.5 a control character | ⟨GE\x00T /a HTTP/1.1⏎Host: a⏎⏎¦GET /a\x00 HTTP/1.1⏎Host: a⏎⏎¦GET /a HTTP/1.1\x00⏎Host: a⏎⏎⟩
        400 | 9110 5.5 a control character in a value | $GX: a⟨\x00¦\x01¦\x02¦\x07¦\x08¦\x0b¦\x0c¦\x0e¦\x10¦\x1a¦\x1b¦\x1f¦\x7f⟩b⏎⏎
        400 | 9110 5.5 a control character in a name | $GX⟨\x00¦\x01¦\x08¦\x09¦\x0b¦\x0c¦\x0e¦\x1b¦\x1f¦\x7f⟩: b⏎⏎
        400 | 9110 5.5 a control character in the target | GET /a⟨\x00¦\x01¦\x08¦\x09¦\x0b¦\x0c¦\x0e¦\x1b¦\x1f¦\x7f⟩ HTTP/1.1⏎Host: a⏎⏎
        400 | 9110 5.5 a control character in a chunk | $C⟨1\x00¦1\x0b¦1;x\x00y¦1;\x7f¦\x001⟩⏎x⏎0⏎⏎
        400 | 9110 5.5 a control character in a trailer | $C0⏎X: ⟨\x00¦\x01¦\x0b¦\x7f⟩⏎⏎
        200 404 | 9110 5.5 a tab and other bytes in a value | $GX: ⟨a\x09b¦\xe9¦\xff\xfe¦é¦"a b"¦a: b¦()<>@,;\/[]?={}⟩⏎⏎
        400 | 9112 3 not one space between the words | ⟨GET  /a HTTP/1.1¦GET /a  HTTP/1.1¦GET\x09/a HTTP/1.1¦GET /a\x09HTTP/1.1¦GET /a HTTP/1.1 ¦GET /a b HTTP/1.1¦GET /a HTTP/1.1 x¦GET\xa0/a HTTP/1.1¦GET  HTTP/1.1¦ /a HTTP/1.1⟩⏎Host: a⏎⏎
        400 | 9112 3 a line with too few words | ⟨GET¦GET /a¦GET /a ¦/a HTTP/1.1¦HTTP/1.1¦x⟩⏎Host: a⏎⏎
        400 | 9112 2.3 not a version | GET /a ⟨http/1.1¦Http/1.1¦HTTP/1¦HTTP/1.¦HTTP/.1¦HTTP/11¦HTTP/1.10¦HTTP/01.1¦HTTP/1,1¦HTTP/-1.1¦HTTP/1.1x¦HTTP/1.x¦HTTP/x.1¦HTTPS/1.1¦FTP/1.1¦HTTP 1.1¦HTTP\1.1¦HTTP/１.1¦ICY⟩⏎Host: a⏎⏎
        200 404 | 9110 2.5 a later minor version | GET /a HTTP/1.⟨1¦2¦3¦4¦5¦6¦7¦8¦9⟩⏎Host: a⏎⏎
        200=3 404 | 9110 2.5 a body of a later minor version | POST /a HTTP/1.2⏎Host: a⏎⟨Content-Length: 3⏎⏎abc¦Transfer-Encoding: chunked⏎⏎3⏎abc⏎0⏎⏎⟩
        400 | 9110 2.5 a later minor version without a host | GET /a HTTP/1.2⏎⏎
        505 | 9110 15.6.6 another major version | GET /a HTTP/⟨0.0¦0.9¦2.0¦2.1¦3.0¦9.9⟩⏎Host: a⏎⏎
        505 | 9113 3.4 the preface of HTTP/2 | PRI * HTTP/2.0⏎⏎SM⏎⏎
        405 404 | 9110 9.1 an unknown method | ⟨BREW¦get¦Get¦GETX¦M-SEARCH¦PROPFIND¦TRACE¦!#$%&'*+-.^_`|~¦DELETE¦PATCH¦PUT⟩ /a HTTP/1.1⏎Host: a⏎⏎
        501 | 9110 9.1 a method that is not a token | G⟨(¦)¦<¦>¦@¦,¦;¦:¦\¦"¦/¦[¦]¦?¦=¦{¦}¦é⟩T /a HTTP/1.1⏎Host: a⏎⏎
        414 | 9112 3 a line that is too long | ⟨GET /⟪33000×a⟫¦⟪33000×A⟫ /a¦GET /a?⟪33000×b⟫⟩ HTTP/1.1⏎Host: a⏎⏎
        200 404 | 9112 3 a line of 8,000 bytes | GET /a?⟪7980×b⟫ HTTP/1.1⏎Host: a⏎⏎
        414 | segments and parameters | GET /a⟨⟪32×/a⟫¦⟪16000×/⟫¦?⟪257×&a⟫¦?⟪8000×&a=b⟫⟩ HTTP/1.1⏎Host: a⏎⏎
        404 404 | segments | GET /a⟨⟪31×/a⟫¦⟪31×/⟫⟩ HTTP/1.1⏎Host: a⏎⏎
        200 404 | parameters | GET /a?⟨⟪256×&a⟫¦⟪30000×&⟫¦a=b=c¦=¦&&=&¦%26=%3d¦+¦?¦/¦'¦é⟩ HTTP/1.1⏎Host: a⏎⏎
        400 | 3986 2.1 a percent sign that encodes nothing | GET /⟨%¦%4¦%4g¦%zz¦% 41¦a%¦%%41¦%u0041⟩ HTTP/1.1⏎Host: a⏎⏎
        400 | 3986 2.1 bytes that are not text | GET /⟨%00¦a%00b¦%ff¦%c0%af¦%ed%a0%80¦%c0%80¦%f4%90%80%80¦a?x=%ff¦a?%00¦a?%c0%ae=1⟩ HTTP/1.1⏎Host: a⏎⏎
        400 | 3986 3.3 steps to the parent | GET /⟨..¦../a¦a/..¦.¦./a¦a/./b¦%2e%2e/a¦.%2e/a¦%2E%2E¦%2e¦a/..?x⟩ HTTP/1.1⏎Host: a⏎⏎
        400 | a line break in the path | GET /a⟨%0d%0aX:y¦%0a¦%0d¦%1b¦%7f¦%09⟩ HTTP/1.1⏎Host: a⏎⏎
        400 | 9112 3.2 not a target | GET ⟨a¦a:80¦*¦a/b¦?x¦%2fa¦\a¦/a#b¦/#¦http¦mailto:a@b¦ws://a/a¦ftp://a/a¦file:///a¦http:/a¦http:a¦:¦::¦.⟩ HTTP/1.1⏎Host: a⏎⏎
        404 404 | 9112 3.2.1 a path that is nowhere | GET ⟨/¦//¦//a¦/a/¦/A¦/a;x¦/a%2f¦/%C3%A9¦/é¦/a%20b¦/Å¦/a\⟩ HTTP/1.1⏎Host: a⏎⏎
        200 404 | 9112 3.2.1 a path in other letters | GET ⟨/%61¦/a?¦/a?x¦/%61?%61⟩ HTTP/1.1⏎Host: a⏎⏎
        200 404 | 9112 3.2.2 the absolute form | GET ⟨http://a/a¦http://other/a¦HTTP://a/a¦hTTp://a:80/a¦https://a/a¦http://[::1]/a¦http://[2001:db8::7]:8080/a¦http://127.0.0.1:1/a¦http://a:/a¦http://a/a?x=y¦http://a/%61⟩ HTTP/1.1⏎Host: a⏎⏎
        404 404 | 9112 3.2.2 the absolute form without a path | GET ⟨http://a¦http://a?x¦http://a/¦http://a//a⟩ HTTP/1.1⏎Host: a⏎⏎
        200 | 9112 3.2.2 the absolute form in HTTP/1.0 | GET http://a/a HTTP/1.0⏎⟨Host: a⏎¦⟩⏎
        200=3 404 | 9112 3.2.2 a body in the absolute form | POST http://a/a HTTP/1.1⏎Host: b⏎Content-Length: 3⏎⏎abc
        400 | 9112 3.2.2 the absolute form without a host | GET ⟨http:///a¦http://¦http://:80/a¦http://u@a/a¦http://u:p@a/a¦http://a:x/a¦http://a:99999/a¦http://a,b/a¦http://[::1/a¦http://[x]/a¦http://a\b/a¦http://%/a¦http://a#b¦http://a/a#b¦http://a/../b⟩ HTTP/1.1⏎Host: a⏎⏎
        400 | 9112 3.2 the absolute form with a bad Host | GET http://a/a HTTP/1.1⏎⟨¦Host: a⏎Host: a⏎¦Host: a b⏎¦Host: @⏎⟩⏎
        400 | 9112 3.2.3 the authority form | CONNECT ⟨a:80¦a¦[::1]:80¦*⟩ HTTP/1.1⏎Host: a⏎⏎
        204 404 | 9110 9.3.7 OPTIONS | OPTIONS ⟨*¦/a¦http://a¦http://a:80¦http://a/a⟩ HTTP/1.1⏎Host: a⏎⏎
        200 404 | 9110 9.3.2 HEAD | HEAD /a HTTP/1.1⏎Host: a⏎⏎
        404 404 | 9110 9.3.2 HEAD of nothing | HEAD /none HTTP/1.1⏎Host: a⏎⏎
        400 | 9112 3.2 no host | ⟨GET /a HTTP/1.1⏎⏎¦GET /a HTTP/1.1⏎X: y⏎⏎¦POST /a HTTP/1.1⏎Content-Length: 3⏎⏎abc⟩
        200 | 9112 3.2 no host in HTTP/1.0 | GET /a HTTP/1.0⏎⏎
        400 | 9112 3.2 several hosts | GET /a HTTP/1.⟨0¦1¦2⟩⏎Host: a⏎⟨Host: a¦Host: b¦host: a¦HOST:¦X: y⏎Host: b⟩⏎⏎
        200 404 | 9110 7.2 a host | GET /a HTTP/1.1⏎⟨Host:¦Host: ¦Host:a¦Host: a¦HOST: A¦host:  a  ¦Host:\x09a\x09¦Host: a:¦Host: a:0¦Host: a:80¦Host: a:65535¦Host: example.org¦Host: example.org.¦Host: 127.0.0.1:8080¦Host: [::1]¦Host: [2001:db8::7]:443¦Host: [::ffff:192.0.2.1]¦Host: a_b¦Host: xn--bcher-kva.example¦Host: a%41b¦Host: a-._~!$&'()*+;=b⟩⏎⏎
        400 | 9112 3.2 an invalid host | GET /a HTTP/1.1⏎Host: ⟨a b¦a,b¦a, b¦a/b¦/¦a?b¦a#b¦a@b¦u:p@a¦a:80:80¦a:x¦a:-1¦a:+1¦a:65536¦a:99999¦a:999999999999999999999¦[::1¦::1]¦::1¦[]¦[:]¦[a]¦[::1]x¦[::1]:x¦[::g]¦[::1%25lo]¦[127.0.0.1]¦:80¦:¦é¦\xff¦a\b¦"a"¦<a>¦a|b¦a^b¦a`b¦{a}¦a%¦a%4¦a%zz¦http://a¦a:８０¦a\x09b⟩⏎⏎
        400 | 9112 5.1 a space before the colon | $G⟨X : y¦X\x09: y¦Content-Length : 3¦Transfer-Encoding : chunked¦Host : b¦X  :⟩⏎⏎
        400 | 9112 5.2 a folded line | $G⟨X: y⏎ z¦X: y⏎\x09z¦X:⏎ y¦X: y⏎ ¦Content-Length: 1⏎ 2⟩⏎⏎
        400 | 9110 5.1 not a name | $G⟨X¦: y¦ : y¦=¦Xé: y¦\xff: y¦Ｘ: y⟩⏎⏎
        400 | 9110 5.6.2 a name that is not a token | $GX⟨(¦)¦<¦>¦@¦,¦;¦\¦"¦/¦[¦]¦?¦=¦{¦}⟩Y: z⏎⏎
        200 404 | 9110 5.1 other names and values | $G⟨X:y¦X:¦X: ¦X:  y  ¦x!#$%&'*+-.^_`|~: y¦X: y⏎X: z¦X: y⏎x: y¦Content_Length: 3¦Transfer_Encoding: chunked¦Date: x¦⟪480×X: y⏎⟫X: z⟩⏎⏎
        431 | 9110 5.4 fields that are too many or too long | $G⟨⟪500×X: y⏎⟫X: z¦X: ⟪33000×y⟫¦⟪33000×X⟫: y¦⟪400×X: 01234567890123456789012345678901234567890123456789012345678901234567890123456789⏎⟫X: z⟩⏎⏎
        200=3 404 | 9112 6.2 a length | $P⟨Content-Length: 3¦content-length:3¦CONTENT-LENGTH: 03¦Content-Length: \x093 ¦Content-Length: ⟪60×0⟫3⟩⏎⏎abc
        200=0 404 | 9112 6.2 no body | $P⟨Content-Length: 0⏎¦Content-Length: 000⏎¦¦Content-Type: x⏎⟩⏎
        400 | 9112 6.3 not a length | $PContent-Length: ⟨-1¦+3¦-0¦1,1¦3, 3¦3 3¦3;¦0x3¦3a¦a¦3.0¦3e0¦¦ ¦,¦"3"¦３¦٣¦²¦3\x0b¦\x003¦1_000¦Infinity¦NaN⟩⏎⏎abc
        413 | a length at the edges of an integer | $PContent-Length: ⟨67108865¦2147483647¦2147483648¦4294967295¦4294967296¦9007199254740993¦9223372036854775806¦9223372036854775807¦9223372036854775808¦18446744073709551615¦18446744073709551616¦18446744073709551619¦340282366920938463463374607431768211456¦⟪200×9⟫¦0009223372036854775808⟩⏎⏎abc
        413 | the same without a route | POST /none HTTP/1.1⏎Host: a⏎Content-Length: ⟨9223372036854775807¦9223372036854775808¦18446744073709551616⟩⏎⏎abc
        400 | 9112 6.3 several lengths | $PContent-Length: ⟨3⏎Content-Length: 3¦3⏎Content-Length: 4¦0⏎Content-Length: 3¦3⏎content-length: 0⟩⏎⏎abc
        400 | 9112 6.1 a length with a coding | $P⟨Content-Length: 3⏎Transfer-Encoding: chunked¦Transfer-Encoding: chunked⏎Content-Length: 3¦Transfer-Encoding: chunked⏎Content-Length: 0¦Content-Length: 0⏎transfer-encoding: chunked¦Content-Length: 5⏎Transfer-Encoding: identity¦Content-Length: 5⏎Transfer-Encoding:¦Content-Length:⏎Transfer-Encoding: chunked⟩⏎⏎0⏎⏎GET /smuggled HTTP/1.1⏎Host: a⏎⏎
        200=3 404 | 9112 7 chunked in other letters | $P⟨Transfer-Encoding: chunked¦transfer-encoding:Chunked¦TRANSFER-ENCODING:\x09CHUNKED \x09⟩⏎⏎3⏎abc⏎0⏎⏎
        400 | 9112 6.1 another coding | $PTransfer-Encoding: ⟨gzip¦identity¦deflate¦gzip, chunked¦chunked, gzip¦chunked, chunked¦chunked,identity¦chunked;q=1¦chunked;x¦"chunked"¦'chunked'¦chunke¦chunkedd¦xchunked¦x chunked¦chunked x¦chunked,¦,chunked¦, chunked¦chun\xe2\x84\xaaed¦ｃhunked¦\xffchunked¦chunked\xff¦chunked\x0b¦\x0bchunked¦chun\x00ked¦cow¦¦ ¦0¦chu nked⟩⏎⏎3⏎abc⏎0⏎⏎
        400 | 9112 6.1 several codings | $PTransfer-Encoding: ⟨chunked⏎Transfer-Encoding: chunked¦chunked⏎Transfer-Encoding: identity¦identity⏎Transfer-Encoding: chunked¦chunked⏎Transfer-Encoding: cow¦gzip⏎Transfer-Encoding: chunked¦chunked⏎transfer-encoding:⟩⏎⏎0⏎⏎GET /smuggled HTTP/1.1⏎Host: a⏎⏎
        400 | 9112 6.1 a hidden coding | $P⟨Transfer-Encoding : chunked¦Transfer-Encoding\x09: chunked¦ Transfer-Encoding: chunked¦Transfer-Encoding:⏎ chunked¦X: y⏎ Transfer-Encoding: chunked¦X: y\x0aTransfer-Encoding: chunked¦X: y\x0dTransfer-Encoding: chunked¦Transfer-Encoding\x00: chunked¦Transfer-Encoding\xff: chunked¦"Transfer-Encoding": chunked¦Transfer-Encoding chunked¦Transfer-Encoding=chunked⟩⏎⏎0⏎⏎GET /smuggled HTTP/1.1⏎Host: a⏎⏎
        200=0 400 | a header that only looks like a coding | $P⟨Transfer_Encoding: chunked¦X-Transfer-Encoding: chunked¦Transfer-Encodin: chunked¦TransferEncoding: chunked¦Transfer--Encoding: chunked⟩⏎⏎0⏎⏎
        400 | 9112 6.1 chunked in HTTP/1.0 | POST /a HTTP/1.0⏎⟨¦Host: a⏎¦Connection: keep-alive⏎⟩Transfer-Encoding: chunked⏎⏎3⏎abc⏎0⏎⏎
        200=3 | 9112 6.2 a length in HTTP/1.0 | POST /a HTTP/1.0⏎Content-Length: 3⏎⏎abc
        200 404 | 9112 6 a body of a GET | $G⟨Content-Length: 3⏎⏎abc¦Transfer-Encoding: chunked⏎⏎3⏎abc⏎0⏎⏎¦Content-Length: 50⏎⏎GET /smuggled HTTP/1.1⏎Host: a⏎X: 0123456789⏎⏎⟩
        404 404 | 9112 6 a body of a request without a route | ⟨POST¦GET¦PUT¦DELETE⟩ /none HTTP/1.1⏎Host: a⏎⟨Content-Length: 3⏎⏎abc¦Transfer-Encoding: chunked⏎⏎3⏎abc⏎0⏎⏎⟩
        405 404 | 9112 6 a body of an unknown method | BREW /a HTTP/1.1⏎Host: a⏎⟨Content-Length: 3⏎⏎abc¦Transfer-Encoding: chunked⏎⏎3⏎abc⏎0⏎⏎⟩
        200=3 404 | 9112 7.1 chunks | $C⟨3⏎abc¦03⏎abc¦00000000000000000000000000000003⏎abc¦1⏎a⏎1⏎b⏎1⏎c¦1⏎a⏎2⏎bc¦2⏎⏎⏎1⏎a¦3⏎0⏎¦3⏎⏎0⟩⏎0⏎⏎
        200=10 404 | 9112 7.1 hexadecimal sizes | $C⟨a¦A¦0a¦0A⟩⏎0123456789⏎0⏎⏎
        200=700 404 | 9112 7.1 many small chunks | $C⟪700×1⏎x⏎⟫0⏎⏎
        200=3 404 | 9112 7.1.1 extensions | $C3⟨;¦;x¦;x=y¦; x = y¦;x="y z"¦;x="⟪200×y⟫"¦;;;¦;\x09¦;é¦;x=3;y=4⟩⏎abc⏎0⟨¦;x⟩⏎⏎
        200=0 404 | 9112 7.1 the last chunk | $C⟨0¦00¦0000000000000000000000000¦0;x=y¦0;⟩⏎⏎
        400 | 9112 7.1 not a size | $C⟨¦ ¦g¦0x3¦3h¦x¦+3¦-3¦-0¦3 ¦ 3¦\x093¦3\x09¦3 ;x¦3,¦3.0¦3_0¦３¦;x¦"3"¦3\x00¦\xff⟩⏎abc⏎0⏎⏎
        413 | a chunk at the edges of an integer | $C⟨4000001¦7fffffff¦80000000¦ffffffff¦100000000¦fffffffffffffff¦7ffffffffffffffe¦7fffffffffffffff¦7FFFFFFFFFFFFFFF¦8000000000000000¦8000000000000003¦fffffffffffffffe¦ffffffffffffffff¦10000000000000000¦10000000000000003¦0007fffffffffffffff¦123456789abcdef0123456789abcdef¦⟪200×f⟫⟩⟨¦;x⟩⏎abc⏎0⏎⏎
        413 | the same without a route | POST /nosuch HTTP/1.1⏎Host: a⏎Transfer-Encoding: chunked⏎⏎⟨7fffffffffffffff¦ffffffffffffffff¦10000000000000000⟩⏎abc
        413 | the same after other chunks | $C3⏎abc⏎⟨7fffffffffffffff¦7ffffffffffffffc¦fffffffffffffffd⟩⏎abc
        400 | 9112 7.1 a chunk that does not end with its size | $C3⏎⟨abcd¦abcdGET¦ab¦abc\x0a0¦abc\x0d0¦abc⏎\x0a¦abc ¦abc0⟩⏎0⏎⏎GET /smuggled HTTP/1.1⏎Host: a⏎⏎
        400 | 9112 7.1 a line feed in chunks | $C⟨3\x0aabc⏎0⏎⏎¦3⏎abc\x0a0⏎⏎¦3⏎abc⏎0\x0a⏎¦3⏎abc⏎0⏎\x0a¦3;\x0aabc⏎0⏎⏎¦3⏎abc⏎0⏎X: y\x0a⏎⟩
        400 | 9112 7.1.1 an extension that is too long | $C3;⟨⟪300×x⟫¦⟪40000×x⟫⟩⏎abc⏎0⏎⏎
        200=3 404 | 9112 7.1.2 trailers | $C3⏎abc⏎0⏎⟨X: y⏎¦X:⏎Y: z⏎¦Content-Length: 5⏎¦Transfer-Encoding: chunked⏎¦Host: b⏎¦Connection: close⏎¦Trailer: x⏎¦Expect: wonders⏎¦⟪100×X: y⏎⟫⟩⏎
        400 | 9112 7.1.2 not a trailer | $C3⏎abc⏎0⏎⟨X⏎¦X : y⏎¦ X: y⏎¦X: y⏎ z⏎¦: y⏎¦GET /smuggled HTTP/1.1⏎⟩⏎
        431 | 9112 7.1.2 trailers that are too long | $C3⏎abc⏎0⏎⟨X: ⟪5000×y⟫⏎¦⟪50×X: 01234567890123456789012345678901234567890123456789012345678901234567890123456789⏎⟫¦⟪5000×X:⏎⟫⟩⏎
        100 200=3 404 | 9110 10.1.1 an expectation | $PExpect: ⟨100-continue¦100-Continue¦100-CONTINUE⟩⏎⟨Content-Length: 3⏎⏎abc¦Transfer-Encoding: chunked⏎⏎3⏎abc⏎0⏎⏎⟩
        200=0 404 | 9110 10.1.1 an expectation without a body | $PExpect: 100-continue⏎⟨¦Content-Length: 0⏎⟩⏎
        200=3 | 9110 10.1.1 an expectation in HTTP/1.0 | POST /a HTTP/1.0⏎Expect: 100-continue⏎Content-Length: 3⏎⏎abc
        417 | 9110 10.1.1 another expectation | $GExpect: ⟨wonders¦100¦100-continue, x¦100-continue;x¦200-ok¦¦100-continue⏎Expect: 100-continue⟩⏎⏎
        404 | 9110 10.1.1 a refused expectation | POST /none HTTP/1.1⏎Host: a⏎Expect: 100-continue⏎Content-Length: 3⏎⏎abc
        200 | 9112 9.6 close | $GConnection: ⟨close¦Close¦CLOSE¦keep-alive, close¦close, keep-alive¦close,¦,close¦ , close ¦x,\x09close¦x⏎Connection: close¦close⏎Connection: x¦⟪8000×a,⟫close¦close;x⟩⏎⏎
        200 404 | 9112 9.3 other options | $GConnection: ⟨keep-alive¦x¦¦,¦closed¦xclose¦"close"¦close-x¦c lose¦Upgrade¦TE¦⟪8000×a,⟫a⟩⏎⏎
        200 | 9112 9.3 HTTP/1.0 closes | GET /a HTTP/1.0⏎⟨¦Host: a⏎¦Connection: x⏎¦Connection: keep-alive, close⏎¦Keep-Alive: 5⏎⟩⏎
        200 404 | 9112 9.3 HTTP/1.0 stays | GET /a HTTP/1.0⏎Connection: ⟨keep-alive¦Keep-Alive¦x, keep-alive⟩⏎⏎
        200 404 | 9110 7.8 no upgrade | $GConnection: Upgrade⏎Upgrade: ⟨websocket¦h2c¦HTTP/2.0¦TLS/1.0⟩⏎⏎
        200 200 200=3 200 404 | 9112 9.3.2 requests in a row | $G⏎$G⏎$PContent-Length: 3⏎⏎abc$G⏎
        200=3 200=3 200 404 | 9112 9.3.2 chunks in a row | $C3⏎abc⏎0⏎⏎$C3⏎abc⏎0⏎X: y⏎⏎⏎$G⏎
        200 400 | 9112 9.3.2 a bad request after a good one | $G⏎⟨GET /smuggled HTTP/1.1⏎⏎¦\x00¦x⏎¦$GX : y⏎⏎¦GET /smuggled HTTP/1.1\x0a\x0a⟩
        200=3 400 | a body that is longer than it says | $PContent-Length: 3⏎⏎abc⟨d⏎¦ GET /smuggled HTTP/1.1⏎Host: a⏎⏎⟩
        """#
}
