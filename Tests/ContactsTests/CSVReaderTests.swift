import Testing

@testable import Contacts

struct CSVReaderTests {
    private func records(_ text: String, chunkSize: Int = 64) throws -> [CSVRecord] {
        try records(Array(text.utf8), chunkSize: chunkSize)
    }

    private func records(_ bytes: [UInt8], chunkSize: Int = 64) throws -> [CSVRecord] {
        var reader = CSVReader(bytes, chunkSize: chunkSize)
        var records: [CSVRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private func fields(_ text: String) throws -> [[String]] {
        try records(text).map { if case .fields(_, let fields) = $0 { fields } else { ["refused"] } }
    }

    @Test func `quotes keep delimiters, line ends and quotes in their field`() throws {
        #expect(
            try fields("a,b\r\n\"x, \"\"y\"\"\nz\",2\r\n") == [["a", "b"], ["x, \"y\"\nz", "2"]])
    }

    @Test(arguments: [
        "a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\r1,2\r", "\u{FEFF}a,b\n1,2", "a;b\n1;2", "a\tb\n1\t2", "sep=;\na;b\n1;2\n",
        "\n\na,b\n\n1,2\n\n",
    ])
    func `any dialect gives the same rows`(_ text: String) throws {
        #expect(try fields(text) == [["a", "b"], ["1", "2"]])
    }

    @Test func `a bad row is named by its line and the rest is read`() throws {
        let found = try records("a,b\n1,2\n\"3\"x,4\n5,\"6\n\n7,8\n")
        #expect(found.count == 6 || found.count == 5)
        #expect(found[0] == .fields(line: 1, ["a", "b"]))
        #expect(found[1] == .fields(line: 2, ["1", "2"]))
        guard case .refused(3, _) = found[2] else { return #expect(Bool(false), "\(found[2])") }
        guard case .refused(4, _) = found[3] else { return #expect(Bool(false), "\(found[3])") }
        #expect(found.last == .fields(line: 6, ["7", "8"]))
    }

    @Test func `a row counts its lines from where it begins`() throws {
        #expect(
            try records("a\n\"x\ny\"\nz\n") == [
                .fields(line: 1, ["a"]), .fields(line: 2, ["x\ny"]), .fields(line: 4, ["z"]),
            ])
    }

    @Test func `bytes that are no text are refused, and never shown`() throws {
        let found = try records(Array("a,b\nsecret".utf8) + [0xFF] + Array(",1\nok,0\u{0}\nx,y\n".utf8))
        for record in found[1...2] {
            guard case .refused(_, let reason) = record else { return #expect(Bool(false), "\(record)") }
            #expect(!reason.contains("secret"))
        }
        #expect(found[3] == .fields(line: 4, ["x", "y"]))
    }

    @Test(arguments: [1, 2, 3, 7]) func `where the chunks end makes no difference`(_ size: Int) throws {
        let text = "näme;\"ci\"\"ty\"\r\n\"東京\r\n🏠\";x\r\n\"bad\"y;1\r\nשלום;\"\""
        #expect(try records(text, chunkSize: size) == records(text, chunkSize: 4_096))
    }

    @Test func `whatever the bytes, reading ends and lines never go back`() throws {
        var random = SplitMix(state: 7)
        let alphabet: [UInt8] = Array("\"\",;\n\r\tab ".utf8) + [0xC3, 0xA9, 0xFF, 0]
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            var last = 0
            for record in try records(bytes, chunkSize: 5) {
                let line =
                    switch record {
                    case .fields(let line, _): line;
                    case .refused(let line, _): line
                    }
                #expect(line > last, "\(bytes)")
                last = line
            }
        }
    }
}

/// Random numbers that come the same way each time.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
