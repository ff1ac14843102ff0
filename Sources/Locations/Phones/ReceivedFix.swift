import Geocoding
package import JSON
import Processes
package import Tracking

/// One position of a phone's message: a fix, or the reason why it is unusable. The reason contains nothing of the
/// position.
package struct ReceivedFix: Sendable {
    /// The name of the phone; nil if the message contains none.
    package let device: String?
    package let fix: Result<Fix, Unusable>

    package struct Unusable: Error, Hashable, Sendable {
        /// Continues a sentence that begins with "The fix".
        package let reason: String
        package let refusal: FixRefusal
        /// In how many seconds the same fix will be kept; nil if never.
        package let secondsUntilGood: Double?

        package init(reason: String, _ refusal: FixRefusal = .unreadable, secondsUntilGood: Double? = nil) {
            self.reason = reason
            self.refusal = refusal
            self.secondsUntilGood = secondsUntilGood
        }
    }

    /// Returns the fix if it can be true. `now` is in seconds since 1970.
    package func checked(now: Double) throws(Unusable) -> Fix { try Self.checked(fix.get(), now: now) }

    /// Returns a fix if it can be true.
    static func checked(_ fix: Fix, now: Double) throws(Unusable) -> Fix {
        let rule = TrackingRule()
        guard let problem = rule.problem(of: fix, now: now) else { return fix }
        throw Unusable(
            reason: problem.explanation, FixRefusal(problem), secondsUntilGood: rule.secondsUntilGood(fix, now: now))
    }

    init(_ device: String? = nil, _ read: () throws(Unusable) -> Fix) {
        self.device = device
        do throws(Unusable) { fix = .success(try read()) } catch { fix = .failure(error) }
    }
}

extension ReceivedFix {
    private static let members: Set<String> = ["id", "lat", "lng", "accuracy", "timestamp", "wait_time"]
    /// Members of an app's own ``PendingLocation`` and of a listed location, which are ignored.
    private static let others: Set<String> = ["user", "uploaded", "removed", "fixes", "place"]

    /// Reads a fix in our own format from a line of NDJSON.
    package init(line: [UInt8]) {
        do throws(JSONError) { self.init(try JSONValue(parsing: line)) } catch { self.init(unusable: "is not JSON") }
    }

    package init(unusable reason: String) {
        device = nil
        fix = .failure(Unusable(reason: reason))
    }

    /// Reads a fix in our own format: `{"lat": …, "lng": …, "timestamp": …}`, optionally with `accuracy`, `wait_time`
    /// and `id`.
    package init(_ json: JSONValue) {
        self.init { () throws(Unusable) in
            guard let object = json.object else { throw Unusable(reason: "is not an object") }
            // A value under a misspelt name would be lost.
            if let unknown = object.keys.sorted().first(where: {
                !Self.members.contains($0) && !Self.others.contains($0)
            }) {
                let known = Self.members.sorted().joined(separator: ", ")
                throw Unusable(reason: "has the member \(unknown.prefix(40)), which is not one of \(known)")
            }
            let fix = MemberReader(object)
            return Fix(
                id: try fix.id("id"), lat: try fix.number("lat"), lng: try fix.number("lng"),
                accuracy: try fix.optionalNumber("accuracy"), timestamp: try fix.timestamp("timestamp"),
                waitTime: try fix.optionalNumber("wait_time") ?? 0)
        }
    }
}

/// Reads the members of an object, or reports which one is wrong.
struct MemberReader {
    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    func number(_ name: String) throws(ReceivedFix.Unusable) -> Double {
        guard let number = try optionalNumber(name) else { throw .init(reason: "has no \(name)") }
        return number
    }

    func optionalNumber(_ name: String) throws(ReceivedFix.Unusable) -> Double? {
        switch members[name] {
        case nil, .null: return nil
        case .number(let number): return number
        default: throw .init(reason: "has a \(name) that is not a number")
        }
    }

    /// Reads a number of seconds or milliseconds since 1970, or a text in RFC 3339.
    func timestamp(_ name: String) throws(ReceivedFix.Unusable) -> Double {
        switch members[name] {
        case nil, .null: throw .init(reason: "has no \(name)")
        case .number(let number):
            if let seconds = Timestamp.seconds(number) { return seconds }
        case .text(let text):
            if let seconds = Timestamp.seconds(text) { return seconds }
        default: break
        }
        throw .init(reason: "has a \(name) that is neither a number nor a time such as 2026-11-22T15:00:00Z")
    }

    /// Returns an empty id if there is none.
    func id(_ name: String) throws(ReceivedFix.Unusable) -> String {
        switch members[name] {
        case nil, .null: return ""
        case .text(let text) where text.utf8.count <= 200 && !text.utf8.contains(0): return Normalization.composed(text)
        default: throw .init(reason: "has an \(name) that is not a text of at most 200 bytes")
        }
    }

    /// True if a member exists and is not null.
    func has(_ name: String) -> Bool { members[name].map { $0 != .null } ?? false }

    func text(_ name: String) -> String? {
        guard let text = members[name]?.text, !text.isEmpty else { return nil }
        return text
    }

    func object(_ name: String) throws(ReceivedFix.Unusable) -> MemberReader {
        guard let object = members[name]?.object else { throw .init(reason: "has no \(name)") }
        return MemberReader(object)
    }
}
