import Processes
import Testing

struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0.0), ("2023-11-14T22:13:20Z", 1_700_000_000),
        ("2023-11-14 22:13:20.25Z", 1_700_000_000.25),
        ("2023-11-15T00:13:20+02:00", 1_700_000_000), ("2023-11-14T17:13:20-0500", 1_700_000_000),
        ("2024-02-29T12:00:00Z", 1_709_208_000), ("2000-02-29T00:00:00z", 951_782_400), ("1969-12-31T23:59:59Z", -1),
        ("1600-03-01T00:00:00Z", -11_670_912_000),
    ])
    func `a time is read in each form`(_ text: String, _ seconds: Double) {
        #expect(Timestamp.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "2023", "2023-11-14", "2023-11-14T22:13Z", "2023-13-14T22:13:20Z", "2023-02-29T00:00:00Z",
        "2100-02-29T00:00:00Z",
        "2023-11-14T24:13:20Z", "2023-11-14T22:13:20", "2023-11-14T22:13:20.Z", "2023-11-14T22:13:20Zx",
        "2023-11-00T22:13:20Z",
        "+023-11-14T22:13:20Z",
    ])
    func `a text that is not a time is refused`(_ text: String) {
        #expect(Timestamp.seconds(text) == nil)
    }

    @Test func `each day of four hundred years reads back equal`() {
        for day in stride(from: -150_000, through: 150_000, by: 1) {
            let seconds = Double(day) * 86_400 + 43_199.5
            #expect(Timestamp.seconds(Timestamp.text(seconds)) == seconds)
        }
        #expect(Timestamp.text(1_700_000_000.25) == "2023-11-14T22:13:20.250Z")
    }
}
