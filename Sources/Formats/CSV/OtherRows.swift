import Geocoding

/// Recognizes rows that are not contacts, and values that a spreadsheet has changed.
enum OtherRows {
    /// True for a row with a sum: `Summe`, `Total 2026`, `Berlin Ergebnis`. No other cell of it has a letter.
    static func isTotal(_ fields: [String]) -> Bool {
        var only: String?
        for field in fields where field.utf8.contains(where: { $0 | 0x20 >= 0x61 }) {
            guard only == nil else { return false }
            only = field
        }
        guard let text = only, text.utf8.count < 100 else { return false }
        let words = Folding.loose(text).split { !$0.isLetter && !$0.isNumber && $0 != "\"" }
            .map(String.init).filter { $0.contains(where: \.isLetter) }
        return (1...3).contains { count in
            words.count >= count
                && (ColumnWords.totals.contains(ContactField.key(words.prefix(count).joined()))
                    || ColumnWords.totals.contains(ContactField.key(words.suffix(count).joined())))
        }
    }

    /// True for `3-May`, `03. Mai`, `Mai 03`, `3/5/2026` and `2026-05-03`: a spreadsheet makes them of the house number
    /// `3-5`.
    static func isDate(_ text: String) -> Bool {
        guard text.utf8.count > 3, text.utf8.count < 25 else { return false }
        let day = text.prefix { $0 != "T" }
        let parts = day.split { !$0.isLetter && !$0.isNumber }.map { ContactField.key(String($0)) }
        let numbers = parts.compactMap { Int($0) }
        if parts.count == 3, numbers.count == 3 {
            return numbers.contains { 1_900...2_100 ~= $0 } && numbers.count { 1...31 ~= $0 } == 2
        }
        return parts.count < 4 && parts.count == numbers.count + 1 && !numbers.isEmpty
            && parts.contains { ColumnWords.months.contains($0) }
    }
}

extension ContactColumns {
    /// The reason why a row is not a contact, although it can be read; nil for a contact.
    func reasonAgainst(_ fields: [String]) -> String? {
        guard !isExport else { return nil }
        if isHeader(fields) { return "it is not a contact: it repeats the header" }
        return OtherRows.isTotal(fields) ? "it is not a contact: it is a sum of other rows" : nil
    }

    /// True if the columns of an address have their names again, as below a page break.
    private func isHeader(_ fields: [String]) -> Bool {
        var count = 0
        for address in addresses {
            for column in address.columns.values.joined() where column < fields.count && !fields[column].isEmpty {
                guard fields[column].utf8.count < 200, ContactField.key(fields[column]) == keys[column]
                else { return false }
                count += 1
            }
        }
        return count > 0
    }
}
