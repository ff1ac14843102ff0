/// Converts text to a form in which spellings with the same meaning are equal.
///
/// Both forms are idempotent and depend only on the text: not on the locale, not on the machine. The exception are
/// letters that Unicode has not assigned yet.
public enum Folding {
    /// The form that address hashes are made of. It drops differences that do not change a place, and nothing else.
    ///
    /// - Unicode form (NFKC) and case: `ＳＴＲＡẞＥ`, `straße` and `Strasse` become `strasse`, `ς` is `σ`, `ı` and `İ` are
    ///   `i`. Diacritics stay: in many languages they make different letters.
    /// - Punctuation, white space and control characters become a space; several become one; none stays at the ends.
    /// - `-`, `/`, `'` and `&` stay, because they distinguish `1-2` from `12` and `5/1` from `51`. Every dash becomes
    ///   `-`, every apostrophe and prime `'`. Symbols stay too.
    /// - Raised numbers stay separate: `92²` becomes `92^2`, and `5½` becomes `5 1/2`.
    /// - Digits of any script become `0` to `9`.
    /// - Invisible characters are removed: soft hyphens, zero-width and bidirectional marks, variation selectors.
    public static func canonical(_ text: String) -> String {
        var folded: [UInt8] = []
        canonical(text, into: &folded)
        return String(decoding: folded, as: UTF8.self)
    }

    /// A key for finding place names, for people who leave out accents: `Saint-Étienne` and `saint etienne`, `Łódź` and
    /// `lodz`.
    ///
    /// The canonical form without diacritics and apostrophes, and with a space for `-` and `/`.
    public static func loose(_ text: String) -> String {
        var folded: [UInt8] = []
        FoldingTable.loose.fold(text, into: &folded)
        return String(decoding: folded, as: UTF8.self)
    }

    /// Appends the loose form of `utf8` to `folded`, without making a string of either.
    public static func loose(_ utf8: UnsafeBufferPointer<UInt8>, into folded: inout [UInt8]) {
        FoldingTable.loose.fold(utf8, into: &folded)
    }

    /// Appends the canonical form of `text` to `folded`.
    static func canonical(_ text: String, into folded: inout [UInt8]) {
        FoldingTable.canonical.fold(text, into: &folded)
    }
}
