import HTTP
import JSON

/// Stores locations as documents of Firestore, through its REST API:
/// https://firebase.google.com/docs/firestore/reference/rest
///
/// Each parcel is one commit. Firestore executes all of its writes or none.
struct FirestoreSink: LocationSink, HTTPCaller {
    package let http: HTTPClient
    package let server: HTTPURL
    package let signIn: FirebaseSignIn?
    private let commitURL: HTTPURL
    /// The beginning of each document's name.
    private let root: String
    private let collection: FirestorePath
    /// In bytes: 10 MiB, minus some space for headers that a proxy counts.
    var largestCommit = 10 << 20 - 64 << 10

    package static let publicServer = HTTPURL(known: "https://firestore.googleapis.com")
    static let defaultDatabase = "(default)"

    /// Firestore refuses more writes in one commit.
    package var most: Int { 500 }

    package var sender: (any HTTPCaller)? { self }

    /// Returns nil if `project` or `database` is not a valid name.
    package init?(
        project: String, database: String = Self.defaultDatabase, collection: FirestorePath, signIn: FirebaseSignIn,
        http: HTTPClient, server: HTTPURL = Self.publicServer
    ) {
        let name = "projects/\(project)/databases/\(database)"
        // `HTTPURL.appending` would escape the colon and the parentheses.
        guard Self.isName(project), database == Self.defaultDatabase || Self.isName(database),
            let url = HTTPURL("\(server.text)\(server.text.hasSuffix("/") ? "" : "/")v1/\(name)/documents:commit")
        else { return nil }
        self.http = http
        self.server = server
        self.signIn = signIn
        self.collection = collection
        commitURL = url
        root = "\(name)/documents/"
    }

    private static func isName(_ text: String) -> Bool {
        let others: Set<UInt8> = [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":")]
        return !text.isEmpty && text != "." && text != ".." && text.utf8.count <= 100
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: others.contains(byte)
                }
            }
    }

    package func upload(_ parcel: Parcel) async throws(SinkError) {
        guard let token = parcel.token else { throw .unauthorized(reason: "there is no sign-in") }
        let writes = parcel.last { Array(collection.document(of: $0).utf8) }
        guard !writes.isEmpty else { return }
        let body = commit(writes)
        guard body.count <= largestCommit else { throw .refused(reason: "the commit is larger than 10 MiB") }
        let headers: HTTPHeaders = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
        let response = try await http.answer(
            to: HTTPRequest(.post, commitURL, headers: headers, body: body), "Firestore")
        guard response.status == 200 else { throw FirestoreFault(response).error }
        guard case .success(let json) = Result(catching: { try JSONValue(parsing: response.body) }),
            json.object?["writeResults"]?.list?.count == writes.count
        else { throw .unavailable(reason: "Firestore replied in an unexpected format") }
    }

    private func commit(_ locations: [LocationToUpload]) -> [UInt8] {
        JSONWriter.bytes { json in
            json.object { json in
                json.list("writes", locations) { json, location in
                    let name = root + collection.document(of: location)
                    json.object { json in
                        if location.isRemoved { json.member("delete", name) } else { json.update(location, name: name) }
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    private static let fields = ["id", "user", "lat", "lng", "accuracy", "timestamp", "wait_time", "uploaded"]

    /// The fields of a `PendingLocation`, with the names of its JSON. Every number is a double: `is float` in the app's
    /// rules can't check a number that is sometimes an integer.
    ///
    /// With a mask, fields that the app has added to the document stay.
    fileprivate mutating func update(_ location: LocationToUpload, name: String) {
        object("update") { json in
            json.member("name", name)
            json.object("fields") { json in
                json.object("id") { $0.member("stringValue", location.id) }
                json.object("user") { $0.member("stringValue", location.user) }
                json.object("lat") { $0.member("doubleValue", location.lat) }
                json.object("lng") { $0.member("doubleValue", location.lng) }
                json.object("accuracy") { json in
                    if let accuracy = location.accuracy {
                        json.member("doubleValue", accuracy)
                    } else {
                        json.null("nullValue")
                    }
                }
                json.object("timestamp") { $0.member("doubleValue", location.timestamp) }
                json.object("wait_time") { $0.member("doubleValue", location.waitTime) }
                json.object("uploaded") { $0.member("booleanValue", true) }
            }
        }
        object("updateMask") { $0.list("fieldPaths", Self.fields) { $0.value($1) } }
    }
}
