import HTTPTesting

/// The reply of a stand-in.
package enum SinkMood: String, CaseIterable, Sendable {
    case well
    /// 500, 503
    case internalError, unavailable
    /// 429, with ``retryAfter`` or without.
    case busy, busyWithoutTime
    /// 401, though the token is good.
    case unauthenticated
    case permissionDenied
    /// 409: another transaction won.
    case aborted
    /// A page of HTML with status 200.
    case garbage
    /// Nothing at all with status 200.
    case empty
    /// Stores everything, and sends half of the true reply.
    case truncated
    /// Stores everything, and reports one write less.
    case fewerResults
    /// Stores everything, and closes the connection without a reply.
    case lost
    /// Closes the connection at once.
    case hangUp
    /// Sends nothing until the client gives up.
    case silent

    package static let retryAfter = 7

    /// The moods for a webhook's receiver. A webhook counts any 200 as success, whatever its body, so 200 with garbage
    /// is left out.
    package static let ofReceivers = allCases.filter { $0 != .garbage && $0 != .empty }

    /// The reply without regard to the request; nil if the request is processed.
    var answer: ScriptedAnswer? {
        switch self {
        case .well, .truncated, .fewerResults, .lost: nil
        case .internalError: .fault(500, "INTERNAL", "secret")
        case .unavailable: .fault(503, "UNAVAILABLE", "secret")
        case .busy:
            .json(
                #"{"error": {"code": 429, "message": "secret", "status": "RESOURCE_EXHAUSTED"}}"#, status: 429,
                headers: [("Retry-After", "\(Self.retryAfter)")])
        case .busyWithoutTime: .fault(429, "RESOURCE_EXHAUSTED", "secret")
        case .unauthenticated: .fault(401, "UNAUTHENTICATED", "secret")
        case .permissionDenied: .fault(403, "PERMISSION_DENIED", "secret")
        case .aborted: .fault(409, "ABORTED", "secret")
        case .garbage: .json("<html>secret</html>", type: "text/html")
        case .empty: .status(200)
        case .hangUp: .close
        case .silent: .hang
        }
    }

    /// The true reply, changed by the mood.
    func spoiled(_ text: String) -> ScriptedAnswer {
        switch self {
        case .truncated: .truncated(String(text.prefix(text.count / 2)), promising: text.utf8.count)
        case .lost: .close
        default: .json(text)
        }
    }
}

/// The moods of the next requests, one each.
struct Moods {
    private var moods: [SinkMood]
    private let isEndless: Bool

    init(_ moods: [SinkMood] = [], isEndless: Bool = false) {
        self.moods = moods
        self.isEndless = isEndless
    }

    mutating func next() -> SinkMood {
        guard !moods.isEmpty else { return .well }
        let mood = moods.removeFirst()
        if isEndless { moods.append(mood) }
        return mood
    }
}
