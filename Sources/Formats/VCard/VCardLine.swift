/// An unfolded line of a vCard, cut to the part that is needed.
struct VCardLine {
    /// The physical line on which it starts.
    let number: Int
    /// The offset in the source where it starts.
    let start: Int
    /// The offset in the source where the name of the property ends.
    private(set) var nameEnd: Int?
    private(set) var bytes: [UInt8] = []
    /// True if the last physical line ended with the equals sign of quoted-printable's soft line break.
    private(set) var endsInEqualsSign = false
    /// True if the line was longer than the part that was kept.
    private(set) var isCut = false
    private(set) var isQuotedPrintable = false
    private var hasValue = false
    private var isWanted = false

    /// How much is kept of a line that is not needed, which is enough for its name and encoding. A photo may be larger
    /// than the rest of the file.
    private static let beginning = 1 << 10
    static let longest = 256 << 10

    init(number: Int, start: Int) {
        self.number = number
        self.start = start
    }

    /// Adds the bytes at `offset` of the source.
    mutating func append(_ more: UnsafeBufferPointer<UInt8>, at offset: Int) {
        if let last = more.last { endsInEqualsSign = last == UInt8(ascii: "=") }
        if nameEnd == nil, let place = more.firstIndex(where: { $0 == .colon || $0 == .semicolon }) {
            nameEnd = offset + place
            bytes += more[..<place]
            isWanted = VCardProperty.Name(bytes).isWanted
            bytes += more[place...].prefix(room)
        } else {
            bytes += more.prefix(room)
        }
        isCut = isCut || more.count > 0 && bytes.count >= (isWanted ? Self.longest : Self.beginning)
        if !hasValue, nameEnd != nil, let colon = bytes.firstIndex(of: .colon) {
            hasValue = true
            let header = String(decoding: bytes[..<colon], as: UTF8.self).uppercased()
            isQuotedPrintable = header.contains("QUOTED-PRINTABLE")
        }
    }

    private var room: Int { max(0, (isWanted ? Self.longest : Self.beginning) - bytes.count) }

    /// Removes the equals sign of a soft line break.
    mutating func join() {
        if !isCut { bytes.removeLast() }
        endsInEqualsSign = false
    }

    mutating func appendSpace() {
        if !isCut { bytes.append(UInt8(ascii: " ")) }
    }

    /// `BEGIN:VCARD` or `END:VCARD`, in upper case; nil for any other line.
    var frame: String? {
        guard bytes.count < 64 else { return nil }
        var text = String(decoding: bytes, as: UTF8.self).uppercased().filter { !$0.isWhitespace }
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        return text == "BEGIN:VCARD" || text == "END:VCARD" ? text : nil
    }

    var isBlank: Bool { bytes.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
}

extension UInt8 {
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let comma = UInt8(ascii: ",")
    static let backslash = UInt8(ascii: "\\")
}
