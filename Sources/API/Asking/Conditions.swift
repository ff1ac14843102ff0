import HTTP

/// What a client wants a resource to be before its request is carried out.
/// https://www.rfc-editor.org/rfc/rfc9110#section-13.1
struct Conditions: Equatable, Sendable {
    /// Of `If-Match`; nil where nothing is wanted.
    private let match: Tags?
    /// Of `If-None-Match`.
    private let noneMatch: Tags?

    /// What a resource is at present.
    enum Current: Equatable {
        case missing
        /// It is there; nil where it has no tag that anybody could know.
        case there(ETag?)
    }

    fileprivate enum Tags: Equatable {
        case any
        case listed([Tag])
    }

    fileprivate struct Tag: Equatable {
        let isWeak: Bool
        /// Between the quotes.
        let text: Substring
    }

    /// Throws where a header can't be read. To pass over one would be to carry out what the client wanted to prevent.
    init(_ headers: HTTPHeaders) throws {
        match = try Self.tags("If-Match", in: headers)
        noneMatch = try Self.tags("If-None-Match", in: headers)
    }

    /// Whether the resource must not be there.
    var wantsNothing: Bool { noneMatch == .any }

    var isEmpty: Bool { match == nil && noneMatch == nil }

    /// Whether a write may change what has this tag. Whoever asks holds the lock of the resource.
    ///
    /// Any answer that shows the state is good enough, also one with other columns or a compressed one.
    func permit(writeTo current: Current) -> Bool {
        switch current {
        case .missing: match == nil
        case .there(let tag):
            match?.contain({ !$0.isWeak && tag.map($0.isState) == true }) != false
                && noneMatch?.contain({ tag.map($0.isState) == true }) != true
        }
    }

    /// What a GET is answered with whose answer has this tag: nil for the answer itself.
    func status(ofReading tag: String) -> Int? {
        if match?.contain({ !$0.isWeak && $0.quoted == tag }) == false { return 412 }
        // Compared weakly, for proxies weaken what they compress.
        if noneMatch?.contain({ $0.quoted == tag }) == true { return 304 }
        return nil
    }

    private static func tags(_ name: String, in headers: HTTPHeaders) throws -> Tags? {
        let values = headers.values(name)
        guard !values.isEmpty else { return nil }
        // Several fields are one list: https://www.rfc-editor.org/rfc/rfc9110#section-5.3
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
        .invalid(parameters: [.init(field: name, detail: "is neither * nor a list of tags in quotes")])
    }
}

extension Conditions.Tags {
    /// A resource that is there is one of any.
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
    /// What may stand beside a comma: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.3
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}

extension Substring {
    fileprivate var trimmed: Substring {
        guard let last = lastIndex(where: { !$0.isBlank }) else { return "" }
        return self[...last].drop(while: \.isBlank)
    }
}

extension APIRequest {
    /// Refuses a write unless what the client wants of the resource holds.
    ///
    /// `current` is asked only where something is wanted. It locks the resource, so that of two who know the same state one is refused,
    /// and answers what a GET does; nil where the resource is missing and the write would make it.
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
        status: 412, detail: "The resource is not what If-Match or If-None-Match wants; read it again.", monicaCode: 41)
}
