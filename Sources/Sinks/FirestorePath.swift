import HTTP
import Processes

/// The collection for locations: `locations`, or one below a document, such as `users/{user}/locations`.
package struct FirestorePath: Sendable, Hashable {
    private let segments: [String]

    private static let user = "{user}"

    /// Returns nil for a path that is not a collection: an even number of segments, or one that Firestore does not
    /// permit.
    package init?(_ text: String) {
        let segments = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !segments.count.isMultiple(of: 2), segments.count < 100,
            segments.allSatisfy({ $0 == Self.user || !$0.contains("{") && Self.isLegal($0) })
        else { return nil }
        self.segments = segments
    }

    /// Returns the path of a location's document from the database's root. No name in it can lead to another place.
    func document(of location: LocationToUpload) -> String {
        let user = Self.segment(for: location.user)
        return (segments.map { $0 == Self.user ? user : $0 } + [Self.segment(for: location.id)]).joined(separator: "/")
    }

    private static let escape: Character = "~"
    private static let longest = 1_500

    /// Returns an id unchanged if it is a legal name of a document; otherwise a name that no other id gets.
    ///
    /// Escaped names begin with `~`, so an id that begins with `~` is escaped too.
    static func segment(for id: String) -> String {
        if isLegal(id) && id.first != escape { return id }
        var escaped = String(escape)
        for scalar in id.unicodeScalars {
            switch scalar {
            case "/": escaped += "%2F"
            case "%": escaped += "%25"
            case "~": escaped += "%7E"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        if escaped.utf8.count <= longest { return escaped }
        // No other escaped name begins with two of them.
        return "\(escape)\(escape)" + Digest.sha256(Array(id.utf8)).hexadecimal
    }

    /// https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields
    private static func isLegal(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= longest && !name.utf8.contains(UInt8(ascii: "/")) && name != "."
            && name != ".." && !(name.utf8.count >= 4 && name.hasPrefix("__") && name.hasSuffix("__"))
    }
}
