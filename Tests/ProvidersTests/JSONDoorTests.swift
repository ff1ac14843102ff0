import JSONTesting
import Testing

@testable import Providers

struct JSONDoorTests {
    @Test(arguments: JSONVerdict.all) func `a description that is not JSON is refused`(_ verdict: JSONVerdict) {
        let error = #expect(throws: DescriptionError.self) {
            try GenericProvider.Description(json: verdict.bytes, key: nil)
        }
        #expect(error?.mistakes.contains("it is not a JSON object") == !verdict.isJSON)
    }
}
