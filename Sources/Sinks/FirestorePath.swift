/// The collection into which locations go: `locations`, or below a document, such as `users/{user}/locations`.
package struct FirestorePath: Sendable, Hashable {
    private let segments: [String]

    private static let user = "{user}"

    /// Nil for what is no collection: an even number of segments, or one that Firestore does not permit.
    package init?(_ text: String) {
        let segments = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !segments.count.isMultiple(of: 2), segments.count < 100,
            segments.allSatisfy({ $0 == Self.user || !$0.contains("{") && Self.isLegal($0) })
        else { return nil }
        self.segments = segments
    }

    /// Where a location's document is, from the database's root on. No name in it leads to another place.
    func document(of location: UploadedLocation) -> String {
        let user = Self.segment(for: location.user)
        return (segments.map { $0 == Self.user ? user : $0 } + [Self.segment(for: location.id)]).joined(separator: "/")
    }

    private static let escape: Character = "~"
    private static let longest = 1_500

    /// An id as it is, if it is a legal name of a document; else one that no other id gets.
    ///
    /// What is escaped begins with `~`, so an id that begins with it is escaped too.
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
        // Nothing above begins with two of them.
        return "\(escape)\(escape)" + SHA256.hash(Array(id.utf8)).hexadecimal
    }

    /// https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields
    private static func isLegal(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= longest && !name.utf8.contains(UInt8(ascii: "/")) && name != "."
            && name != ".." && !(name.utf8.count >= 4 && name.hasPrefix("__") && name.hasSuffix("__"))
    }
}
