import ExtremesTesting
import Testing

@testable import Processes

/// Conversions of numbers from outside are total.
struct ExtremesTests {
    private let durations = Extremes.doubles.map { Duration(clampingSeconds: $0) }

    @Test func `each number becomes a moment that RFC 3339 can write`() {
        for seconds in Extremes.doubles {
            let text = Timestamp.text(seconds)
            #expect(text.utf8.count == 24, "\(seconds)")
            #expect(Timestamp.seconds(text).map(Timestamp.range.contains) == true, "\(seconds)")
        }
        #expect(Timestamp.text(-.infinity) == "0000-01-01T00:00:00.000Z")
        #expect(Timestamp.text(.infinity) == "9999-12-31T23:59:59.999Z")
    }

    @Test func `a text is not a moment if its offset leads out of the years`() {
        #expect(Timestamp.seconds("0000-01-01T00:00:00+23:59") == nil)
        #expect(Timestamp.seconds("9999-12-31T23:59:59-23:59") == nil)
        #expect(Timestamp.seconds("9999-12-31T23:59:60Z") == nil)
        for year in ["0000", "0001", "1582", "1970", "2024", "9999"] {
            for day in ["01-01", "02-29", "12-31"] {
                for time in ["00:00:00", "23:59:59.999999999", "23:59:60"] {
                    for offset in ["Z", "+23:59", "-23:59", "+0000"] {
                        guard let seconds = Timestamp.seconds("\(year)-\(day)T\(time)\(offset)") else { continue }
                        #expect(Timestamp.text(seconds).utf8.count == 24)
                    }
                }
            }
        }
    }

    @Test func `a number of seconds or milliseconds is a moment only within the years`() {
        for number in Extremes.doubles {
            guard let seconds = Timestamp.seconds(number) else { continue }
            #expect(Timestamp.range.contains(seconds), "\(number)")
        }
        #expect(Timestamp.seconds(1_795_169_700_000) == 1_795_169_700)
        #expect(Timestamp.seconds(Double.nan) == nil)
    }

    @Test func `each number has a text for people`() {
        for number in Extremes.doubles {
            #expect(!Readable.rate(number).contains("inf"), "\(number)")
            #expect(!Readable.rate(number).contains("nan"), "\(number)")
            #expect(Int(clamping: number).magnitude <= 1 << 53)
        }
        for duration in durations + [.longest, .seconds(31_622_400) * 1_000_000_000_000] {
            #expect(!Readable.duration(duration).isEmpty)
            #expect(!Words.time(Duration(clampingSeconds: duration / .seconds(1)), asOf: .zero).isEmpty)
        }
        for integer in Extremes.integers {
            #expect(!Readable.count(integer).isEmpty && !Readable.bytes(integer).isEmpty)
            for whole in Extremes.integers { #expect(Readable.percent(integer, of: whole).hasSuffix("%")) }
        }
    }

    @Test func `durations are clamped, and can be added and written`() {
        for duration in durations {
            #expect(Duration.zero - .longest <= duration && duration <= .longest)
            #expect(duration.clampedMicroseconds.magnitude <= 9_000_000_000_000_000_000)
            #expect(!duration.text.isEmpty && !(duration + .longest).exactText.isEmpty)
        }
        #expect((Duration.longest * 1_000_000).clampedMicroseconds == 9_000_000_000_000_000_000)
    }

    @Test func `a written rate is within the bounds, or none`() {
        var count = 0
        for calls in Extremes.numbers {
            for per in ["s", "min", "h", "d"] + Extremes.numbers.map({ "\($0)d" }) + ["366d", "31622400s", "x", ""] {
                guard let rate = WrittenRate("\(calls)/\(per)") else { continue }
                count += 1
                #expect(WrittenRate.permittedCalls.contains(rate.calls))
                #expect(WrittenRate.permittedSeconds.contains(rate.seconds))
            }
        }
        #expect(count > 12)
        #expect(WrittenRate("1/9223372036854775807d") == nil && WrittenRate("1/367d") == nil)
        #expect(WrittenRate("1e-300/s") == nil && WrittenRate("nan/s") == nil && WrittenRate("1/٣s") == nil)
        #expect(WrittenRate("2500/2d")?.seconds == 172_800)
    }
}
