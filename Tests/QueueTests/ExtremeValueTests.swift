import ExtremesTesting
import Postgres
import Processes
import Testing

@testable import Queue

/// Arithmetic on limits and moments is total, whatever numbers a row has.
struct ExtremeValueTests {
    @Test func `the wait for a limit has a length, and so has its audit`() {
        for calls in Extremes.doubles {
            for per in [Duration.microseconds(1), .seconds(1), .seconds(31_622_400), .longest] {
                guard let limit = RateLimit(calls, per: per) else { continue }
                for fullIn in [0, 1e300, -1e300, Double.infinity, -.infinity, .nan] {
                    let state = LimitState(limit, pace: 0.01, grace: .seconds(1), spread: .seconds(1), fullIn: fullIn)
                    let outlook = LaneOutlook("a", batch: 1, limits: [state], waiting: 320_000)
                    #expect(outlook.time(for: 1 << 52) != nil)
                }
                var audit = CallAudit(of: [limit])
                audit.add(0)
                #expect(audit.limits[0].permittedInPeriod >= 0)
                #expect(RateLimit(text: limit.text) == nil || RateLimit(text: limit.text) == limit, "\(limit.text)")
            }
        }
    }

    @Test func `a duration from and to SQL is bounded, or none`() {
        for text in Extremes.numbers + ["infinity", "-infinity", "Infinity", "-Infinity", "NaN", ""] {
            let bytes = Array(text.utf8)
            guard let duration = bytes.withUnsafeBufferPointer({ Duration(sqlText: $0) }) else { continue }
            #expect(Duration.zero - .longest <= duration && duration <= .longest, "\(text)")
            var written: [UInt8] = []
            (duration * 1_000).write(to: &written)
            #expect(String(decoding: written, as: UTF8.self).hasSuffix(" microseconds"))
        }
    }
}
