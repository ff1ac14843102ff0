import JSON

/// Reads contacts from one JSON document, element by element.
protocol JSONContactReader: ContactReader {
    var elements: JSONElements { get set }
    /// Entries that were read but not returned yet.
    var waiting: ArraySlice<ContactEntry> { get set }
    var isEnded: Bool { get set }

    /// Adds the entries of an element to ``waiting``.
    mutating func take(_ element: JSONElement) throws

    /// Adds the remaining entries after the last element. Throws if the document had a different kind.
    mutating func finish() throws
}

extension JSONContactReader {
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
