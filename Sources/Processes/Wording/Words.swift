import Glibc

/// Parts that several sentences share.
package enum Words {
    /// `10:05:00` on this machine's wall clock, with the day if it is not today.
    package static func time(_ moment: Duration, asOf now: Duration) -> String {
        let (then, today) = (calendar(moment), calendar(now))
        let clock = "\(pair(then.tm_hour)):\(pair(then.tm_min)):\(pair(then.tm_sec))"
        if then.tm_year == today.tm_year, then.tm_yday == today.tm_yday { return clock }
        return "\(then.tm_year + 1_900)-\(pair(then.tm_mon + 1))-\(pair(then.tm_mday)) \(clock)"
    }

    /// `1 failure`, `1,234 failures`
    package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(Readable.count(number)) \(number == 1 ? one : many ?? one + "s")"
    }

    private static func calendar(_ moment: Duration) -> tm {
        var seconds = time_t(moment.components.seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func pair(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
