extension String {
    /// Lines of at most `width` columns.
    ///
    /// Consecutive lines form one paragraph. Empty lines and indented lines, which are examples, stay unchanged.
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
