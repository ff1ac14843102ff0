import Geocoding
import Testing

@testable import Formats

struct ContactsVCardTests {
    @Test func `a broken card is refused by its line, and the next one is read`() throws {
        let entries = try cards(
            """
            BEGIN:VCARD
            FN:Ada
            BEGIN:VCARD
            FN:Bob
            END:VCARD
            what is this?
            and this: no card
            begin:vcard
            ADR:;;1 High St
            Ely;;;
            end:vcard
            BEGIN:VCARD
            N;CHARSET=UTF-7:x
            END:VCARD
            BEGIN:VCARD
            NOTE:x
            END:VCARD
            BEGIN:VCARD
            FN:Cy
            """)

        #expect(
            entries == [
                .refused(line: 1, reason: "it has no END:VCARD"),
                .contact(line: 3, Friend(sourceKey: "name:bob#1", name: "Bob", addresses: [])),
                .refused(line: 6, reason: "it stands outside of BEGIN:VCARD and END:VCARD"),
                .refused(line: 8, reason: "line 10 of it has no colon; it may be the rest of the ADR before it"),
                .refused(line: 12, reason: "its N is in an unknown charset"),
                .refused(line: 15, reason: "it has neither a name nor an address"),
                .refused(line: 18, reason: "it has no END:VCARD"),
            ])
    }

    @Test func `a file without a card is an error`() {
        let error = #expect(throws: FileError.self) { try entries(ContactsVCard([])) }

        #expect(error?.description == "bytes: has no line BEGIN:VCARD; it is not a file of vCards")
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `any line ending is accepted, and lines are unfolded`(lineEnd: String) throws {
        let text = "BEGIN:VCARD\nVERSION:3.0\nFN:A\n d\n\ta\n\nADR;TYPE=ho\n me:;;1 Hi\n gh St;Ely;;;\nEND:VCARD\n"
        let friend = try card(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineEnd))

        #expect(friend.name == "Ada")
        #expect(
            friend.addresses == [LabelledAddress(label: "home", address: Address(street: "1 High St", city: "Ely"))])
    }

    @Test func `a folded line of version 2.1 keeps its space`() throws {
        #expect(try card("BEGIN:VCARD\nVERSION:2.1\nFN:Ada\n Byron\nEND:VCARD").name == "Ada Byron")
    }

    @Test func `a card with a photo of many megabytes is read`() throws {
        let line = String(repeating: "QUJD", count: 1 << 19)
        for photo in ["PHOTO;ENCODING=b:\(line)", "PHOTO;BASE64:\n\(line)\n\(line)\n", "NOTE:\(line)\n \(line)"] {
            let friend = try card("BEGIN:VCARD\nFN:Ada\n\(photo)\nADR:;;1 High St;Ely;;;\nEND:VCARD")

            #expect(friend.addresses.count == 1)
        }
    }

    @Test func `an address of many megabytes is refused and not kept in memory`() throws {
        let long = String(repeating: "x", count: 1 << 19)

        #expect(
            try cards("BEGIN:VCARD\nFN:Ada\nADR:;;\(long)\nEND:VCARD\nBEGIN:VCARD\nFN:Bob\nEND:VCARD") == [
                .refused(line: 1, reason: "its ADR is longer than 256 KiB"),
                .contact(line: 5, Friend(sourceKey: "name:bob#1", name: "Bob", addresses: [])),
            ])
        let many = String(repeating: "FN:\(long.prefix(200_000))\n", count: 6)
        #expect(
            try cards("BEGIN:VCARD\n\(many)END:VCARD")
                == [.refused(line: 1, reason: "it has more than 1 MiB of names and addresses")])
    }

    @Test(arguments: [
        ("", "ADR;TYPE=home:;;a;;;;\nGEO:1;2", [Coordinate(latitude: 1, longitude: 2)], []),
        ("4.0", "ADR;GEO=\"geo:1,2\":;;a;;;;\nGEO:geo:3,4", [Coordinate(latitude: 1, longitude: 2)], []),
        ("", "ADR:;;a;;;;\nitem1.ADR:;;b;;;;\nITEM1.GEO:1;2", [nil, Coordinate(latitude: 1, longitude: 2)], []),
        ("", "ADR:;;a;;;;\nADR;PREF:;;b;;;;\nGEO:1;2", [nil, Coordinate(latitude: 1, longitude: 2)], []),
        (
            "4.0", "ADR;PREF=2:;;a;;;;\nADR;PREF=1:;;b;;;;\nGEO:geo:1,2", [nil, Coordinate(latitude: 1, longitude: 2)],
            []
        ),
        (
            "", "ADR;HOME:;;a;;;;\nADR;WORK:;;b;;;;\nGEO;TYPE=work:1;2", [nil, Coordinate(latitude: 1, longitude: 2)],
            []
        ),
        ("", "ADR:;;a;;;;\nADR:;;b;;;;\nGEO:1;2", [nil, nil], ["its GEO does not say to which address it belongs"]),
        ("", "GEO:1;2", [], ["its GEO has no address"]),
        ("", "ADR:;;a;;;;\nGEO:91;2", [nil], ["its GEO is not a coordinate"]),
        ("4.0", "ADR;GEO=\"geo:x,2\":;;a;;;;", [nil], ["the GEO of its ADR is not a coordinate"]),
    ])
    func `a position belongs to its address`(
        version: String, lines: String, positions: [Coordinate?], notes: [String]
    ) throws {
        let entries = try cards("BEGIN:VCARD\nVERSION:\(version)\nFN:Ada\n\(lines)\nEND:VCARD")

        #expect(entries.friends[0].addresses.map(\.position) == positions)
        #expect(entries.dropFirst() == notes.map { .noted(line: 1, reason: $0) }[...])
    }

    @Test(arguments: [
        ("geo:37.38,-122.08", "4.0"), ("geo:37.38\\,-122.08", "4.0"), ("GEO:37.38,-122.08,12;u=3", "3.0"),
        ("37.38;-122.08", "3.0"), ("37.38\\;-122.08", "3.0"), ("37.38;-122.08", "2.1"), ("-122.08,37.38", "2.1"),
        (" 37.38 , -122.08 ", "3.0"),
    ])
    func `a coordinate is read in all its spellings`(text: String, version: String) {
        #expect(
            VCardPosition.coordinate(text, version: version) == Coordinate(latitude: 37.38, longitude: -122.08))
    }

    @Test func `values are unescaped after they are split`() throws {
        let friend = try card(#"BEGIN:VCARD\#nFN:A\\nda\, \;B\#nADR:;;1\;2\n3,4\, 5;E\\;;;\#nEND:VCARD"#)

        #expect(friend.name == #"A\nda, ;B"#)
        #expect(friend.addresses[0].address == Address(street: "1;2\n3, 4, 5", city: "E\\"))
    }

    @Test func `a missing country is filled in where there is an address`() throws {
        var options = ReadingOptions()
        options.country = "FI"
        let text = "BEGIN:VCARD\nFN:A\nADR:;;;Turku;;;\nADR:;;;;;;\nADR:;;;;;20100;\nADR:;;;Ely;;;UK\nEND:VCARD"
        let friend = try #require(entries(ContactsVCard(Array(text.utf8), options: options)).friends.first)

        #expect(friend.addresses.map(\.address.country) == ["FI", "FI", "UK"])
    }

    @Test func `bytes that are not UTF-8 are Windows-1252 unless an option names the encoding`() throws {
        let bytes = Array("BEGIN:VCARD\nFN:Zo".utf8) + [0xEB] + Array("\nEND:VCARD".utf8)
        var options = ReadingOptions()

        #expect(try entries(ContactsVCard(bytes)).friends[0].name == "Zoë")
        options.encoding = .utf8
        #expect(
            try entries(ContactsVCard(bytes, options: options)).map(\.reason) == [
                "its FN is not valid UTF-8; name the file's encoding, such as --encoding windows-1252"
            ])
    }

    @Test func `a file in UTF-16 is read`() throws {
        let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:נועה 👩‍👩‍👧\r\nEND:VCARD\r\n"
        let bytes = [0xFF, 0xFE] + TextEncodingTests.utf16(text, isBigEndian: false)

        #expect(try entries(ContactsVCard(bytes)).friends.map(\.name) == ["נועה 👩‍👩‍👧"])
    }

    @Test func `a quoted-printable value ending in = does not swallow the END line`() throws {
        let text = "BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:a=\nEND:VCARD\nBEGIN:VCARD\nFN:b\nEND:VCARD"

        #expect(try cards(text).friends.map(\.name) == ["a=", "b"])
    }

    private func cards(_ text: String) throws -> [ContactEntry] {
        try entries(ContactsVCard(Array(text.utf8)))
    }

    private func card(_ text: String) throws -> Friend {
        try #require(cards(text).friends.first)
    }
}
