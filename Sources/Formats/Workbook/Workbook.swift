/// An Excel workbook (Office Open XML) or an OpenDocument spreadsheet.
final class Workbook {
    let zip: ZipFile
    let contents: Contents
    var name: String { zip.file.name }

    enum Contents {
        case xlsx(sheets: [(name: String, entry: ZipFile.Entry)], SharedStrings?, XLSXStyles)
        /// All sheets are in one document.
        case ods(ZipFile.Entry)
    }

    /// Opens the file at `path`, which its name or its user says to be of this format.
    init(path: String, format: SourceFormat) throws {
        let file = try InputFile(path: path)
        if file.size != nil { try Self.refuseCompound(file) }
        let zip = try ZipFile(file)
        self.zip = zip
        let type = try zip["mimetype"].map { String(decoding: try zip.bytes(of: $0), as: UTF8.self) } ?? ""
        switch (type.hasPrefix("application/vnd.oasis.opendocument.spreadsheet"), format) {
        case (true, .ods): contents = try Self.openDocument(zip)
        case (false, .xlsx): contents = try Self.excel(zip)
        case (true, _):
            throw FileError(file: file.name, problem: "is an OpenDocument spreadsheet; let its name end in .ods")
        case (false, _): throw FileError(file: file.name, problem: "is not an OpenDocument spreadsheet")
        }
    }

    /// The rows of a sheet, from the first on; nil if the workbook has fewer sheets.
    func rows(ofSheet index: Int, keepsBytes: Bool = false) throws -> SheetStream? {
        switch contents {
        case .xlsx(let sheets, let strings, let styles):
            guard index < sheets.count else { return nil }
            let rows = XLSXRows(
                sheet: sheets[index].name, strings: strings, styles: styles, keepsCells: keepsBytes)
            return try SheetStream(sheets[index].entry, of: zip, rows, keepsBytes: keepsBytes)
        case .ods(let entry):
            let rows = ODSRows(index: index, keepsCells: keepsBytes)
            let stream = try SheetStream(entry, of: zip, rows, keepsBytes: keepsBytes)
            return try stream.hasSheet() ? stream : nil
        }
    }

    /// Refuses an old or an encrypted workbook: both are compound files.
    /// https://learn.microsoft.com/openspecs/windows_protocols/ms-cfb
    private static func refuseCompound(_ file: InputFile) throws {
        guard let size = file.size, size >= 512, case let head = try file.bytes(at: 0, count: 512),
            head.starts(with: [0xD0, 0xCF, 0x11, 0xE0])
        else { return }
        let list = (head.word(48) + 1) << min(head.short(30), 12)
        let names = try file.bytes(at: min(list, size), count: max(0, min(4_096, size - list)))
        // Names are in UTF-16.
        let isEncrypted = String(decoding: names.filter { $0 != 0 }, as: UTF8.self).contains("EncryptedPackage")
        throw FileError(
            file: file.name,
            problem: isEncrypted
                ? "is encrypted; save it without a password" : "is a workbook of an old Excel; save it as .xlsx")
    }
}

extension Workbook {
    private static func openDocument(_ zip: ZipFile) throws -> Contents {
        var isEncrypted = zip["encrypted-package"] != nil
        if let manifest = zip["META-INF/manifest.xml"] {
            try zip.readTags(of: manifest) { name, _ in if name == "encryption-data" { isEncrypted = true } }
        }
        if isEncrypted { throw FileError(file: zip.file.name, problem: "is encrypted; save it without a password") }
        if zip.entries.contains(where: { $0.name.hasPrefix("Basic/") || $0.name.hasPrefix("Scripts/") }) {
            throw FileError(file: zip.file.name, problem: "contains macros; remove them, or save it as .xlsx")
        }
        guard let document = zip["content.xml"] else { throw zip.damage }
        return .ods(document)
    }

