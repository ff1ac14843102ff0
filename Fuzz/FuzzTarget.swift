import Formats

/// A reader that must neither crash nor hang on any bytes, and must give the same result for any split.
struct FuzzTarget: Sendable {
    let name: String
    /// The inputs to begin with.
    let seeds: [String]
    /// Stops the process at an error.
    let run: @Sendable ([UInt8]) -> Void

    static let all = [
        csv, vCard, json, geoJSON, ndjson, monica, workbook, copy, export, framing, multipart, extract, gateway,
    ]
}

extension FuzzTarget {
    static let csv = FuzzTarget(
        name: "csv",
        seeds: [
            "name,street,city,lat,lng\nAda,\"1 High St\r\nFlat 2\",Ely,52.4,0.26\n",
            "sep=;\r\nName;Straße;Ort\r\n\"Zoë \"\"Zo\"\"\";Weg 1;Köln\r\n",
            "\u{FEFF}id|Home City|Other City\n1|Ely|Hull",
            "First Name,Address 1 - Label,Address 1 - Street\nAda,Home ::: Old,1 High St ::: 2 Low Rd\n",
        ],
        run: { bytes in
            compareChunks(bytes) { size, options in
                let reader = CSVReader(bytes, chunkSize: size, encoding: options.encoding)
                return try? ContactsCSV(reader, options: options)
            }
        })

    static let vCard = FuzzTarget(
        name: "vcard",
        seeds: [
            """
            BEGIN:VCARD\r
            VERSION:4.0\r
            UID:1\r
            FN:Ada\r
            ADR;GEO="geo:52.4,0.26";TYPE=home:;;1 High\r
              St;Ely;;;\r
            END:VCARD\r
            """,
            """
            BEGIN:VCARD
            VERSION:2.1
            N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=
            =6C;Z
            AGENT:
            BEGIN:VCARD
            END:VCARD
            ADR;HOME:;;a;b;;;
            GEO:1,2
            END:VCARD
            """,
            """
            BEGIN:VCARD
            VERSION:3.0
            N:B;A;;;
            item1.ADR:;;a\\;b\\nc;d;;;
            item1.X-ABLabel:_$!<Home>!$_
            item1.GEO:1;2
            LABEL;TYPE=work:x
            PHOTO;ENCODING=b:AAAA
             BBBB
            END:VCARD
            """,
        ],
        run: { bytes in
            compareChunks(bytes) { size, options in ContactsVCard(bytes, chunkSize: size, options: options) }
        })
}

/// Reads with chunks of several sizes, in an encoding that depends on the length, and compares the results.
private func compareChunks(_ bytes: [UInt8], reader: (Int, ReadingOptions) -> (any ContactReader)?) {
    var options = ReadingOptions()
    options.encoding = TextEncoding.allCases[bytes.count / 2 % TextEncoding.allCases.count]
    options.country = bytes.count % 2 == 0 ? "" : "FI"
    // The buffer is small, because allocating takes longer than reading.
    let whole = entries(of: reader(4 << 10, options))
    for size in [1, 7] {
        let pieces = entries(of: reader(size, options))
        if pieces != whole { fatalError("chunks of \(size) bytes give other entries") }
    }
}

/// Nil where the reader refuses the file.
private func entries(of reader: (any ContactReader)?) -> [ContactEntry]? {
    guard var reader else { return nil }
    var entries: [ContactEntry] = []
    while let entry = try? reader.next() { entries.append(entry) }
    return entries
}
