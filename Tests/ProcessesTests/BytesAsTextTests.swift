import Processes
import Testing

struct BytesAsTextTests {
    @Test func `each byte has two hexadecimal digits`() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(Array(bytes[8...17]).hexadecimal == "08090a0b0c0d0e0f1011")
        #expect([UInt8](hexadecimal: Array(bytes.hexadecimal.utf8)) == bytes)
        #expect([UInt8](hexadecimal: Array(bytes.hexadecimal.uppercased().utf8)) == bytes)
        for text in ["a", "0g", "0x", " 1", "é"] { #expect([UInt8](hexadecimal: Array(text.utf8)) == nil, "\(text)") }
    }

    /// https://www.rfc-editor.org/rfc/rfc4648#section-10
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]) func `base 64 has the padding of RFC 4648`(text: String, encoded: String) {
        #expect(Array(text.utf8).base64 == encoded)
        #expect(Array(text.utf8).base64URL == encoded.filter { $0 != "=" })
    }

    @Test func `base 64 for a URL has neither plus nor slash`() {
        #expect(([0xFB, 0xEF, 0xFF] as [UInt8]).base64 == "++//")
        #expect(([0xFB, 0xEF, 0xFF] as [UInt8]).base64URL == "--__")
        #expect(([0xFB, 0xFF] as [UInt8]).base64URL == "-_8")
        #expect([UInt8](repeating: 255, count: 32).base64URL.count == 43)
    }
}
