import Foundation
import Glibc
import Testing

@testable import Formats

struct WorkbookRefusalTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private static let damage = "is damaged or cut short; copy it again, or save it again as a workbook"
    private static let encrypted = "is encrypted; save it without a password"

    @Test func `a file that only looks like a workbook is refused by its kind`() throws {
        let kinds: [(String, [(String, String)], String)] = [
            ("a.xlsx", [("readme.txt", "x")], "is a zip archive without a workbook; unpack it first"),
            ("a.xlsb", [("_rels/.rels", Self.main("xl/workbook.bin"))], "is a binary workbook; save it as .xlsx"),
            (
                "a.docx", [("_rels/.rels", Self.main("word/document.xml")), ("word/document.xml", "<w:document/>")],
                "is not a workbook, or has no sheet"
            ),
            (
                "a.xlsm", [("_rels/.rels", Self.main("xl/workbook.xml")), ("xl/vbaProject.bin", "x")],
                "contains macros; save it as .xlsx, without them"
            ),
            ("a.xlsx", [("mimetype", Self.ods)], "is an OpenDocument spreadsheet; let its name end in .ods"),
            ("a.ods", [("mimetype", "application/vnd.oasis.opendocument.text")], "is not an OpenDocument spreadsheet"),
            ("a.ods", [("mimetype", Self.ods), ("encrypted-package", "x")], Self.encrypted),
            ("a.ods", [("mimetype", Self.ods), ("META-INF/manifest.xml", Self.manifest)], Self.encrypted),
            (
                "a.ods", [("mimetype", Self.ods), ("Basic/script-lc.xml", "x")],
                "contains macros; remove them, or save it as .xlsx"
            ),
        ]
        for (name, parts, sentence) in kinds {
            let path = try folder.zip(parts, into: name)
            #expect(problem { _ = try entries(ofWorkbook: path) } == sentence, "\(name)")
        }
    }

    @Test func `an old and an encrypted workbook are refused by their kind`() throws {
        var bytes = [UInt8](repeating: 0, count: 2_048)
        bytes.replaceSubrange(0..<4, with: [0xD0, 0xCF, 0x11, 0xE0])
        bytes[30] = 9
        bytes[48] = 1
        let old = "is a workbook of an old Excel; save it as .xlsx"
        for (name, sentence) in [("Workbook", old), ("EncryptedPackage", Self.encrypted)] {
            bytes.replaceSubrange(1_152..<1_184, with: [UInt8](repeating: 0, count: 32))
            bytes.replaceSubrange(1_152..<(1_152 + 2 * name.count), with: name.utf8.map { [$0, 0] }.joined())
            try Data(bytes).write(to: URL(filePath: folder.file("a.xlsx")))
            #expect(problem { _ = try entries(ofWorkbook: folder.file("a.xlsx")) } == sentence)
        }
    }

    @Test func `a document type, a bomb, a deep and a long tag are refused`() throws {
        for xml in ["<!DOCTYPE a [<!ENTITY b 'c'>]>", "<a", "<row \(String(repeating: " ", count: 2 << 20))"] {
            let path = try folder.zip([("mimetype", Self.ods), ("content.xml", xml + "<a>")], into: "a.ods")
            #expect(problem { _ = try entries(ofWorkbook: path) } == Self.damage)
        }
        let bomb = try folder.excel([("A", "<sheetData>\(String(repeating: " ", count: 40 << 20))</sheetData>")])
        #expect(problem { _ = try entries(ofWorkbook: bomb) }?.contains("like a zip bomb") == true)
    }

    @Test func `a pipe is refused, because the list of a zip is at its end`() throws {
        #expect(mkfifo(folder.file("pipe.xlsx"), 0o600) == 0)
        let writer = open(folder.file("pipe.xlsx"), O_RDWR)
        defer { close(writer) }

        #expect(
            problem { _ = try entries(ofWorkbook: folder.file("pipe.xlsx")) }
                == "is a workbook, and can't be read from a pipe; name the file")
    }

    @Test(arguments: ["openpyxl.xlsx", "libreoffice.ods", "xlsxwriter.xlsx"])
    func `a cut or changed workbook is read or refused`(file: String) throws {
        let bytes = try sample("Workbooks/\(file)")
        let path = folder.file("a." + file.suffix(4).replacing(".", with: ""))
        func check(_ bytes: [UInt8]) throws -> Bool {
            try Data(bytes).write(to: URL(filePath: path))
            do {
                _ = try entries(ofWorkbook: path)
                _ = try folder.copy(path)
                return true
            } catch is FileError {
                return false
            }
        }
        for length in stride(from: 0, to: bytes.count, by: 397) {
            #expect(try !check(Array(bytes[..<length])), "\(length)")
        }
        for place in stride(from: 0, to: bytes.count, by: 199) {
            var changed = bytes
            changed[place] ^= UInt8(1 << (place % 8))
            _ = try check(changed)
        }
    }

    private static let ods = "application/vnd.oasis.opendocument.spreadsheet"

    private static let manifest = "<m:m><m:encryption-data/></m:m>"

    private static func main(_ target: String) -> String {
        "<Relationships><Relationship Type=\"u/officeDocument\" Target=\"\(target)\"/></Relationships>"
    }
}
