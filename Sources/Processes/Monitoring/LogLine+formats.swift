import Glibc

extension LogLine {
    /// `time=2026-07-31T05:37:16.123Z level=info message="lane blocked" lane=nominatim`
    var logfmt: String {
        var text = "time=\(timestamp) level=\(level.rawValue) message=\(bareOrQuoted(message))"
        for (name, value) in fields { text += " \(name)=\(bareOrQuoted(value))" }
        return text + "\n"
    }

    /// One object, its members in the order of the call.
    var json: String {
        var text = #"{"time":"\#(timestamp)","level":"\#(level.rawValue)","message":"#
        appendQuoted(message, to: &text)
        for (name, value) in fields {
            text += ",\"\(name)\":"
            switch value {
            case .literal(let literal): text += literal
            case .text(let value): appendQuoted(value, to: &text)
            }
        }
        return text + "}\n"
    }

    /// Local time, the level in its colour, and the message. The fields are dim.
    func terminal(coloured: Bool) -> String {
        func paint(_ text: String, _ code: String) -> String {
            coloured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
        let word = level.rawValue + String(repeating: " ", count: 7 - level.rawValue.utf8.count)
        var text = "\(localTime) \(paint(word, level.colour)) "
        appendEscaped(message, quotes: false, to: &text)
        for (name, value) in fields { text += " " + paint("\(name)=\(bareOrQuoted(value))", "2") }
        return text + "\n"
    }

    private func bareOrQuoted(_ value: LoggedValue) -> String {
        switch value {
        case .literal(let literal): literal
        case .text(let text): bareOrQuoted(text)
        }
    }

    /// The value without quotes, unless a reader could misread a part of it.
    private func bareOrQuoted(_ value: String) -> String {
        let isPlain = value.unicodeScalars.allSatisfy { scalar in
            scalar != " " && scalar != "=" && scalar != "\"" && scalar != "\\" && !scalar.isTreacherous
        }
        guard value.isEmpty || !isPlain else { return value }
        var text = ""
        appendQuoted(value, to: &text)
        return text
    }

    /// A JSON string, which readers of logfmt (Go's `strconv.Unquote`) accept as well.
    private func appendQuoted(_ value: String, to text: inout String) {
        text += "\""
        appendEscaped(value, quotes: true, to: &text)
        text += "\""
    }

    private func appendEscaped(_ value: String, quotes: Bool, to text: inout String) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"" where quotes: text += "\\\""
            case "\\" where quotes: text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            // A character beyond \uFFFF would need two escapes, and Go can't read either half.
            case _ where scalar.isTreacherous:
                text += "\\u" + padded(min(Int(scalar.value), 0xFFFD), to: 4, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension LogLine {
    private var timestamp: String { Timestamp.text(Double(time) / 1_000) }

    private var localTime: String {
        var date = tm()
        var seconds = time / 1_000
        localtime_r(&seconds, &date)
        let (hour, minute, second) = (Int(date.tm_hour), Int(date.tm_min), Int(date.tm_sec))
        let milliseconds = padded(time % 1_000, to: 3)
        return "\(padded(hour, to: 2)):\(padded(minute, to: 2)):\(padded(second, to: 2)).\(milliseconds)"
    }

    private func padded(_ number: Int, to digits: Int, radix: Int = 10) -> String {
        let text = String(number, radix: radix)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

extension Log.Level {
    fileprivate var colour: String {
        switch self {
        case .debug: "2"
        case .info: "32"
        case .warning: "33"
        case .error: "1;31"
        }
    }
}
