import Testing

@testable import Contacts

struct JSONSourceTests {
    @Test(arguments: [
        (#"{"version":"1.0-preview.1","app_version":"4.0.0","account":{"da"#, JSONSource.monica),
        (#"{"features":[{"type":"Feature","properties":{"key":1}}"#, .geoJSON),
        ("\u{FEFF} {\n\"type\":\"FeatureCollection\"", .geoJSON),
        (#"{"type":"Feature","properties"#, .geoJSON),
        ("{\"name\":\"Ada\",\"type\":\"person\",\"key\":\"a\"}\n{\"key\":", .ndjson),
        (#"{"key":{"version":1},"name":"#, .ndjson),
        (#"[{"key":1}]"#, nil), ("name,city\n", nil), ("", nil), (#"{"type":"Topology","objects":{}}"#, nil),
    ]) func `a kind is told by the first members`(text: String, kind: JSONSource?) throws {
        let folder = try Folder()
        try folder.put(text, into: "a.json")

        #expect(try JSONSource.kind(path: folder.file("a.json")) == kind)
    }

    @Test func `a kind is told from the beginning of a large file`() throws {
        let folder = try Folder()
        let line = "{\"key\":\"a\",\"name\":\"Ada\"}\n"
        try folder.put(String(repeating: line, count: 10_000), into: "a.json")

        #expect(try JSONSource.kind(path: folder.file("a.json")) == .ndjson)
        #expect(try JSONSource.kind(path: monicaSample("export.json")) == .monica)
    }
}
