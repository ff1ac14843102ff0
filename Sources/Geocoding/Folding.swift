/// Writes text in the one form in which spellings that mean the same are equal.
///
/// Both forms are idempotent and depend on nothing but the text: no locale, no machine. Letters that Unicode has yet
/// to assign are the exception.
public enum Folding {
    /// The form that address hashes are made of. It drops what does not change a place, and nothing else.
    ///
    /// - Unicode form (NFKC) and case: `ＳＴＲＡẞＥ`, `straße` and `Strasse` become `strasse`, `ς` is `σ`, `ı` and `İ`
    ///   are `i`. Diacritics stay: they are other letters in many languages.
    /// - Punctuation, white space and control characters become a space, runs of them one, none at the ends.
    /// - `-`, `/`, `'` and `&` stay, for they tell `1-2` from `12` and `5/1` from `51`. Every dash becomes `-`, every
    ///   apostrophe and prime `'`. Symbols stay too.
    /// - Raised numbers keep their distance: `92²` becomes `92^2`, and `5½` `5 1/2`.
    /// - Digits of any script become `0` to `9`.
    /// - What is invisible goes: soft hyphens, zero-width and bidirectional marks, variation selectors.
    public static func canonical(_ text: String) -> String {
        var folded: [UInt8] = []
        canonical(text, into: &folded)
        return String(decoding: folded, as: UTF8.self)
    }

    /// A key to find place names by, for people who leave out accents: `Saint-Étienne` and `saint etienne`, `Łódź` and
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
