import HTTP

/// The client's conditions on a resource, checked before its request is carried out.
/// https://www.rfc-editor.org/rfc/rfc9110#section-13.1
struct Conditions: Equatable, Sendable {
    /// The tags of `If-Match`; nil without that header.
    private let match: Tags?
    /// The tags of `If-None-Match`.
    private let noneMatch: Tags?

    /// The present state of a resource.
    enum Current: Equatable {
        case missing
        /// The resource exists. The tag is nil if no client can know it.
        case there(ETag?)
    }

    fileprivate enum Tags: Equatable {
        case any
        case listed([Tag])
    }

    fileprivate struct Tag: Equatable {
        let isWeak: Bool
        /// The text between the quotes.
        let text: Substring
    }

    /// Throws if a header is invalid. Ignoring it would carry out a request that the client wanted to prevent.
    init(_ headers: HTTPHeaders) throws {
        match = try Self.tags("If-Match", in: headers)
        noneMatch = try Self.tags("If-None-Match", in: headers)
    }

    /// Returns whether the resource must not exist.
    var wantsNothing: Bool { noneMatch == .any }

    var isEmpty: Bool { match == nil && noneMatch == nil }

    /// Returns whether a write may change a resource in this state. The caller holds the lock of the resource.
    ///
    /// A tag of any response with the same state is accepted, also one with other columns or a compressed one.
    func permit(writeTo current: Current) -> Bool {
        switch current {
        case .missing: match == nil
        case .there(let tag):
            match?.contain({ !$0.isWeak && tag.map($0.isState) == true }) != false
                && noneMatch?.contain({ tag.map($0.isState) == true }) != true
        }
    }

    /// The status for a GET whose response has this tag: 412, 304, or nil to send the response.
    func status(ofReading tag: String) -> Int? {
        if match?.contain({ !$0.isWeak && $0.quoted == tag }) == false { return 412 }
        // Weak comparison, because proxies that compress make a tag weak.
        if noneMatch?.contain({ $0.quoted == tag }) == true { return 304 }
        return nil
    }

    private static func tags(_ name: String, in headers: HTTPHeaders) throws -> Tags? {
        let values = headers.values(name)
        guard !values.isEmpty else { return nil }
        // Several fields form one list: https://www.rfc-editor.org/rfc/rfc9110#section-5.3
        var rest = values.joined(separator: ",")[...]
        if rest.trimmed == "*" { return .any }
        var tags: [Tag] = []
        while true {
            rest = rest.drop { $0 == "," || $0.isBlank }
            guard !rest.isEmpty else { break }
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { throw unreadable(name) }
            tags.append(Tag(isWeak: isWeak, text: rest[rest.index(after: rest.startIndex)..<end]))
            rest = rest[end...].dropFirst().drop(while: \.isBlank)
            guard rest.isEmpty || rest.first == "," else { throw unreadable(name) }
        }
        guard !tags.isEmpty else { throw unreadable(name) }
        return .listed(tags)
    }

    private static func unreadable(_ name: String) -> RequestError {
        .invalid(parameter: name, "is neither * nor a list of tags in quotes")
    }
}

extension Conditions.Tags {
    /// `*` matches every resource that exists.
    fileprivate func contain(_ fits: (Conditions.Tag) -> Bool) -> Bool {
        switch self {
        case .any: true
        case .listed(let tags): tags.contains(where: fits)
        }
    }
}

extension Conditions.Tag {
    fileprivate var quoted: String { "\"\(text)\"" }

    fileprivate func isState(of tag: ETag) -> Bool { text == tag.state || text.hasPrefix(tag.state + "-") }
}

extension Character {
    /// The white space that may surround a comma: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.3
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}

extension Substring {
    fileprivate var trimmed: Substring {
        guard let last = lastIndex(where: { !$0.isBlank }) else { return "" }
        return self[...last].drop(while: \.isBlank)
    }
}

extension APIRequest {
    /// Refuses a write unless the client's conditions are true.
    ///
    /// `current` is called only if there are conditions. It locks the resource, so that only one of two concurrent
    /// writes succeeds. It returns the response to a GET; nil if the resource is missing and the write would create it.
    func require(_ current: () throws -> ServerResponse?) throws {
        guard !conditions.isEmpty else { return }
        let response = try current()
        guard conditions.permit(writeTo: response.map { .there(.of($0.bytes)) } ?? .missing) else {
            throw RequestError.preconditionFailed
        }
    }
}

extension RequestError {
    static let preconditionFailed = RequestError(
        status: 412, detail: "The resource is not what If-Match or If-None-Match wants; read it again.")
}
