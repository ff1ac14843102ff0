extension String {
    /// How many columns of a terminal the text fills.
    package var columns: Int {
        reduce(0) { $0 + $1.columns }
    }

    /// The longest beginning that fits, ending in … if it was cut.
    func truncated(to width: Int) -> String {
        guard columns > width else { return self }
        guard width > 0 else { return "" }
        var room = width - 1
        let kept = prefix { character in
            room -= character.columns
            return room >= 0
        }
        return kept + "…"
    }

    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - columns, 0))
    }
}

extension Character {
    /// 2 for wide East Asian characters and emoji, 0 for characters without a width of their own, otherwise 1:
    /// https://www.unicode.org/reports/tr11/
    var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        let isEmoji = first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}")
        return isEmoji || Self.wide.contains { $0.contains(first.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul Jamo that begin a syllable
        0x2E80...0x303E,  // radicals, CJK punctuation
        0x3041...0xA4CF,  // kana, CJK, Yi
        0xA960...0xA97C,  // more Hangul Jamo
        0xAC00...0xD7A3,  // Hangul syllables
        0xF900...0xFAFF,  // CJK compatibility
        0xFE30...0xFE6F,  // vertical and small forms
        0xFF01...0xFF60, 0xFFE0...0xFFE6,  // full-width forms
        0x1F300...0x1F64F, 0x1F900...0x1F9FF,  // pictographs
        0x20000...0x3FFFD,  // rare CJK
    ]
}
