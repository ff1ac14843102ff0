import JSONTesting
import Testing

@testable import JSON

/// The texts that both readers accept as JSON. `JSONDoorTests` of the other rooms test the readers built on them.
struct JSONVerdictTests {
    @Test(arguments: JSONVerdict.all) func `the parser accepts JSON and nothing else`(_ verdict: JSONVerdict) {
        #expect(((try? JSONValue(parsing: verdict.bytes)) != nil) == verdict.isJSON)
    }

    /// Also with a path that leads elsewhere, and with chunks of any size.
    @Test(arguments: JSONVerdict.all) func `the scan accepts JSON and nothing else`(_ verdict: JSONVerdict) {
        for path in ["*", "b"] {
            for size in [1, 2, 3, 256 << 10] {
                #expect(isRead(verdict.bytes, at: path, inPiecesOf: size) == verdict.isJSON)
            }
        }
    }

    @Test func `the last of two members with one name counts, and a scan returns both`() throws {
        let text = Array(#"{"a":1,"a":2}"#.utf8)
        #expect(try JSONValue(parsing: text) == .object(["a": .number(2)]))
        var rest = text[...]
        var elements = JSONElements(at: [["a"]], largest: 10) { buffer in
            defer { rest = [] }
            buffer.copyBytes(from: rest)
            return rest.count
        }
        #expect(try elements.next()?.bytes == Array("1".utf8))
        #expect(try elements.next()?.bytes == Array("2".utf8))
    }

    @Test func `a number beyond a double is infinite, and minus zero is zero`() throws {
        #expect(
            try JSONValue(parsing: Array("[1e400,-1e400]".utf8)) == .list([.number(.infinity), .number(-.infinity)]))
        #expect(try JSONValue(parsing: Array("-0".utf8)).written == "0")
        #expect(try JSONValue(parsing: Array("1e400".utf8)).written == "inf")
    }

    @Test func `the error names the permitted depth`() {
        #expect(JSONError.Problem.tooDeep.rawValue.hasSuffix(" \(JSONGrammar.depth)"))
    }

    private func isRead(_ bytes: [UInt8], at path: String, inPiecesOf size: Int) -> Bool {
        var rest = bytes[...]
        var elements = JSONElements(at: [[path]], largest: 1 << 20, chunkSize: size) { buffer in
            let piece = rest.prefix(buffer.count)
            buffer.copyBytes(from: piece)
            rest.removeFirst(piece.count)
            return piece.count
        }
        do {
            // The parser checks the characters of the returned elements.
            while let element = try elements.next() { _ = try JSONValue(parsing: element.bytes ?? []) }
            return true
        } catch {
            return false
        }
    }
}
