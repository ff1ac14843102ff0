import Testing

@testable import Processes

struct ReadableTests {
    @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_234, "-1,234")])
    func `a count has commas`(number: Int, text: String) {
        #expect(Readable.count(number) == text)
    }

    @Test(arguments: [
        (Duration.zero, "0 ms"), (.microseconds(2_340), "2.3 ms"), (.microseconds(9_970), "10 ms"),
        (.milliseconds(240), "240 ms"), (.microseconds(999_700), "1 s"), (.milliseconds(1_230), "1.2 s"),
        (.milliseconds(59_970), "1 min"), (.seconds(200), "3 min 20 s"), (.seconds(3_599.8), "1 h"),
        (.seconds(7_500), "2 h 5 min"), (.seconds(86_400 * 4 + 3_600 * 3), "4 d 3 h"),
    ])
    func `a duration has its two largest units`(duration: Duration, text: String) {
        #expect(Readable.duration(duration) == text)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (999_960, "1 MB"), (3_200_000_000, "3.2 GB"),
        (5_000_000_000_000_000, "5000 TB"),
    ])
    func `bytes have decimal units`(count: Int, text: String) {
        #expect(Readable.bytes(count) == text)
    }

    @Test(arguments: [
        (0, 10, "0%"), (1, 1_000, "1%"), (42, 100, "42%"), (999, 1_000, "99%"), (10, 10, "100%"), (0, 0, "0%"),
    ])
    func `only a finished part is 100%, and only one not begun is 0%`(part: Int, whole: Int, text: String) {
        #expect(Readable.percent(part, of: whole) == text)
    }

    @Test(arguments: [
        (0, "0/s"), (0.42, "0.4/s"), (0.05, "3/min"), (0.001, "3.6/h"), (0.00001, "0.1/h"), (9.9, "9.9/s"),
        (310.2, "310/s"), (12_400, "12,400/s"),
    ])
    func `a slow rate has one decimal, and a rare one is per minute or hour`(rate: Double, text: String) {
        #expect(Readable.rate(rate) == text)
    }
}
