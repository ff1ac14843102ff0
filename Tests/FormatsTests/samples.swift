import Foundation

@testable import Formats

/// Where a made-up file in the shape of a program's is: `Samples/NAME`.
func samplePath(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples/\(name)").path
}

func sample(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: samplePath(name))))
}

/// Puts `text` into buffers, as a file's `read` does.
func chunks(of text: String) -> (UnsafeMutableRawBufferPointer) -> Int {
    var rest = Array(text.utf8)[...]
    return { buffer in
        let piece = rest.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        rest.removeFirst(piece.count)
        return piece.count
    }
}

/// All that a reader gives.
func entries(_ reader: consuming any ContactReader) throws -> [ContactEntry] {
    var reader = reader
    var entries: [ContactEntry] = []
    while let entry = try reader.next() { entries.append(entry) }
    return entries
}

extension [ContactEntry] {
    var friends: [Friend] {
        compactMap { if case .contact(_, let friend) = $0 { friend } else { nil } }
    }

    /// What was refused or left out.
    var problems: [ContactEntry] {
        filter { if case .contact = $0 { false } else { true } }
    }
}
