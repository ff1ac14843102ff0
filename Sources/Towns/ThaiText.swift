/// Text in Thai letters, in which the words for parts of an address stand before their names without a space.
enum ThaiText {
    /// The text with a comma before each of these words, and without the words for a province and a district.
    static func apart(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { (0x0E00...0x0E7F).contains($0.value) }) else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            for (mark, kept) in marks where word.hasPrefix(mark) && word.count > mark.count + 1 {
                return ", " + kept + word.dropFirst(mark.count)
            }
            return marks.contains { $0.mark == word } ? "," : String(word)
        }.joined(separator: " ")
    }

    /// The words, and what is left of them: the capital of a province has only its province's name.
    private static let marks: [(mark: String, kept: String)] = [
        ("อำเภอเมือง", ""), ("อ.เมือง", ""), ("จังหวัด", ""), ("จ.", ""), ("อำเภอ", ""), ("อ.", ""), ("กิ่งอำเภอ", ""),
        ("เขต", ""), ("แขวง", "แขวง"), ("ตำบล", "ตำบล"), ("ต.", "ตำบล"),
    ]
}
