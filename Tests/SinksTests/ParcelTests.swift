import Sinks
import Testing

@Suite struct ParcelTests {
    @Test func `a location is there unless it is said to be removed`() {
        let location = UploadedLocation(
            user: "ann", id: "1", lat: 60, lng: 25, accuracy: nil, timestamp: 1_700_000_000, waitTime: 0)
        #expect(!location.isRemoved)
    }
}
