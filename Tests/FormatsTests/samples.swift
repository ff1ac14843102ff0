import Foundation

@testable import Formats

/// The path of a made-up file in the form of a program's export: `Samples/NAME`.
func samplePath(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples/\(name)").path
}

func sample(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: samplePath(name))))
}

/// Copies `text` into buffers, like a file's `read`.
func chunks(of text: String) -> (UnsafeMutableRawBufferPointer) -> Int {
    var rest = Array(text.utf8)[...]
    return { buffer in
        let piece = rest.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        rest.removeFirst(piece.count)
        return piece.count
    }
}

/// All entries of a reader.
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

    /// The refused and noted entries.
    var problems: [ContactEntry] {
        filter { if case .contact = $0 { false } else { true } }
    }
}
