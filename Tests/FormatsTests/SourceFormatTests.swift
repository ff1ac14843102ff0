import Glibc
import Testing

@testable import Formats

struct SourceFormatTests {
    @Test(arguments: [
        ("a.csv", SourceFormat.csv), ("a.TSV", .csv), ("a.txt", .csv), ("a.vcf", .vCard), ("B.VCARD", .vCard),
        ("a.XLSX", .xlsx), ("a.xlsm", .xlsx), ("a.ods", .ods),
    ])
    func `the kind of a file is detected from its name`(path: String, format: SourceFormat) throws {
        #expect(try SourceFormat(path: path) == format)
    }

    @Test func `without a known name, the kind is detected from the first bytes`() throws {
        let folder = try Folder()
        try folder.put("\u{FEFF}\nbegin:vcard\nFN:Ada\nEND:VCARD\n", into: "cards")
        try folder.put("name,city\nAda,Ely", into: "rows")

        #expect(try SourceFormat(path: folder.file("cards")) == .vCard)
        #expect(try SourceFormat(path: folder.file("rows")) == .csv)
        #expect(
            SourceFormat(beginning: [0xFF, 0xFE] + TextEncodingTests.utf16("BEGIN:VCARD\n", isBigEndian: false))
                == .vCard)
        #expect(throws: FileError(file: "missing", problem: "no such file")) { try SourceFormat(path: "missing") }
    }

    @Test func `a named pipe is not opened for detection`() throws {
        let folder = try Folder()
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)

        // Opening the pipe would wait for a writer, and closing it again would break the pipe for the writer.
        #expect(try SourceFormat(path: folder.file("pipe")) == .csv)
    }

    @Test func `the reader fits the detected kind`() throws {
        let folder = try Folder()
        try folder.put("BEGIN:VCARD\nFN:Ada\nEND:VCARD\n", into: "cards")
        try folder.put("name,city\nBob,Ely", into: "rows")

        for (name, friend) in [("cards", "Ada"), ("rows", "Bob")] {
            let path = folder.file(name)
            let reader = try SourceFormat(path: path).reader(path: path, options: ReadingOptions())
            #expect(try entries(reader).friends.map(\.name) == [friend])
        }
    }

    @Test func `standard input is inspected and still read whole`() async {
        await #expect(processExitsWith: .success) {
            let text = Array("BEGIN:VCARD\nFN:Ada\nEND:VCARD\n".utf8)
            var ends: [CInt] = [0, 0]
            try #require(pipe(&ends) == 0 && write(ends[1], text, text.count) == text.count)
            close(ends[1])
            dup2(ends[0], STDIN_FILENO)

            let reader = try SourceFormat(path: "-").reader(path: "-", options: ReadingOptions())
            #expect(try entries(reader).friends.map(\.name) == ["Ada"])
        }
    }
}
