/// The head of a request, before its path is parsed.
struct RequestHead {
    /// The method as it was sent, perhaps an unknown one.
    var method = ""
    /// The target as it was sent.
    var target: [UInt8] = []
    var version = ""
    var headers = HTTPHeaders()

    enum Body: Equatable {
        case none
        case length(Int)
        case chunked
    }

    /// Returns the length of the body. Throws if two readers could disagree about it, and so about the start of the
    /// next request (RFC 9112, 6.3).
    func body() throws(HeadError) -> Body {
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw HeadError(505, "This server speaks HTTP/1.1.")
        }
        let hosts = headers.values("Host").count
        guard hosts == 1 || (hosts == 0 && version == "HTTP/1.0") else {
            throw .malformed("The request has no Host, or more than one.")
        }
        let lengths = headers.values("Content-Length")
        let codings = headers.values("Transfer-Encoding")
        switch (lengths.count, codings.count) {
        case (0, 0): return .none
        case (1, 0):
            guard lengths[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let length = Int(lengths[0]) else {
                throw .malformed("The Content-Length is not a number.")
            }
            return length == 0 ? .none : .length(length)
        case (0, 1):
            guard codings[0].lowercased() == "chunked", version == "HTTP/1.1" else {
                throw .malformed("The Transfer-Encoding is not \"chunked\", or the request is not HTTP/1.1.")
            }
            return .chunked
        default:
            throw .malformed("The request has more than one of Content-Length and Transfer-Encoding.")
        }
    }

    /// True if the client waits for "100 Continue" before it sends the body.
    func expectsContinue() throws(HeadError) -> Bool {
        let expectations = headers.values("Expect")
        guard !expectations.isEmpty else { return false }
        guard expectations.count == 1, expectations[0].lowercased() == "100-continue" else {
            throw HeadError(417, "The only expectation that can be met is 100-continue.")
        }
        return version == "HTTP/1.1"
    }

    /// True if the connection stays open after the response: RFC 9112, 9.3.
    var keepsConnection: Bool {
        let options = headers.values("Connection").flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        return !options.contains("close") && (version == "HTTP/1.1" || options.contains("keep-alive"))
    }
}

/// A request that no handler answers: the status, and a sentence for the client.
struct HeadError: Error, Equatable {
    let status: Int
    let sentence: String

    init(_ status: Int, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    static func malformed(_ sentence: String) -> Self { Self(400, sentence) }
}

extension UInt8 {
    /// True for a character of a method or of a field name: RFC 9110, 5.6.2.
    var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
