import Foundation
import HTTP
import Processes
import Testing

@testable import Sinks

struct SealingKeysTests {
    private let first = String(repeating: "1a", count: 32)
    private let second = String(repeating: "2b", count: 32)

    @Test(arguments: ["", "AIzaSy", "ключ 🗝", String(repeating: "long ", count: 2_000)])
    func `a text sealed for a context is opened for it`(text: String) throws {
        let keys = try SealingKeys(first)
        let sealed = keys.seal(text, for: "sink 3")
        #expect(try keys.open(sealed, for: "sink 3") == text)
    }

    @Test func `the same text is sealed differently each time`() throws {
        let keys = try SealingKeys(first)
        #expect(Set((0..<100).map { _ in keys.seal("AIzaSy", for: "sink 3") }).count == 100)
    }

    @Test func `the sealed bytes contain nothing of the text`() throws {
        let sealed = try SealingKeys(first).seal("AIzaSy-secret", for: "sink 3")
        #expect(sealed.firstRange(of: Array("secret".utf8)) == nil)
    }

    @Test func `a change of any bit is detected`() throws {
        let keys = try SealingKeys(first)
        let sealed = keys.seal("AIzaSy", for: "sink 3")
        for place in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[place] ^= 1 << bit
                #expect(throws: SealingError.self) { try keys.open(changed, for: "sink 3") }
            }
        }
        for length in sealed.indices {
            #expect(throws: SealingError.changed) { try keys.open(Array(sealed.prefix(length)), for: "sink 3") }
        }
        #expect(throws: SealingError.changed) { try keys.open(sealed + [0], for: "sink 3") }
    }

    @Test func `a text sealed for one context can't be opened for another`() throws {
        let keys = try SealingKeys(first)
        let sealed = keys.seal("AIzaSy", for: "sink 3")
        for context in ["sink 4", "sink 33", "sink", ""] {
            #expect(throws: SealingError.changed) { try keys.open(sealed, for: context) }
        }
    }

    @Test func `a missing key is reported by its number`() throws {
        let sealed = try SealingKeys(first).seal("AIzaSy", for: "sink 3")
        let number = try SealingKeys(first).number
        let error = #expect(throws: SealingError.keyMissing(number: number)) {
            try SealingKeys(second).open(sealed, for: "sink 3")
        }
        #expect(error?.description.contains(number) == true)
    }

    @Test func `a new key is put before the old one, which still opens`() throws {
        let old = try SealingKeys(first).seal("AIzaSy", for: "sink 3")
        let both = try SealingKeys("\(second), \(first)")
        #expect(try both.open(old, for: "sink 3") == "AIzaSy")
        #expect(!both.isSealedByFirst(old))

        let new = try #require(try both.resealed(old, for: "sink 3"))
        #expect(both.isSealedByFirst(new))
        #expect(try both.resealed(new, for: "sink 3") == nil)
        #expect(try SealingKeys(second).open(new, for: "sink 3") == "AIzaSy")
        #expect(throws: SealingError.self) { try SealingKeys(first).open(new, for: "sink 3") }
    }

    @Test func `a key in base64 is the same key`() throws {
        let bytes = [UInt8](repeating: 0x1A, count: 32)
        let sealed = try SealingKeys(Data(bytes).base64EncodedString()).seal("AIzaSy", for: "sink 3")
        #expect(try SealingKeys(first.uppercased()).open(sealed, for: "sink 3") == "AIzaSy")
    }

    @Test(arguments: [
        ("", "there is no key"), (" ,\n", "there is no key"), ("secret", "the key is neither"),
        (String(repeating: "1a", count: 31) + "1g", "the key is neither"),
        (String(repeating: "1a", count: 32) + " secret", "key 2 of 2 is neither"),
        (String(repeating: "!", count: 44), "the key is neither"),
        (Data(repeating: 1, count: 31).base64EncodedString(), "the key is neither"),
    ])
    func `a text that is not a key is refused and not quoted`(text: String, reason: String) {
        let error = #expect(throws: SealingMistake.self) { try SealingKeys(text) }
        #expect(error?.description.hasPrefix(reason) == true)
        #expect(error?.description.contains("openssl rand -hex 32") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `keys are not printed`() throws {
        let keys = try SealingKeys(first)
        var dumped = ""
        dump(keys, to: &dumped)
        for text in ["\(keys)", String(reflecting: keys), dumped] {
            #expect(!text.contains("26, 26") && !text.contains("1a1a"))
        }
    }

    /// Test case 16 of "The Galois/Counter Mode of Operation" (McGrew, Viega), appendix B.
    @Test func `the cipher equals the published vectors of AES-256-GCM`() throws {
        let key = try bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
        let nonce = try bytes("cafebabefacedbaddecaf888")
        let plain = try bytes(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
        )
        let context = try bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        let (sealed, tag) = AESGCM.seal(plain, key: key, nonce: nonce, context: context)
        #expect(
            sealed.hexadecimal
                == "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
        )
        #expect(tag.hexadecimal == "76fc6ece0f4e1768cddf8853bb2d551b")
        #expect(AESGCM.open(sealed, tag: tag, key: key, nonce: nonce, context: context) == plain)
        #expect(AESGCM.open(sealed, tag: tag, key: key, nonce: nonce, context: []) == nil)
    }

    /// Test case 13 of the same paper: an empty text.
    @Test func `an empty text is sealed as in the published vector`() throws {
        let zeros = [UInt8](repeating: 0, count: 32)
        let (sealed, tag) = AESGCM.seal([], key: zeros, nonce: Array(zeros.prefix(12)), context: [])
        #expect(sealed == [])
        #expect(tag.hexadecimal == "530f8afbc74536b9a963b4f1c4cb738b")
    }

    private func bytes(_ text: Substring) throws -> [UInt8] { try #require([UInt8](hexadecimal: Array(text.utf8))) }
}
