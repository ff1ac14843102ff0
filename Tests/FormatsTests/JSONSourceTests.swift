import Testing

@testable import Formats

struct JSONSourceTests {
    @Test(arguments: [
        (#"{"version":"1.0-preview.1","app_version":"4.0.0","account":{"da"#, JSONSource.monica),
        (#"{"features":[{"type":"Feature","properties":{"key":1}}"#, .geoJSON),
        ("\u{FEFF} {\n\"type\":\"FeatureCollection\"", .geoJSON),
        (#"{"type":"Feature","properties"#, .geoJSON),
        ("{\"name\":\"Ada\",\"type\":\"person\",\"key\":\"a\"}\n{\"key\":", .ndjson),
        (#"{"key":{"version":1},"name":"#, .ndjson),
        (#"[{"key":1}]"#, nil), ("name,city\n", nil), ("", nil), (#"{"type":"Topology","objects":{}}"#, nil),
    ]) func `the kind is detected from the first members`(text: String, kind: JSONSource?) throws {
        #expect(JSONSource.kind(beginning: Array(text.utf8)) == kind)
    }

    @Test func `a Monica export is distinguished from other JSON`() throws {
        #expect(try JSONSource.kind(beginning: sample("Monica/export.json")) == .monica)
    }
}
