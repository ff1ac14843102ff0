import JSON
import Testing

struct JSONTextTests {
    @Test func `a quote and a backslash are escaped`() {
        #expect(JSONText.quoted(#"a"b\c"#) == #""a\"b\\c""#)
    }
}
