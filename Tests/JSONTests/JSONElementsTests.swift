import JSON
import Testing

struct JSONElementsTests {
    @Test func `the items of a list are found with their lines and offsets`() throws {
        let found = try elements(["list.*"], "{\"other\":[0],\n\"list\":[1,\n {\"a\":[2]},\"x\\\"]\"\n]}")

        #expect(found.map(\.text) == ["1", #"{"a":[2]}"#, #""x\"]""#])
        #expect(found.map(\.line) == [2, 3, 3])
        #expect(found.map(\.offset) == [22, 26, 36])
    }

    @Test func `a path may lead through lists and objects of any name`() throws {
        let found = try elements(
            ["data.*.type", "data.*.values.*"],
            #"{"data":[{"type":"a","values":[1,2]},{"values":{"x":3},"type":"b"}],"type":"c","values":[4]}"#)

        #expect(found.map(\.path) == [0, 1, 1, 1, 0])
        #expect(found.map(\.text) == [#""a""#, "1", "2", "3", #""b""#])
        #expect(found.map(\.places) == [[0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1], [0, 1, 0, 0], [0, 1, 1]])
    }

    @Test func `a name on a path may be written with escapes`() throws {
        #expect(try elements(["list.*"], #"{"l\u0069st":[1]}"#).map(\.text) == ["1"])
    }

    @Test func `a list with the right name at the wrong place is skipped`() throws {
        #expect(try elements(["list.*"], #"{"a":{"list":[1]},"b":[{"list":[2]}],"list":3,"c":{"*":4}}"#).isEmpty)
    }

    @Test func `a byte order mark is not part of the text`() throws {
        #expect(try elements(["list.*"], "\u{FEFF}{\"list\":[1]}").map(\.offset) == [12])
    }

    @Test(arguments: wrongTexts) func `text that is not JSON is an error with its line, on any path`(wrong: WrongText) {
        for path in ["list.*", "*", "a"] {
            let error = #expect(throws: JSONError.self) { try elements([path], wrong.text) }

            #expect(error?.problem == wrong.problem)
            #expect(error?.line == wrong.line)
        }
    }

    @Test func `UTF-16 is distinguished from text that is not JSON`() {
        for bytes: [UInt8] in [
            [0xFF, 0xFE, 0x7B, 0], [0x7B, 0, 0x7D, 0], [0, 0x7B], [0x5B, 0xFF], [0x5B, 0x22, 0xC3, 0x22],
        ] {
            let error = #expect(throws: JSONError.self) { try elements(["list.*"], bytes) }

            #expect(error?.problem == .notUTF8)
        }
    }

    @Test func `chunks of any size give the same elements`() throws {
        let text =
            "\u{FEFF}{\"a\":[-1.5e2,\"\\ud83d\\ude00\\\\\",{\"b\":[true,null]}],\n\"list\":[[],{},\"é\\\"\",12,false]}"
        let whole = try elements(["list.*", "a.*"], text)

        #expect(whole.count == 8)
        for size in 1...20 {
            #expect(try elements(["list.*", "a.*"], Array(text.utf8), chunkSize: size) == whole)
        }
    }

    @Test func `an element that is too large is reported, and the next ones are read`() throws {
        let found = try elements(["*"], #"["1234","12345",6]"#, largest: 6)

        #expect(found.map(\.bytes?.count) == [6, nil, 1])
    }

    @Test func `a long text outside every path is never held in memory`() throws {
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 10)
        var (sent, largestAsked) = (0, 0)
        var found = JSONElements(at: [["list", "*"]], largest: 100, chunkSize: 1 << 10) { buffer in
            largestAsked = max(largestAsked, buffer.count)
            sent += 1
            switch sent {
            case 1: return fill(buffer, Array(#"{"photo":""#.utf8))
            case 2...2_000: return fill(buffer, piece)
            case 2_001: return fill(buffer, Array(#"","list":[7]}"#.utf8))
            default: return 0
            }
        }

        #expect(try found.next()?.bytes == [UInt8(ascii: "7")])
        #expect(try found.next() == nil)
        #expect(largestAsked == 1 << 10)
    }

    @Test func `the scan and the parser agree on what is JSON`() throws {
        var random = SystemRandomNumberGenerator()
        let seeds = [#"{"a":[1,-2.5e3,true],"b":"x\u00e9\n"}"#, #"[null,{},[],"",0,"y"]"#].map { Array($0.utf8) }
        let letters = Array(#"[]{},:"\0123456789.eE+-truefalsn u "#.utf8)
        for _ in 0..<20_000 {
            var text = seeds.randomElement(using: &random) ?? []
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let place = text.indices.randomElement(using: &random) ?? 0
                text[place] = letters.randomElement(using: &random) ?? 0
            }
            let parsed = problem { _ = try JSONValue(parsing: text) }
            #expect(problem { _ = try elements(["b"], text) } == parsed, "\(String(decoding: text, as: UTF8.self))")
        }
    }
}

private func fill(_ buffer: UnsafeMutableRawBufferPointer, _ bytes: [UInt8]) -> Int {
    buffer.copyBytes(from: bytes)
    return bytes.count
}

private func problem(_ body: () throws -> Void) -> JSONError.Problem? {
    do { try body() } catch { return (error as? JSONError)?.problem }
    return nil
}

private func elements(_ paths: [String], _ text: String, largest: Int = 1 << 20) throws -> [JSONElement] {
    try elements(paths, Array(text.utf8), largest: largest)
}

/// A path is written with dots.
private func elements(
    _ paths: [String], _ bytes: [UInt8], largest: Int = 1 << 20, chunkSize: Int = 256 << 10
) throws -> [JSONElement] {
    var rest = bytes[...]
    var reader = JSONElements(
        at: paths.map { $0.split(separator: ".").map(String.init) }, largest: largest, chunkSize: chunkSize
    ) { buffer in
        let piece = rest.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        rest.removeFirst(piece.count)
        return piece.count
    }
    var found: [JSONElement] = []
    while let element = try reader.next() { found.append(element) }
    return found
}

extension JSONElement {
    fileprivate var text: String { String(decoding: bytes ?? [], as: UTF8.self) }
}
