import Contacts

/// A parser that must neither crash nor hang, whatever the bytes, and say the same however they come.
struct FuzzTarget: Sendable {
    let name: String
    /// What to begin with.
    let seeds: [String]
    /// Stops the process where something is wrong.
    let run: @Sendable ([UInt8]) -> Void

    static let all = [csv, vCard]

    static let csv = FuzzTarget(
        name: "csv",
        seeds: [
            "name,street,city,lat,lng\nAda,\"1 High St\r\nFlat 2\",Ely,52.4,0.26\n",
            "sep=;\r\nName;Straße;Ort\r\n\"Zoë \"\"Zo\"\"\";Weg 1;Köln\r\n",
            "\u{FEFF}id|Home City|Other City\n1|Ely|Hull",
            "First Name,Address 1 - Label,Address 1 - Street\nAda,Home ::: Old,1 High St ::: 2 Low Rd\n",
        ]
    ) { bytes in
        sameForAnyChunks {
            ReadingOptions.fuzzed(bytes, $0)
        } entries: { options, chunkSize in
            entries(
                try ContactsCSV(CSVReader(bytes, chunkSize: chunkSize, encoding: options.encoding), options: options))
        }
    }

    static let vCard = FuzzTarget(
        name: "vcard",
        seeds: [
            "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:1\r\nFN:Ada\r\nADR;GEO=\"geo:52.4,0.26\";TYPE=home:;;1 High\r\n  St;Ely;;;\r\nEND:VCARD\r\n",
            "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=\n=6C;Z\nADR;HOME:;;a;b;;;\nGEO:1,2\nEND:VCARD\n",
            "BEGIN:VCARD\nVERSION:3.0\nN:B;A;;;\nitem1.ADR:;;a\\;b\\nc;d;;;\nitem1.X-ABLabel:_$!<Home>!$_\nitem1.GEO:1;2\nPHOTO;ENCODING=b:AAAA\n BBBB\nEND:VCARD\n",
        ]
    ) { bytes in
        sameForAnyChunks {
            ReadingOptions.fuzzed(bytes, $0)
        } entries: { options, chunkSize in
            entries(ContactsVCard(bytes, chunkSize: chunkSize, options: options))
        }
    }
}

extension ReadingOptions {
    fileprivate static func fuzzed(_ bytes: [UInt8], _ encoding: TextEncoding) -> Self {
        var options = ReadingOptions()
        options.encoding = encoding
        options.country = bytes.count % 2 == 0 ? "" : "FI"
        return options
    }
}

/// Reads in every encoding with chunks of several sizes, and compares.
private func sameForAnyChunks(
    options: (TextEncoding) -> ReadingOptions, entries: (ReadingOptions, Int) throws -> [ContactEntry]
) {
    for encoding in TextEncoding.allCases {
        let options = options(encoding)
        let whole = try? entries(options, 256 << 10)
        for chunkSize in [1, 7] where (try? entries(options, chunkSize)) != whole {
            fatalError("chunks of \(chunkSize) bytes give other entries in \(encoding)")
        }
    }
}

private func entries(_ reader: consuming any ContactReader) -> [ContactEntry] {
    var reader = reader
    var entries: [ContactEntry] = []
    while let entry = try? reader.next() { entries.append(entry) }
    return entries
}
