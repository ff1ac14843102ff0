import HTTP

/// The bytes of one table in a file of address data: of the file itself, unpacked if it is gzip, or of an entry of a zip
/// archive.
final class PointBytes {
    /// The file, or the file and the entry.
    let name: String
    private let nextPiece: () throws -> [UInt8]?
    private var held: ArraySlice<UInt8> = []

    private init(name: String, nextPiece: @escaping () throws -> [UInt8]?) {
        (self.name, self.nextPiece) = (name, nextPiece)
    }

    /// The tables in the file at `path`, in their order. `-` is standard input. An archive may also contain texts, such
    /// as its licence.
    static func all(in path: String) throws -> [PointBytes] {
        let file = try InputFile(path: path)
        let first = try [UInt8](from: file.readAnything)
        if first.starts(with: Packing.zip) { return try entries(of: try ZipFile(file)) }
        if first.starts(with: gzip) {
            let pieces = GzipPieces(file, beginning: first)
            return [PointBytes(name: file.name, nextPiece: pieces.next)]
        }
        if let problem = first.withUnsafeBytes({ Packing.problem(beginning: $0) }) {
            throw FileError(file: file.name, problem: problem)
        }
        let bytes = PointBytes(name: file.name) {
            let piece = try [UInt8](from: file.readAnything)
            return piece.isEmpty ? nil : piece
        }
        bytes.held = first[...]
        return [bytes]
    }

    private static func entries(of zip: ZipFile) throws -> [PointBytes] {
        let tables = zip.entries.filter { entry in
            let name = entry.name.lowercased()
            // OpenAddresses has a sample of each table in a folder "summary", and macOS adds files about files.
            return endings.contains(where: name.hasSuffix)
                && !["summary/", "__macosx/"].contains(where: name.hasPrefix)
        }
        guard !tables.isEmpty else {
            throw FileError(
                file: zip.file.name,
                problem: "has no table whose name ends in \(endings.joined(separator: ", ")); unpack it first")
        }
        return tables.map { entry in
            var opened: ZipContents?
            return PointBytes(name: "\(zip.file.name), \(entry.name)") {
                let contents = try opened ?? zip.contents(of: entry, atMost: .max)
                opened = contents
                return try contents.next()
            }
        }
    }

    private static let gzip: [UInt8] = [0x1F, 0x8B]
    private static let endings = [
        ".csv", ".tsv", ".txt", ".psv", ".geojson", ".geojsonl", ".geojsonseq", ".json", ".jsonl",
    ]

    /// Up to `count` bytes from the start. They stay unread.
    func beginning(_ count: Int) throws -> ArraySlice<UInt8> {
        while held.count < count, let piece = try nextPiece() { held += piece }
        return held.prefix(count)
    }

    /// The next bytes; nil at the end.
    func piece() throws -> [UInt8]? {
        defer { held = [] }
        return held.isEmpty ? try nextPiece() : Array(held)
    }

    /// Fills `buffer` from its start and returns the number of bytes, 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while held.isEmpty {
            guard let piece = try nextPiece() else { return 0 }
            held = piece[...]
        }
        let part = held.prefix(buffer.count)
        buffer.copyBytes(from: part)
        held.removeFirst(part.count)
        return part.count
    }
}

private final class GzipPieces {
    private let file: InputFile
    private var inflater = Inflater()

    init(_ file: InputFile, beginning: [UInt8]) {
        self.file = file
        inflater.add(beginning)
    }

    func next() throws -> [UInt8]? {
        do {
            while true {
                if let piece = try inflater.next() { return piece }
                let packed = try [UInt8](from: file.readAnything)
                guard !packed.isEmpty else {
                    try inflater.finish()
                    return nil
                }
                inflater.add(packed)
            }
        } catch is BodyError {
            throw FileError(file: file.name, problem: "is damaged or cut short; copy or download it again")
        }
    }
}
