import Testing

@testable import Formats

struct TextEncodingTests {
    private static let rows = [["name", "city"], ["Zoë “Zo” Ångström", "Köln – €"], ["Ada", "Ely"]]
    private static let text = rows.map { $0.joined(separator: ";") }.joined(separator: "\r\n")

    @Test(arguments: [1, 2, 3, 100, 1 << 18])
    func `a file reads the same in every encoding`(chunkSize: Int) throws {
        for bytes in [
            Array(Self.text.utf8), [0xEF, 0xBB, 0xBF] + Array(Self.text.utf8), Self.windows1252(Self.text),
            [0xFF, 0xFE] + Self.utf16(Self.text, isBigEndian: false),
            [0xFE, 0xFF] + Self.utf16(Self.text, isBigEndian: true),
        ] {
            let records = try read(bytes, chunkSize: chunkSize)
            #expect(records == zip(1..., Self.rows).map { .fields(line: $0, $1) })
        }
    }

    @Test func `UTF-16 without a byte order mark is read when it is named`() throws {
        for isBigEndian in [false, true] {
            let bytes = Self.utf16("name,note\nאבא,👩‍👩‍👧", isBigEndian: isBigEndian)

            #expect(try read(bytes, encoding: .utf16).last == .fields(line: 2, ["אבא", "👩‍👩‍👧"]))
        }
    }

    @Test func `an unpaired UTF-16 surrogate is replaced alone`() throws {
        let bytes = Self.utf16("a,b\n1,2", isBigEndian: true) + [0xD8, 0x3D, 0x00, 0x33, 0x00]

        #expect(try read(bytes, encoding: .utf16).last == .fields(line: 2, ["1", "2\u{FFFD}3\u{FFFD}"]))
    }

    @Test func `one bad byte among valid UTF-8 does not make a file Windows-1252`() throws {
        let bytes = Array("a,b\n".utf8) + [0xE9, 0x0A] + Array("é,ü\n".utf8)

        let records = try read(bytes)
        #expect(records.last == .fields(line: 3, ["é", "ü"]))
        #expect(records[1].isRefused)
    }

    @Test func `the first non-ASCII byte may be far into the file`() throws {
        let ascii = String(repeating: "Ada,Ely\n", count: 100_000)

        #expect(
            try read(Self.windows1252("a,b\n" + ascii + "Zoë,Köln")).last == .fields(line: 100_002, ["Zoë", "Köln"]))
        #expect(try read("a,b\n" + ascii + "Zoë,Köln").last == .fields(line: 100_002, ["Zoë", "Köln"]))
    }

    @Test func `a character cut off by the end of the sample is not bad`() throws {
        // A bad byte, a good character, and the first half of another.
        let bytes: [UInt8] = [0xE9, 0x41, 0xC3, 0xA9, 0xC3]

        #expect(UTF8Evidence(bytes, isWhole: false).isUTF8)
        #expect(!UTF8Evidence(bytes, isWhole: true).isUTF8)
    }

    @Test func `a file named as Windows-1252 is not tested for UTF-8`() throws {
        #expect(try read(Array("Ã©".utf8), encoding: .windows1252) == [.fields(line: 1, ["Ãƒ\u{C2}©"])])
    }

    @Test func `progress ends at the end of the file`() throws {
        for bytes in [Self.windows1252(Self.text), [0xFF, 0xFE] + Self.utf16(Self.text, isBigEndian: false)] {
            var reader = CSVReader(bytes, chunkSize: 7)
            while try reader.next() != nil {}

            #expect(reader.bytesRead == bytes.count)
        }
    }

    static func windows1252(_ text: String) -> [UInt8] {
        let bytes = Dictionary(
            (UInt8.min ... .max).flatMap { byte in Windows1252.text([byte]).unicodeScalars.map { ($0, byte) } },
            uniquingKeysWith: { first, _ in first })
        return text.unicodeScalars.compactMap { bytes[$0] }
    }

    static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
}

extension CSVRecord {
    fileprivate var isRefused: Bool {
        if case .refused = self { true } else { false }
    }
}
