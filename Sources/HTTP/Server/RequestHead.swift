/// The head of a request, before its path is parsed.
package struct RequestHead {
    /// The method as it was sent, perhaps an unknown one.
    package internal(set) var method = ""
    /// The target: a path with its query, or `*`. Anything else is refused later.
    package internal(set) var target: [UInt8] = []
    package internal(set) var version = HTTPVersion.oneOne
    package internal(set) var headers = HTTPHeaders()

    package enum Body: Equatable {
        case none
        case length(Int)
        case chunked
    }

    /// Returns the length of the body. Throws if two readers could disagree about it, and so about the start of the
    /// next request (RFC 9112, 6.3).
    func body(upTo limit: Int) throws(HeadError) -> Body {
        guard version != .other else { throw HeadError(505, "This server speaks HTTP/1.1.") }
        let hosts = headers.values("Host")
        guard hosts.count == 1 || (hosts.isEmpty && version == .one) else {
            throw .malformed("The request has no Host, or more than one.")
        }
        guard hosts.allSatisfy({ $0.isEmpty || isAuthority(Array($0.utf8)[...]) }) else {
            throw .malformed("The Host is not a name or an address with an optional port.")
        }
        let lengths = headers.values("Content-Length")
        let codings = headers.values("Transfer-Encoding")
        switch (lengths.count, codings.count) {
        case (0, 0): return .none
        case (1, 0):
            guard !lengths[0].isEmpty, lengths[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                throw .malformed("The Content-Length is not a number.")
            }
            guard let length = Int(lengths[0]) else { throw .tooLong(limit: limit) }
            return length == 0 ? .none : .length(length)
        case (0, 1):
            guard codings[0].isNamed("chunked"), version == .oneOne else {
                throw .malformed("The Transfer-Encoding is not \"chunked\", or the request is not HTTP/1.1.")
            }
            return .chunked
        default:
            throw .malformed("The request has more than one of Content-Length and Transfer-Encoding.")
        }
    }

    /// Replaces a target such as `http://host/path`, which proxies send, by its path. Its host replaces that of `Host`:
    /// RFC 9112, 3.2.2.
    mutating func resolveTarget() throws(HeadError) {
        guard target.first != UInt8(ascii: "/"),
            let scheme = ["http://", "https://"].first(where: { target.prefix($0.utf8.count).isNamed($0) })
        else { return }
        let rest = target.dropFirst(scheme.utf8.count)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        guard isAuthority(rest[..<end]) else {
            throw .malformed("The target of the request does not name a host with an optional port.")
        }
        headers["Host"] = String(decoding: rest[..<end], as: UTF8.self)
        let path = Array(rest[end...])
        switch path.first {
        case nil where method == "OPTIONS": target = Array("*".utf8)
        case UInt8(ascii: "/"): target = path
        default: target = Array("/".utf8) + path
        }
    }

    /// True if the client waits for "100 Continue" before it sends the body.
    func expectsContinue() throws(HeadError) -> Bool {
        let expectations = headers.values("Expect")
        guard !expectations.isEmpty else { return false }
        guard expectations.count == 1, expectations[0].isNamed("100-continue") else {
            throw HeadError(417, "The only expectation that can be met is 100-continue.")
        }
        return version == .oneOne
    }

    /// True if the connection stays open after the response: RFC 9112, 9.3.
    var keepsConnection: Bool {
        !headers.contains("close", in: "Connection")
            && (version == .oneOne || headers.contains("keep-alive", in: "Connection"))
    }
}

/// A request that no handler answers: the status, and a sentence for the client.
package struct HeadError: Error, Equatable {
    package let status: Int
    let sentence: String

    init(_ status: Int, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    static func malformed(_ sentence: String) -> Self { Self(400, sentence) }
    static func tooLong(limit: Int) -> Self { Self(413, "The body is longer than \(limit) bytes.") }
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
