/// Finds the values at given paths of a JSON text and returns them one at a time, in memory that does not grow with the
/// text.
///
///     var features = JSONElements(at: [["features", "*"]], largest: 1 << 20, read: file.read)
///     while let feature = try features.next() { … }
///
/// A step of a path is the name of a member; `*` is every member of an object and every item of a list. The whole text
/// must be valid JSON, also outside of the paths, and nothing may follow it. A byte order mark is skipped. If an object
/// has a name twice, both values are returned.
package struct JSONElements {
    /// Fills a buffer from its start and returns the number of bytes, 0 at the end.
    package typealias Read = (UnsafeMutableRawBufferPointer) throws -> Int

    private let largest: Int
    private let read: Read
    private var scan: JSONScan
    private var chunk: [UInt8]
    private var position = 0
    private var end = 0
    /// How many bytes of the text came before the chunk.
    private var dropped = 0
    private var isStarted = false
    private var element: JSONElement?

    /// An element larger than `largest` bytes is found, but its bytes are not kept.
    package init(at paths: [[String]], largest: Int, chunkSize: Int = 256 << 10, read: @escaping Read) {
        scan = JSONScan(paths: paths)
        chunk = [UInt8](repeating: 0, count: max(1, chunkSize))
        (self.largest, self.read) = (largest, read)
    }

    /// How many bytes of the text were read for the elements so far.
    package var bytesRead: Int { dropped + position }

    /// The next value at one of the paths, in the order of the text. Nil at the end.
    package mutating func next() throws -> JSONElement? {
        if !isStarted { try start() }
        while true {
            let from = position
            let event = try advance()
            keep(from..<position)
            switch event {
            case .begins(let path, let places):
                // The first byte has been read.
                let first = position - 1
                element = JSONElement(path: path, places: places, line: scan.line, offset: dropped + first, bytes: [])
                keep(first..<position)
            case .ends:
                defer { element = nil }
                return element
            case .starved:
                guard try !fill() else { continue }
                do throws(JSONError.Problem) { try scan.finish() } catch { throw failure(error) }
                return nil
            }
        }
    }

    private mutating func advance() throws(JSONError) -> JSONScan.Event {
        let chunk = chunk
        do throws(JSONError.Problem) {
            return try scan.run(over: chunk.span.extracting(first: end), from: &position)
        } catch {
            throw failure(error)
        }
    }

    private mutating func keep(_ range: Range<Int>) {
        guard let length = element?.bytes?.count else { return }
        if length + range.count <= largest {
            element?.bytes?.append(contentsOf: chunk[range])
        } else {
            element?.bytes = nil
        }
    }

    /// Reads the next chunk. Returns false at the end of the text.
    private mutating func fill() throws -> Bool {
        dropped += position
        position = 0
        end = 0
        end = try chunk.withUnsafeMutableBytes(read)
        return end > 0
    }

    /// Checks the first bytes for a mark; a read may return only one byte.
    private mutating func start() throws {
        var first: [UInt8] = []
        while first.count < 3, try fill() {
            first += chunk[..<end]
            dropped = 0
        }
        isStarted = true
        if chunk.count < first.count { chunk = first } else { chunk.replaceSubrange(..<first.count, with: first) }
        end = first.count
        do throws(JSONError.Problem) { position = try JSONGrammar.mark(first.prefix(3)) } catch { throw failure(error) }
    }

    private func failure(_ problem: JSONError.Problem) -> JSONError {
        JSONError(line: scan.line, offset: dropped + position, problem: problem)
    }
}

/// A value that was found.
package struct JSONElement: Hashable, Sendable {
    /// The index of the path that led to the element.
    package let path: Int
    /// For each list and object around it, from the outside in: how many values come before it there.
    package let places: [Int]
    /// The line where it begins, counted from 1.
    package let line: Int
    /// The byte offset where it begins, counted from 0.
    package let offset: Int
    /// Nil if it is larger than permitted.
    package fileprivate(set) var bytes: [UInt8]?
}
