/// A part of a sheet's document.
struct SheetBytes {
    /// The position of the first byte in the document.
    let start: Int
    let bytes: [UInt8]

    /// The bytes of a range of the document, as far as they are here.
    subscript(range: Range<Int>) -> ArraySlice<UInt8> {
        let end = min(bytes.count, max(0, range.upperBound - start))
        return bytes[min(end, max(0, range.lowerBound - start))..<end]
    }

    func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }

    /// The prefix of a tag's name with its colon, or blank: `x:` for `<x:row r="1">`
    func prefix(of tag: Range<Int>) -> String {
        let name = text(tag).dropFirst().prefix { !$0.isWhitespace && $0 != "/" && $0 != ">" }
        return name.firstIndex(of: ":").map { String(name[...$0]) } ?? ""
    }

    /// The value of an attribute in a tag, as it is written, and its place.
    func attribute(_ name: String, in tag: Range<Int>) -> (range: Range<Int>, text: String)? {
        var rest = self[tag].drop { !$0.isSpace }
        while case let word = rest.drop(while: \.isSpace), let equals = word.firstIndex(of: UInt8(ascii: "=")) {
            let value = word[equals...].dropFirst().drop(while: \.isSpace)
            guard let quote = value.first, let end = value.dropFirst().firstIndex(of: quote) else { return nil }
            if word[..<equals].prefix(while: { !$0.isSpace }).elementsEqual(name.utf8) {
                let content = value[..<end].dropFirst()
                let range = (start + content.startIndex)..<(start + content.endIndex)
                return (range, String(decoding: content, as: UTF8.self))
            }
            rest = value[end...].dropFirst()
        }
        return nil
    }

    /// The bytes with the changes, which come in their order and don't overlap.
    func changed(by edits: [SheetEdit]) -> [UInt8] {
        var changed: [UInt8] = []
        var position = start
        for edit in edits {
            changed += self[position..<max(position, edit.range.lowerBound)]
            changed += edit.text.utf8
            position = max(position, edit.range.upperBound)
        }
        return changed + self[position..<max(position, start + bytes.count)]
    }
}

/// A new text for a range of a document.
struct SheetEdit {
    let range: Range<Int>
    let text: String
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }
}
