/// Values at the edges of what a type, a database or a format can hold. A process must refuse or clamp each of them, at
/// every door: a parameter, an option, a file, a row of another program, a reply of a provider.
package enum Extremes {
    /// Numbers as JSON, XML and the command line write them.
    package static let numbers = [
        "0", "-0", "-1", "5e-324", "1e-320", "1e-300", "0.1", "1e300", "1e400", "-1e400", "1.7976931348623157e308",
        "32768", "65536", "2147483648", "-2147483649", "4294967296", "9007199254740993", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551616",
        "99999999999999999999999999", "1e18", "1e19",
        // The first second of the year 10000, the last one before the year 0, PostgreSQL's last year.
        "253402300800", "-62167219201", "9224318015999",
    ]

    /// The numbers above, infinity, NaN, and 500 patterns of 64 bits that are the same in each run.
    package static let doubles: [Double] = {
        var state: UInt64 = 41
        let random = (0..<500).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(bitPattern: state ^ state >> 29)
        }
        return numbers.compactMap(Double.init) + [.infinity, -.infinity, .nan, .leastNonzeroMagnitude] + random
    }()

    package static let integers = numbers.compactMap { Int($0) } + [.min, .max]

    /// Moments as PostgreSQL writes them.
    package static let moments = ["infinity", "-infinity", "294276-12-31 23:59:59+00", "4714-11-24 00:00:00+00 BC"]

    /// The texts in which one number of `text` is an extreme one. `each` of its numbers is replaced that many times, so
    /// that together all extremes occur.
    package static func variants(of text: String, each: Int = 4) -> [String] {
        let bytes = Array(text.utf8)
        var (texts, position): ([String], Int) = ([], 0)
        while position < bytes.count {
            let start = position
            position += 1
            let isInWord = start > 0 && (isLetter(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: "."))
            guard isDigit(bytes[start]), !isInWord else { continue }
            while position < bytes.count, isDigit(bytes[position]) || bytes[position] == UInt8(ascii: ".") {
                position += 1
            }
            for _ in 0..<each {
                let other = Array(numbers[texts.count % numbers.count].utf8)
                texts.append(String(decoding: bytes[..<start] + other + bytes[position...], as: UTF8.self))
            }
        }
        return texts
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte & ~0x20 }
}
