import Glibc

/// How the numbers of an Excel workbook look: ECMA-376, part 1, 18.8.
///
/// Only the formats that change the meaning for a reader are applied: digits such as `00000` of a postcode, and dates.
struct XLSXStyles {
    private enum Look {
        case plain, date
        /// A zero for each digit, and letters between them: `00-000`
        case digits([Character])
    }

    private var looks: [Look] = []
    private let begins1904: Bool

    init(begins1904: Bool) {
        self.begins1904 = begins1904
    }

    /// Reads the formats of the cells.
    init(_ entry: ZipFile.Entry?, of zip: ZipFile, begins1904: Bool) throws {
        self.init(begins1904: begins1904)
        guard let entry else { return }
        var (formats, looks, isOfCells): ([Int: Look], [Look], Bool) = ([:], [], false)
        try zip.readTags(of: entry) { name, attributes in
            if name == "numFmt", let id = attributes.number("numFmtId"), let code = attributes.text("formatCode") {
                formats[id] = Self.look(of: code)
            }
            if name == "cellStyleXfs" || name == "cellXfs" || name == "cellStyles" { isOfCells = name == "cellXfs" }
            if name == "xf", isOfCells {
                let id = attributes.number("numFmtId") ?? 0
                looks.append(formats[id] ?? (Self.datesBuiltIn.contains { $0 ~= id } ? .date : .plain))
            }
        }
        self.looks = looks
    }

    private static let datesBuiltIn = [14...22, 27...36, 45...47, 50...58]

    /// The text of a number, as far as possible as people see it.
    func text(_ number: String, style: Int) -> String {
        let look = looks.indices.contains(style) ? looks[style] : .plain
        let isWhole = number.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        if case .plain = look, isWhole { return number }
        guard let value = Double(number), value.isFinite else { return number }
        let whole = Int(exactly: value.rounded()).flatMap { Double($0) == value && $0.magnitude < 1 << 53 ? $0 : nil }
        switch look {
        case .plain: return whole.map { "\($0)" } ?? "\(value)"
        case .digits(let pattern):
            guard let whole, whole >= 0 else { return whole.map { "\($0)" } ?? "\(value)" }
            return Self.text(whole, pattern)
        case .date: return date(value) ?? number
        }
    }

    private static func text(_ number: Int, _ pattern: [Character]) -> String {
        var digits = Array("\(number)")
        let missing = pattern.count { $0 == "0" } - digits.count
        digits.insert(contentsOf: repeatElement("0", count: max(0, missing)), at: 0)
        var text: [Character] = []
        for (index, letter) in pattern.enumerated().reversed() {
            text.append(letter == "0" ? digits.removeLast() : letter)
            // Digits for which the format has no place stand where its first one is.
            if letter == "0", !pattern[..<index].contains("0") {
                while let more = digits.popLast() { text.append(more) }
            }
        }
        return String(text.reversed())
    }

    /// `2026-11-26` or `2026-11-26T16:30:00`
    private func date(_ serial: Double) -> String? {
        // Excel has a 29 February 1900, so the days before it are one too late.
        let days = serial + (begins1904 ? 1_462 : serial < 60 ? 1 : 0) - 25_569
        guard abs(days) < 3_000_000 else { return nil }
        var seconds = time_t((days * 86_400).rounded())
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
        let date = "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return time == "00:00:00" ? date : "\(date)T\(time)"
    }

    /// https://support.microsoft.com/office/number-format-codes-5026bbd6-04bc-48cd-bf33-80f18b4eae68
    private static func look(of code: String) -> Look {
        var pattern: [Character] = []
        var (isDigits, isDate) = (true, false)
        var letters = code.prefix { $0 != ";" }[...]
        while let letter = letters.popFirst() {
            switch letter {
            case "\"":
                pattern += letters.prefix { $0 != "\"" }
                letters = letters.drop { $0 != "\"" }.dropFirst()
            case "\\": letters.popFirst().map { pattern.append($0) }
            // A colour, a language or a condition.
            case "[": letters = letters.drop { $0 != "]" }.dropFirst()
            case "0", "-", " ": pattern.append(letter)
            default:
                isDigits = false
                if "dmyhsDMYHS".contains(letter) { isDate = true }
            }
        }
        return isDate ? .date : isDigits && pattern.contains("0") ? .digits(pattern) : .plain
    }
}
