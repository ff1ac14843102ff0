extension String {
    /// Lines of at most `width` columns.
    ///
    /// Lines that follow each other are one paragraph. An empty line stays, and so does an indented one:
    /// that is an example.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        var isOpen = false
        for source in split(separator: "\n", omittingEmptySubsequences: false) {
            guard !source.isEmpty, !source.hasPrefix(" ") else {
                lines.append(String(source))
                isOpen = false
                continue
            }
            for word in source.split(separator: " ") {
                if isOpen, let last = lines.last, last.columns + 1 + String(word).columns <= width {
                    lines[lines.count - 1] += " \(word)"
                } else {
                    lines.append(String(word))
                }
                isOpen = true
            }
        }
        return lines
    }
}
