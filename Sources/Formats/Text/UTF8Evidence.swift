/// Estimates whether bytes of unknown encoding are UTF-8.
///
/// Letters of Windows-1252 very rarely form a valid UTF-8 sequence by chance.
struct UTF8Evidence {
    private var good = 0
    private var bad = 0

    var isUTF8: Bool { good >= bad }

    /// An incomplete sequence at the end is ignored, unless `isWhole` means that no more bytes follow.
    init(_ bytes: some Collection<UInt8>, isWhole: Bool) {
        var rest = bytes[...]
        while let lead = rest.first {
            let length = Self.length(lead)
            guard length != 1 else {
                rest = rest.dropFirst()
                continue
            }
            let tail = rest.dropFirst().prefix(max(0, length - 1)).prefix { $0 & 0xC0 == 0x80 }
            if length > 1, tail.count == length - 1 {
                good += 1
                rest = rest.dropFirst(length)
            } else {
                if !isWhole, length > 1, tail.count + 1 == rest.count { return }
                bad += 1
                rest = rest.dropFirst()
            }
        }
    }

    /// The length of a sequence with this first byte; 0 if it can't be a first byte.
    private static func length(_ lead: UInt8) -> Int {
        switch lead {
        case 0..<0x80: 1
        case 0xC2..<0xE0: 2
        case 0xE0..<0xF0: 3
        case 0xF0..<0xF5: 4
        default: 0
        }
    }
}
