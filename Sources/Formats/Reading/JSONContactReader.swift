import JSON

/// Reads contacts from one JSON document, an element of it at a time.
protocol JSONContactReader: ContactReader {
    var elements: JSONElements { get set }
    /// The entries that were read and not yet taken.
    var waiting: ArraySlice<ContactEntry> { get set }
    var isEnded: Bool { get set }

    /// Adds to ``waiting`` what an element says.
    mutating func take(_ element: JSONElement) throws

    /// Adds what is left, after the last element. Throws where the document was none of this kind.
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
