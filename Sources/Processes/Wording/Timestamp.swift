/// Converts moments between texts, numbers and seconds since 1970.
package enum Timestamp {
    /// The moments that RFC 3339 can write: the years from 0000 to 9999.
    package static let range = -62_167_219_200.0..<253_402_300_800.0

    /// Reads a moment in RFC 3339 (https://www.rfc-editor.org/rfc/rfc3339). Also accepts a space instead of the `T`,
    /// and the offset without a colon, as in ISO 8601. Returns nil for anything else, for days that do not exist, and
    /// for moments outside ``range``.
    package static func seconds(_ text: String) -> Double? {
        var text = Digits(text)
        guard let year = text.number(of: 4), text.take("-"), let month = text.number(of: 2), text.take("-"),
            let day = text.number(of: 2), text.take("T") || text.take("t") || text.take(" "),
            let hour = text.number(of: 2), text.take(":"), let minute = text.number(of: 2), text.take(":"),
            let second = text.number(of: 2), let fraction = text.fraction(), let offset = text.offset(), text.isAtEnd,
            (1...12).contains(month), day >= 1, day <= length(of: month, in: year), hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = days(from: year, month, day)
        let seconds = Double(days * 86_400 + hour * 3_600 + minute * 60 + second - offset) + fraction
        return range.contains(seconds) ? seconds : nil
    }

    /// Reads a number of seconds, or of milliseconds if it is too large for seconds: 100,000,000,000 seconds are the
    /// year 5138. Returns nil outside ``range``.
    package static func seconds(_ number: Double) -> Double? {
        let seconds = abs(number) < 1e11 ? number : number / 1_000
        return range.contains(seconds) ? seconds : nil
    }

    /// Writes RFC 3339, to the millisecond, with `Z`. A moment outside ``range`` becomes the nearest one in it.
    package static func text(_ seconds: Double) -> String {
        var bytes: [UInt8] = []
        write(seconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Does the same, faster, for values that are written a million times.
    package static func write(_ seconds: Double, to bytes: inout [UInt8]) {
        let possible = min(max(seconds, range.lowerBound), range.upperBound - 0.001)
        let (days, rest) = Int(clamping: possible * 1_000).floored(by: 86_400_000)
        let (year, month, day) = date(after: days)
        func append(_ number: Int, _ width: Int, _ end: Unicode.Scalar) {
            var divisor = 1
            for _ in 1..<width { divisor *= 10 }
            while divisor > 0 {
                bytes.append(0x30 + UInt8(number / divisor % 10))
                divisor /= 10
            }
            bytes.append(UInt8(ascii: end))
        }
        append(year, 4, "-")
        append(month, 2, "-")
        append(day, 2, "T")
        append(rest / 3_600_000, 2, ":")
        append(rest / 60_000 % 60, 2, ":")
        append(rest / 1_000 % 60, 2, ".")
        append(rest % 1_000, 3, "Z")
    }

    private static func length(of month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    // Days since 1970 and back. The arithmetic uses eras of 400 years that begin in March, so that the leap day is the
    // last of its year: https://howardhinnant.github.io/date_algorithms.html

    private static func days(from year: Int, _ month: Int, _ day: Int) -> Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).floored(by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(after days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + 719_468).floored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
    }
}

extension Int {
    fileprivate func floored(by divisor: Int) -> (quotient: Int, rest: Int) {
        let quotient = self >= 0 ? self / divisor : (self - divisor + 1) / divisor
        return (quotient, self - quotient * divisor)
    }
}

/// Reads a text from its beginning.
private struct Digits {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ letter: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: letter) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(of count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = rest.first, (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 0x30)
            rest.removeFirst()
        }
        return number
    }

    /// Returns nil for a point without digits.
    mutating func fraction() -> Double? {
        guard take(".") || take(",") else { return 0 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        return Double("0." + String(decoding: digits, as: UTF8.self))
    }

    /// Reads an offset in seconds; nil if there is none.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(of: 2), hours < 24 else { return nil }
        guard !isAtEnd else { return sign * hours * 3_600 }
        _ = take(":")
        guard let minutes = number(of: 2), minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
