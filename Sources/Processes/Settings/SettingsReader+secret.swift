import Glibc

extension SettingsReader {
    /// The text of a secret: from the variable `name`, or from the file whose path is in the variable `name_FILE`.
    ///
    /// Each secret is read by this function. So each may come from a file, as with Compose, Kubernetes and systemd.
    /// White space around the text in the file is removed. An empty file counts as not set.
    package mutating func secret(_ name: String) -> String? {
        let file = "\(name)_FILE"
        let (text, path) = (optionalText(name), optionalText(file))
        guard let path else { return text }
        if text != nil {
            mistake("\(name) and \(file) are both set; keep one of them")
            return nil
        }
        guard let text = Self.text(of: path) else {
            mistake("\(file) is \(path.debugDescription), which can't be read as a text file of up to 64 KiB")
            return nil
        }
        guard !text.isEmpty else { return nil }
        given.insert(name)
        return text
    }

    /// The text of a file of up to 64 KiB, without white space around it. Nil if it can't be read as text.
    package static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return text(in: descriptor)
    }

    /// The same of an open file, pipe or socket.
    package static func text(in descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        while bytes.count <= 65_536 {
            var piece = [UInt8](repeating: 0, count: 4_096)
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return String(validating: bytes, as: UTF8.self)?.trimmed }
            bytes += piece[..<count]
        }
        return nil
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...].drop(while: \.isWhitespace)
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }
}
