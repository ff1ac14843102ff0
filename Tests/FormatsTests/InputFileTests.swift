import Foundation
import Glibc
import Testing

@testable import Formats

struct InputFileTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func `a file is read to its end`() throws {
        let text = "name,city\n" + String(repeating: "Ada,Ely\n", count: 100_000)
        try folder.put(text, into: "a.csv")
        var contacts = try ContactsCSV(path: folder.file("a.csv"))
        var count = 0
        while try contacts.next() != nil { count += 1 }

        #expect(count == 100_000)
        #expect(contacts.totalSize == text.utf8.count)
        #expect(contacts.bytesRead == text.utf8.count)
    }

    @Test func `a file that becomes shorter during reading is an error`() throws {
        try folder.put("name,city\n" + String(repeating: "Ada,Ely\n", count: 100_000), into: "a.csv")
        var contacts = try ContactsCSV(path: folder.file("a.csv"))
        _ = try contacts.next()
        #expect(truncate(folder.file("a.csv"), 400_000) == 0)

        #expect(throws: FileError(file: folder.file("a.csv"), problem: "became shorter while it was read")) {
            while try contacts.next() != nil {}
        }
    }

    @Test(
        arguments: [
            ([0x1F, 0x8B, 0x08, 0x00], "is compressed with gzip; unpack it first"),
            (Array("BZh91AY&SY".utf8), "is compressed with bzip2; unpack it first"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "is compressed with xz; unpack it first"),
            ([0x28, 0xB5, 0x2F, 0xFD], "is compressed with zstd; unpack it first"),
            (
                [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
                "is a document of an old Excel or Word; save it as .xlsx"
            ),
        ] as [([UInt8], String)])
    func `a file that is not text is named by its kind`(beginning: [UInt8], problem: String) throws {
        for name in ["a.csv", "a.vcf", "a.json", "a.geojson", "a.ndjson", "a"] {
            let path = folder.file(name)
            try Data(beginning + [UInt8](repeating: 7, count: 1_000)).write(to: URL(filePath: path))
            #expect(throws: FileError(file: path, problem: problem)) {
                var reader = try SourceFormat(path: path).reader(path: path, options: ReadingOptions())
                _ = try reader.next()
            }
        }
    }

    @Test func `a workbook is recognized by its first bytes, unless its name says otherwise`() throws {
        let bytes: [UInt8] = [0x50, 0x4B, 0x03, 0x04] + [UInt8](repeating: 7, count: 26)
        let kinds = [("a", "mimetypeapplication/vnd.oasis.opendocument.s", SourceFormat.ods), ("b", "x", .xlsx)]
        for (name, rest, format) in kinds {
            try Data(bytes + rest.utf8).write(to: URL(filePath: folder.file(name)))
            #expect(try SourceFormat(path: folder.file(name)) == format)
        }
        try Data(bytes).write(to: URL(filePath: folder.file("a.csv")))
        #expect(
            sentence(for: folder.file("a.csv"))?.hasSuffix(
                "a.csv: is a zip archive or a workbook; unpack the one, and let the name of the other end in .xlsx or .ods"
            )
                == true)
    }

    @Test func `a table whose first column begins like an archive is a table`() throws {
        try folder.put("BZh9,name,city\n1,Ada,Ely\n", into: "a.csv")
        #expect(try entries(ContactsCSV(path: folder.file("a.csv"))).friends.map(\.name) == ["Ada"])
    }

    @Test func `a pipe has no size`() throws {
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        let writer = open(folder.file("pipe"), O_RDWR)
        defer { close(writer) }

        #expect(try InputFile(path: folder.file("pipe")).size == nil)
    }

    @Test func `a file that can't be read is reported in one sentence`() throws {
        #expect(sentence(for: "missing.csv") == "missing.csv: no such file")
        #expect(sentence(for: folder.path) == "\(folder.path): is a directory")
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `a file without permission is reported in one sentence`() throws {
        try folder.put("name,city\n", into: "a.csv")
        #expect(chmod(folder.file("a.csv"), 0) == 0)

        #expect(sentence(for: folder.file("a.csv")) == "\(folder.file("a.csv")): no permission")
    }

    private func sentence(for path: String) -> String? {
        do {
            _ = try ContactsCSV(path: path)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
