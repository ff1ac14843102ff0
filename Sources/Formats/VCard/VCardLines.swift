/// Reads the lines of vCards one by one, unfolded: https://www.rfc-editor.org/rfc/rfc6350#section-3.2
struct VCardLines {
    private(set) var window: ByteWindow
    /// The number of the next physical line.
    private(set) var number = 1

    /// vCard 2.1 folds at a space, which is kept. Later versions fold anywhere and add a space, which is removed.
    var keepsSpaceOfFold = false

    init(_ window: ByteWindow) {
        self.window = window
    }

    /// The next line that is not blank. Nil at the end.
    mutating func next() throws -> VCardLine? {
        while try !window.isEmpty {
            var line = VCardLine(number: number, start: window.consumed)
            try read(into: &line)
            guard !line.isBlank else { continue }
            while try goesOn(&line) { try read(into: &line) }
            return line
        }
        return nil
    }

    /// One physical line.
    private mutating func read(into line: inout VCardLine) throws {
        while try !window.isEmpty {
            let offset = window.consumed
            let length = window.withBytes { bytes in
                let length = bytes.firstIndex { $0.isLineEnd } ?? bytes.count
                line.append(UnsafeBufferPointer(rebasing: bytes[..<length]), at: offset)
                return length
            }
            window.drop(length)
            if try window.dropLineEnd() {
                number += 1
                return
            }
        }
    }

    /// Returns whether the next physical line continues `line`.
    private mutating func goesOn(_ line: inout VCardLine) throws -> Bool {
        guard line.frame == nil, try !window.isEmpty else { return false }
        if line.isQuotedPrintable, line.endsInEqualsSign {
            // A program that forgot to write an equals sign as =3D must not lose the whole card.
            guard try !isFrameNext() else { return false }
            line.join()
            return true
        }
        let first = window.withBytes { $0[0] }
        guard first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") else { return false }
        window.drop(1)
        if keepsSpaceOfFold { line.appendSpace() }
        return true
    }

    private mutating func isFrameNext() throws -> Bool {
        while window.count < 11, try window.fill() {}
        let text = window.withBytes(upTo: 11) { String(decoding: $0, as: UTF8.self).uppercased() }
        return text == "BEGIN:VCARD" || text.hasPrefix("END:VCARD")
    }
}
