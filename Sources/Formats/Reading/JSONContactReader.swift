import JSON

/// Reads contacts from one JSON document, element by element.
protocol JSONContactReader: ContactReader {
    var elements: JSONElements { get set }
    /// Entries that were read but not returned yet.
    var waiting: ArraySlice<ContactEntry> { get set }
    var isEnded: Bool { get set }

    /// Reads bytes from `read`, as if they came from a file of this name.
    init(name: String, size: Int?, options: ReadingOptions, chunkSize: Int, read: @escaping ByteWindow.Read)

    /// Adds the entries of an element to ``waiting``.
    mutating func take(_ element: JSONElement) throws

    /// Adds the remaining entries after the last element. Throws if the document had a different kind.
    mutating func finish() throws
}

extension JSONContactReader {
    /// Opens the file at `path`; `-` is standard input.
    init(path: String, options: ReadingOptions = ReadingOptions()) throws {
        let file = try InputFile(path: path)
        self.init(name: file.name, size: file.size, options: options, chunkSize: 256 << 10, read: file.read)
    }

    package var bytesRead: Int { elements.bytesRead }

    package mutating func next() throws -> ContactEntry? {
        while waiting.isEmpty && !isEnded {
            do {
                if let element = try elements.next() {
                    try take(element)
                } else {
                    isEnded = true
                    try finish()
                }
            } catch let error as JSONError {
                throw FileError(file: name, problem: error.description)
            }
        }
        return waiting.popFirst()
    }

    static func value(of bytes: [UInt8]) throws(UnusableContact) -> JSONValue {
        do { return try JSONValue(parsing: bytes) } catch {
            throw UnusableContact(reason: "it can't be read: \(error.problem.rawValue)")
        }
    }
}
