/// Texts, each once, by their numbers. The empty text has the number 0.
package struct TextTable: Sendable {
    private var bytes: [UInt8] = []
    /// Text n ends at `ends[n]` and begins where text n - 1 ends.
    private var ends: [UInt32] = [0]
    /// Numbers of texts by their hash, with linear probing; 0 is a free slot.
    private var slots = [UInt32](repeating: 0, count: 64)

    /// OpenStreetMap permits 255 characters.
    private static let mostBytes = 4 * 255

    package var count: Int { ends.count }

    package subscript(_ number: UInt32) -> String { String(decoding: bytes[place(of: number)], as: UTF8.self) }

    private func place(of number: UInt32) -> Range<Int> {
        let number = Int(number)
        return number == 0 ? 0..<0 : Int(ends[number - 1])..<Int(ends[number])
    }

    package mutating func number(of text: some StringProtocol) -> UInt32 {
        Array(text.utf8).withUnsafeBytes { number(of: $0) }
    }

    /// The number of a text, which is new or known. White space around it is removed. A text with control characters,
    /// or with more bytes than OpenStreetMap permits, is empty.
    mutating func number(of raw: UnsafeRawBufferPointer) -> UInt32 {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = raw.firstIndex(where: { !isSpace($0) }), let last = raw.lastIndex(where: { !isSpace($0) }),
            last - first < Self.mostBytes
        else { return 0 }
        let text = UnsafeRawBufferPointer(rebasing: raw[first...last])
        guard !text.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return 0 }
        var slot = hash(of: text) & (slots.count - 1)
        while slots[slot] != 0 {
            if bytes[place(of: slots[slot])].elementsEqual(text) { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        guard let end = UInt32(exactly: bytes.count + text.count) else { return 0 }
        bytes.append(contentsOf: text)
        ends.append(end)
        let number = UInt32(ends.count - 1)
        slots[slot] = number
        if ends.count > slots.count / 2 { grow() }
        return number
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for number in 1..<UInt32(ends.count) {
            var slot = bytes[place(of: number)].withUnsafeBytes { hash(of: $0) } & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = number
        }
    }

    /// The seed of the hash differs in each process, so a file can't be made to collide.
    private func hash(of text: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: text)
        return hasher.finalize()
    }
}
