/// One event that is written as one line.
struct LogLine {
    /// Milliseconds since 1970.
    var time = 0
    var level: Log.Level
    var message: String
    var fields: [(name: String, value: LoggedValue)] = []

    /// Linux's `PIPE_BUF`: a longer line may be interleaved with one of another process on the same pipe.
    static let maximumBytes = 4_096

    /// The line with its newline, in at most ``maximumBytes``. Long texts are cut, the longest first, so that the line
    /// stays valid and can still be searched.
    func text(_ format: Log.Format, coloured: Bool) -> String {
        for limit in [Self.maximumBytes, 1_024, 256, 64] {
            let text = cut(to: limit).text(in: format, coloured: coloured)
            if text.utf8.count <= Self.maximumBytes { return text }
        }
        var bare = cut(to: 256)
        bare.fields = []
        return bare.text(in: format, coloured: coloured)
    }

    private func text(in format: Log.Format, coloured: Bool) -> String {
        switch format {
        case .automatic, .logfmt: logfmt
        case .json: json
        case .terminal: terminal(coloured: coloured)
        }
    }

    private func cut(to limit: Int) -> LogLine {
        var line = self
        line.message = message.cut(to: limit)
        line.fields = fields.map { name, value in
            guard case .text(let text) = value else { return (name, value) }
            return (name, .text(text.cut(to: limit)))
        }
        return line
    }
}

extension String {
    /// The text, or its first `limit` bytes and an ellipsis.
    fileprivate func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
        return self[..<end] + "…"
    }
}
