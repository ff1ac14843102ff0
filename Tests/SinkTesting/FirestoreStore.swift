import JSON

/// A value with its type: https://firebase.google.com/docs/firestore/reference/rest/v1/Value
package enum FirestoreValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case double(Double)
    case string(String)
    case timestamp(String)

    init?(_ json: JSONValue) {
        guard let members = json.object, members.count == 1, let (type, value) = members.first else { return nil }
        switch (type, value) {
        case ("nullValue", .null): self = .null
        case ("booleanValue", .bool(let value)): self = .boolean(value)
        case ("integerValue", .text(let text)):
            guard let value = Int(text) else { return nil }
            self = .integer(value)
        case ("doubleValue", .number(let value)): self = .double(value)
        case ("stringValue", .text(let text)): self = .string(text)
        case ("timestampValue", .text(let text)): self = .timestamp(text)
        default: return nil
        }
    }
}

struct FirestoreStore {
    private(set) var documents: [String: [String: FirestoreValue]] = [:]

    /// Carries out all writes in order.
    mutating func carryOut(_ writes: [FirestoreWrite]) {
        for write in writes {
            guard let fields = write.fields else {
                documents[write.path] = nil
                continue
            }
            guard let mask = write.mask else {
                documents[write.path] = fields
                continue
            }
            // A field in the mask without a value is deleted; a field outside the mask stays.
            for name in mask { documents[write.path, default: [:]][name] = fields[name] }
        }
    }
}

/// https://firebase.google.com/docs/firestore/reference/rest/v1/Write
struct FirestoreWrite {
    let path: String
    /// Nil if the document is deleted.
    let fields: [String: FirestoreValue]?
    /// Nil if the whole document is replaced.
    let mask: [String]?

    var isDelete: Bool { fields == nil }

    struct Invalid: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    static func all(in body: [UInt8], below root: String) throws(Invalid) -> [Self] {
        guard body.count <= 10 << 20 else { throw Invalid("the request is larger than 10 MiB") }
        guard let members = (try? JSONValue(parsing: body))?.object, Array(members.keys) == ["writes"],
            let items = members["writes"]?.list
        else { throw Invalid("the body is no list of writes") }
        guard items.count <= 500 else { throw Invalid("more than 500 writes") }
        return try items.map { item throws(Invalid) in try Self(item, below: root) }
    }

    private init(_ json: JSONValue, below root: String) throws(Invalid) {
        guard let members = json.object else { throw Invalid("a write is no object") }
        if let name = members["delete"]?.text, members.count == 1 {
            self.init(path: try Self.path(name, below: root), fields: nil, mask: nil)
            return
        }
        guard let document = members["update"]?.object, let name = document["name"]?.text,
            let fields = document["fields"]?.object, document.count == 2,
            members.keys.allSatisfy({ ["update", "updateMask"].contains($0) })
        else { throw Invalid("a write is neither an update nor a delete") }
        let values = fields.compactMapValues(FirestoreValue.init)
        guard values.count == fields.count else { throw Invalid("a value has no type") }
        var mask: [String]?
        if let given = members["updateMask"] {
            mask = given.object?["fieldPaths"]?.list?.compactMap(\.text)
            guard mask != nil else { throw Invalid("a mask without a list of fields") }
        }
        self.init(path: try Self.path(name, below: root), fields: values, mask: mask)
    }

    private init(path: String, fields: [String: FirestoreValue]?, mask: [String]?) {
        self.path = path
        self.fields = fields
        self.mask = mask
    }

    /// https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields
    private static func path(_ name: String, below root: String) throws(Invalid) -> String {
        guard name.hasPrefix(root) else { throw Invalid("a document of another database") }
        let path = String(name.dropFirst(root.count))
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        let isLegal = segments.allSatisfy { segment in
            !segment.isEmpty && segment.utf8.count <= 1_500 && segment != "." && segment != ".."
                && !(segment.utf8.count >= 4 && segment.hasPrefix("__") && segment.hasSuffix("__"))
        }
        guard isLegal, segments.count.isMultiple(of: 2) else { throw Invalid("no name of a document") }
        return path
    }
}
