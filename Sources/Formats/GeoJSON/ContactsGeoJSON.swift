import JSON

/// Reads contacts from a collection of GeoJSON features, or from a single one: https://www.rfc-editor.org/rfc/rfc7946
///
/// A feature is an address. Features with the same `key` that follow each other are one friend, as our export writes
/// them. A point is where the contact says that the address is, unless it is an answer that Waypost gave.
package struct ContactsGeoJSON: JSONContactReader {
    package let name: String
    package let totalSize: Int?
    private let options: ReadingOptions
    var elements: JSONElements
    private var keys = KeyLines()
    private var names = SourceKeys()
    var waiting: ArraySlice<ContactEntry> = []
    var isEnded = false
    /// The friend who may have more addresses in the features to come.
    private var open: ContactDraft?
    /// What a document says that is a feature itself.
    private var document: [String: JSONValue] = [:]
    private var documentLine = 1

    /// The longest feature, in bytes.
    static let largestFeature = 1 << 20
    private static let members = ["type", "id", "properties", "geometry"]

    /// Opens the file at `path`; `-` is standard input.
    package init(path: String, options: ReadingOptions = ReadingOptions()) throws {
        let file = try InputFile(path: path)
        self.init(name: file.name, size: file.size, options: options, read: file.read)
    }

    /// Reads what `read` puts into buffers, as if it came from a file of this name.
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

    /// A file of another kind is refused as soon as it says so.
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
