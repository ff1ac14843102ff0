import JSON
import JSONTesting
import Testing

@testable import API

struct JSONDoorTests {
    @Test(arguments: JSONVerdict.all) func `a body that is not JSON gets 400`(_ verdict: JSONVerdict) throws {
        do {
            _ = try RequestReader(verdict.bytes)
            #expect(verdict.isJSON)
        } catch let refusal as RequestError {
            #expect(refusal.status == 400)
            #expect(!verdict.isJSON)
        }
    }

    @Test func `a body that is not UTF-8, or is too deep, is refused with that reason`() {
        func detail(_ body: [UInt8]) -> String? {
            do { _ = try RequestReader(body) } catch { return (error as? RequestError)?.detail }
            return nil
        }
        #expect(detail([0x22, 0xE9, 0x22]) == "The body is not UTF-8.")
        #expect(detail([UInt8](repeating: UInt8(ascii: "["), count: 129))?.hasSuffix("deeper than 128.") == true)
        #expect(detail(Array("{".utf8)) == "Problems parsing JSON.")
        #expect(detail(Array("[]".utf8)) == "The body must be a JSON object.")
    }

    @Test func `a contact_id that is too large or negative is refused`() throws {
        for number in ["1e400", "-0", "0", "-1", "1.5", "1e300", "true"] {
            var fields = try RequestReader(Array(#"{"contact_id":\#(number)}"#.utf8))
            #expect(fields.requiredID("contact_id") == 0)
            #expect(throws: RequestError.self) { try fields.finish() }
        }
    }
}
