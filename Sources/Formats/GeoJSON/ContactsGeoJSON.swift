import JSON

/// Reads contacts from a collection of GeoJSON features, or from a single feature:
/// https://www.rfc-editor.org/rfc/rfc7946
///
/// A feature is an address. Consecutive features with the same `key` are one friend, as in our export. A point is the
/// contact's own position for the address, unless it is an answer of Waypost.
package struct ContactsGeoJSON: JSONContactReader {
    package let name: String
    package let totalSize: Int?
    private let options: ReadingOptions
    var elements: JSONElements
    private var keys = KeyLines()
    private var names = SourceKeys()
    var waiting: ArraySlice<ContactEntry> = []
    var isEnded = false
    /// The friend that may get more addresses from the next features.
    private var open: ContactDraft?
    /// The members of a document that is itself a feature.
    private var document: [String: JSONValue] = [:]
    private var documentLine = 1

    /// The longest feature, in bytes.
    static let largestFeature = 1 << 20
    private static let members = ["type", "id", "properties", "geometry"]

    /// Reads bytes from `read`, as if they came from a file of this name.
    package init(
        name: String, size: Int?, options: ReadingOptions, chunkSize: Int = 256 << 10,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        (self.name, totalSize, self.options) = (name, size, options)
        elements = JSONElements(
            at: [["features", "*"]] + Self.members.map { [$0] }, largest: Self.largestFeature, chunkSize: chunkSize,
            read: read)
    }

    mutating func take(_ element: JSONElement) throws {
        do throws(UnusableContact) {
            guard let bytes = element.bytes else { throw UnusableContact(reason: "it is longer than 1 MiB") }
            let value = try Self.value(of: bytes)
            if element.path == 0 {
                try add(GeoJSONFeature(value), line: element.line)
            } else {
                if document.isEmpty { documentLine = element.line }
                document[Self.members[element.path - 1]] = value
            }
        } catch {
            waiting.append(.refused(line: element.line, reason: error.reason))
        }
        try checkType()
    }

    /// Refuses a document with another type as early as possible.
    private func checkType() throws {
        guard let type = document["type"] else { return }
        guard type == .text("FeatureCollection") || type == .text("Feature") else {
            throw FileError(file: name, problem: "is JSON, but neither a FeatureCollection nor a Feature of GeoJSON")
        }
    }

    mutating func finish() throws {
        guard document["type"] != nil else {
            throw FileError(file: name, problem: "is JSON, but its \"type\" is missing; GeoJSON has one")
        }
        if document["type"] == .text("Feature") {
            do throws(UnusableContact) { try add(GeoJSONFeature(.object(document)), line: documentLine) } catch {
                waiting.append(.refused(line: documentLine, reason: error.reason))
            }
        }
        close()
    }

    private mutating func add(_ feature: GeoJSONFeature, line: Int) throws(UnusableContact) {
        if let key = feature.key, open?.friend.sourceKey.isExactly(key) == true {
            open?.add(feature, line: line)
            return
        }
        var friend = feature.friend
        friend.sourceKey = feature.key ?? feature.id ?? names.key(name: friend.name)
        try keys.enter(friend.sourceKey, line: line)
        close()
        var draft = ContactDraft(friend, line: line, options: options)
        draft.add(feature, line: line)
        open = draft
    }

    private mutating func close() {
        waiting += open?.entries ?? []
        open = nil
    }
}