    private static func excel(_ zip: ZipFile) throws -> Contents {
        let name = zip.file.name
        guard let main = try relations(of: "", in: zip).first(where: { $0.type == "officeDocument" })?.target else {
            throw FileError(file: name, problem: "is a zip archive without a workbook; unpack it first")
        }
        if main.hasSuffix(".bin") {
            throw FileError(file: name, problem: "is a binary workbook; save it as .xlsx")
        }
        if zip.entries.contains(where: { $0.name.lowercased().hasSuffix("vbaproject.bin") }) {
            throw FileError(file: name, problem: "contains macros; save it as .xlsx, without them")
        }
        let relations = try relations(of: main, in: zip)
        func part(_ type: String) -> ZipFile.Entry? {
            relations.first { $0.type == type }.flatMap { zip[$0.target] }
        }
        guard let workbook = zip[main] else { throw zip.damage }
        var (sheets, begins1904): ([(String, ZipFile.Entry)], Bool) = ([], false)
        try zip.readTags(of: workbook) { name, attributes in
            if name == "workbookPr" { begins1904 = ["1", "true"].contains(attributes.text("date1904")) }
            // A sheet that is only a chart has another type.
            guard name == "sheet", let id = attributes.text(local: "id"),
                let relation = relations.first(where: { $0.id == id && $0.type == "worksheet" }),
                let entry = zip[relation.target]
            else { return }
            sheets.append((attributes.text("name") ?? "", entry))
        }
        guard !sheets.isEmpty else { throw FileError(file: name, problem: "is not a workbook, or has no sheet") }
        var strings: SharedStrings?
        if let entry = part("sharedStrings") {
            strings = SharedStrings(size: min(entry.size, entry.packedSize * 200))
            try strings.map { try zip.read(entry, by: $0) }
        }
        return .xlsx(sheets: sheets, strings, try XLSXStyles(part("styles"), of: zip, begins1904: begins1904))
    }

    private struct Relation {
        let id: String
        /// The last word of its URI: Excel's two dialects have different ones before it.
        let type: String
        /// The name of an entry.
        let target: String
    }

    /// The parts that belong to `part`, or to the whole package. https://ecma-international.org/publications-and-standards/standards/ecma-376/
    private static func relations(of part: String, in zip: ZipFile) throws -> [Relation] {
        let slash = part.lastIndex(of: "/").map(part.index(after:)) ?? part.startIndex
        var relations: [Relation] = []
        guard let entry = zip["\(part[..<slash])_rels/\(part[slash...]).rels"] else { return [] }
        try zip.readTags(of: entry) { name, attributes in
            guard name == "Relationship", let target = attributes.text("Target") else { return }
            let type = attributes.text("Type")?.split(separator: "/").last ?? ""
            relations.append(
                Relation(
                    id: attributes.text("Id") ?? "", type: String(type),
                    target: resolved(target, in: part[..<slash])))
        }
        return relations
    }

    /// `xl/worksheets/sheet1.xml` for `worksheets/sheet1.xml`, `../xl/…` or `/xl/…`
    private static func resolved(_ target: String, in folder: Substring) -> String {
        var path: [Substring] = []
        for word in (target.hasPrefix("/") ? target : folder + target).split(separator: "/") {
            if word == ".." { _ = path.popLast() } else if word != "." { path.append(word) }
        }
        return path.joined(separator: "/")
    }
}

extension ZipFile {
    /// All bytes of a small entry.
    func bytes(of entry: Entry) throws -> [UInt8] {
        guard entry.size <= 1 << 20 else { throw damage }
        let contents = try contents(of: entry)
        var bytes: [UInt8] = []
        while let piece = try contents.next() { bytes += piece }
        return bytes
    }

    /// Parses a whole document.
    func read(_ entry: Entry, by handler: any XMLHandler) throws {
        let (contents, parser) = (try contents(of: entry), XMLStream(handler))
        do {
            while let piece = try contents.next() { try parser.parse(piece) }
            try parser.parse([], isLast: true)
        } catch is XMLStream.Malformed {
            throw damage
        }
    }

    /// Calls `body` with the local name and the attributes of each element.
    func readTags(of entry: Entry, _ body: (XMLName, XMLAttributes) -> Void) throws {
        try withoutActuallyEscaping(body) { try read(entry, by: TagReader($0)) }
    }
}

private final class TagReader: XMLHandler {
    private let body: (XMLName, XMLAttributes) -> Void

    init(_ body: @escaping (XMLName, XMLAttributes) -> Void) {
        self.body = body
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes, at range: Range<Int>) { body(name.local, attributes) }
    func end(_ name: XMLName, at range: Range<Int>) {}
    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
}
