/// Texts that often break writers.
let oddTexts = [
    "👩‍👩‍👧 Zoë e\u{301}", "שלום עולם", "\u{202E}عنوان\u{202C}", "a \"quoted\" 'name'", "<b>&amp;</b> ]]>", "C:\\new\\table",
    " spaces at both ends ", "two\nlines", "carriage\rreturn", "both\r\nof them", "a,b;c\td", "\u{2028}and\u{2029}",
    String(repeating: "Długa ", count: 1_667).prefix(10_000).description,
]

/// All control characters except NUL, which no stored text contains, and except the three that XML permits.
let controls = String(
    String.UnicodeScalarView((1..<32).filter { ![9, 10, 13].contains($0) }.compactMap(Unicode.Scalar.init)))
