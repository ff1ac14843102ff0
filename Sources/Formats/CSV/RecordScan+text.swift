import Glibc

/// The reason why bytes are not a valid text.
struct UnreadableText: Error {
    let reason: String
}

extension UnsafeBufferPointer<UInt8> {
    /// The text of a field, created as one string without copies in between.
    func text(of field: RecordScan.Field) throws(UnreadableText) -> String {
        let bytes = UnsafeBufferPointer(rebasing: self[field.range])
        if let start = bytes.baseAddress, memchr(start, 0, bytes.count) != nil {
            throw UnreadableText(reason: "there is a NUL byte in it")
        }
        let text =
            field.isEscaped
            ? String(validating: bytes.withoutDoubledQuotes(), as: UTF8.self)
            : String(validating: bytes, as: UTF8.self)
        guard let text else {
            throw UnreadableText(
                reason: "it is not valid UTF-8; if the file is Windows-1252, use --encoding windows-1252")
        }
        return text
    }

    private func withoutDoubledQuotes() -> [UInt8] {
        var single: [UInt8] = []
        single.reserveCapacity(count)
        var position = 0
        while position < count {
            single.append(self[position])
            position += self[position] == .quote ? 2 : 1
        }
        return single
    }
}
