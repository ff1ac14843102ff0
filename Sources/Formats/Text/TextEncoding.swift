/// The encoding of a text file, by its name in help and messages.
package struct TextEncoding: RawRepresentable, Hashable, Sendable, CaseIterable {
    package let rawValue: String
    /// The name for iconv; blank for `automatic`.
    let converter: String

    private init(_ name: String, _ converter: String) {
        (rawValue, self.converter) = (name, converter)
    }

    /// Nil if no encoding has this name.
    package init?(rawValue: String) {
        let name = rawValue.lowercased()
        guard let encoding = Self.allCases.first(where: { $0.rawValue == name }) ?? Self.aliases[name] else {
            return nil
        }
        self = encoding
    }

    /// UTF-16 if there is its byte order mark, else UTF-8 if the bytes are valid, else an ``EncodingGuess``.
    package static let automatic = Self("automatic", "")
    package static let utf8 = Self("utf-8", "UTF-8")
    package static let utf16 = Self("utf-16", "UTF-16LE")
    static let utf16BigEndian = Self("utf-16be", "UTF-16BE")
    package static let windows1252 = Self("windows-1252", "CP1252")

    package static let allCases = [automatic, utf8, utf16, utf16BigEndian] + oneByte + twoBytes

    /// In the order in which they are preferred if the letters of a file fit several: those of Windows, then those of
    /// Unix, macOS and MS-DOS. ISO 8859-1 is read as Windows-1252, as in browsers: https://encoding.spec.whatwg.org
    static let oneByte =
        [
            windows1252, Self("windows-1250", "CP1250"), Self("windows-1251", "CP1251"), Self("windows-1253", "CP1253"),
            Self("windows-1254", "CP1254"), Self("windows-1257", "CP1257"), Self("windows-1255", "CP1255"),
            Self("windows-1256", "CP1256"), Self("windows-1258", "CP1258"),
        ] + [2, 15, 13, 9, 7, 5, 6, 8, 3, 4, 10, 14, 16].map { Self("iso-8859-\($0)", "ISO-8859-\($0)") }
        + [
            Self("koi8-u", "KOI8-U"), Self("koi8-r", "KOI8-R"), Self("macintosh", "MACINTOSH"),
            Self("x-mac-ce", "MAC-CENTRALEUROPE"), Self("x-mac-cyrillic", "MAC-CYRILLIC"), Self("ibm850", "IBM850"),
            Self("ibm852", "IBM852"), Self("ibm866", "IBM866"), Self("ibm437", "IBM437"), Self("ibm865", "IBM865"),
            Self("windows-874", "CP874"),
        ]

    /// Programs on Windows use the larger sets of characters behind these names.
    static let twoBytes = [
        Self("shift_jis", "CP932"), Self("euc-kr", "CP949"), Self("gb18030", "GB18030"), Self("big5", "BIG5-HKSCS"),
        Self("euc-jp", "EUC-JP"),
    ]

    private static let aliases = Dictionary(
        [
            ("utf8", "utf-8"), ("us-ascii", "utf-8"), ("ascii", "utf-8"), ("iso-8859-1", "windows-1252"),
            ("iso8859-1", "windows-1252"), ("latin1", "windows-1252"), ("cp1252", "windows-1252"),
            ("gbk", "gb18030"), ("gb2312", "gb18030"), ("ks_c_5601-1987", "euc-kr"), ("mac-roman", "macintosh"),
        ].map { alias, name in (alias, allCases.first { $0.rawValue == name } ?? automatic) },
        uniquingKeysWith: { first, _ in first })
}

extension TextEncoding {
    /// The text of bytes that are whole characters. A bad byte becomes U+FFFD.
    func text(of bytes: some Collection<UInt8>) -> String {
        var conversion = TextConversion(from: self)
        return String(decoding: conversion.convert(bytes, isLast: true), as: UTF8.self)
    }
}
