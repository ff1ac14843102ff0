extension String {
    /// True if the text can name a lane or a chain: one word of small letters, digits, `-` and `_`.
    package var isName: Bool {
        (1...60).contains(utf8.count)
            && utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_".utf8.contains(byte)
            }
    }
}
