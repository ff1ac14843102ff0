import Processes
import Testing

struct DurationTests {
    @Test(arguments: [
        (Duration.zero, "0s"), (.nanoseconds(900), "900ns"), (.microseconds(15), "15µs"), (.milliseconds(250), "250ms"),
        (.microseconds(1_520), "1.52ms"), (.milliseconds(1_050), "1.05s"), (.milliseconds(15_260), "15.2s"),
        (.microseconds(999_999), "999ms"), (.seconds(60), "1m"), (.seconds(150), "2m30s"), (.seconds(7_500), "2h5m"),
        (.seconds(-3), "-3s"),
    ])
    func `a duration is written with its units`(duration: Duration, text: String) {
        #expect(duration.text == text)
    }

    @Test(arguments: [
        ("200ms", Duration.milliseconds(200)), ("1.5s", .milliseconds(1_500)), ("0s", .zero), ("30s", .seconds(30)),
        ("5m", .seconds(300)), ("5min", .seconds(300)), ("2h", .seconds(7_200)), ("7d", .seconds(604_800)),
        ("2m30s", .seconds(150)),
        ("1h0.5s", .milliseconds(3_600_500)),
    ])
    func `a duration is read with its unit`(text: String, duration: Duration) {
        #expect(Duration(text: text) == duration)
    }

    @Test(arguments: ["", "30", "s", "-5s", "5 s", "2m30", "1.2.3s", "5parsecs", "9999999999999d", "٣s"])
    func `a text that is not a duration gives none`(text: String) {
        #expect(Duration(text: text) == nil)
    }
}
