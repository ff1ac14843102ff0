/// The texts that the cells of an Excel workbook have in common: one array of bytes, because a million texts as strings
/// would need several times as much memory.
final class SharedStrings: XMLHandler {
    private var bytes: [UInt8] = []
    /// The end of each text in ``bytes``.
    private var ends: [UInt32] = []
    private var isText = false
    private var isPhonetic = false

    /// `size` is that of the document. Memory is reserved, and used only as far as it is filled.
    init(size: Int) {
        bytes.reserveCapacity(min(size, 1 << 30))
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes, at range: Range<Int>) {
        if name.local == "t" { isText = !isPhonetic }
        // The pronunciation of Japanese texts: it is not a part of the text.
        if name.local == "rPh" { isPhonetic = true }
        if name.local == "sst" { ends.reserveCapacity(min(attributes.number("uniqueCount") ?? 0, bytes.capacity / 5)) }
    }

    func end(_ name: XMLName, at range: Range<Int>) {
        if name.local == "t" { isText = false }
        if name.local == "rPh" { isPhonetic = false }
        if name.local == "si" { ends.append(UInt32(bytes.count)) }
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) throws {
        guard isText else { return }
        guard bytes.count + text.count <= 1 << 30 else { throw XMLStream.Malformed() }
        bytes.append(contentsOf: text)
    }

    /// Blank for an index that the document lacks.
    subscript(index: Int) -> String {
        guard ends.indices.contains(index) else { return "" }
        let start = index == 0 ? 0 : Int(ends[index - 1])
        return bytes[start..<Int(ends[index])].unescaped
    }
}

extension ArraySlice<UInt8> {
    /// The text without escapes such as `_x000D_`, with which Excel writes control characters.
    var unescaped: String {
        guard contains(UInt8(ascii: "_")) else { return String(decoding: self, as: UTF8.self) }
        var (text, rest): ([UInt8], Self) = ([], self)
        while let first = rest.first {
            if rest.starts(with: "_x".utf8), rest.dropFirst(6).first == UInt8(ascii: "_"),
                let code = UInt32(String(decoding: rest.dropFirst(2).prefix(4), as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(code)
            {
                text += String(scalar).utf8
                rest.removeFirst(7)
            } else {
                text.append(first)
                rest.removeFirst()
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
