import Geocoding
import Testing

@testable import Formats

struct VCardPropertyTests {
    private static let pieces = [
        "\\", ";", ",", ":", "\"", "\n", "\r\n", " ", "a", "Ely", "é", "👩‍👩‍👧", "שלום", "\u{202E}عنوان", "=", "=3D", "^n",
        String(repeating: "long ", count: 12), "END:VCARD", "\u{301}",
    ]

    @Test func `written friends read back equal`() throws {
        let folder = try Folder()
        var random = SeededRandom(seed: 11)
        var friends: [Friend] = []
        var writer = try VCardPlaceWriter(to: OutputFile(path: folder.file("a.vcf")))
        for number in 0..<300 {
            let key = number % 3 == 0 ? "id:\(number)" : "name:\(number)#1"
            // A friend without an id has a name that equals its key.
            let name = number % 3 == 0 ? text(using: &random) : "\(number)"
            var friend = Friend(sourceKey: key, name: name, addresses: [])
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let texts = (0..<6).map { _ in text(using: &random) }
                let address = Address(
                    street: texts[0], city: texts[1] + "x", region: texts[2], postcode: texts[3], country: texts[4])
                let position = Bool.random(using: &random) ? coordinate(using: &random) : nil
                friend.addresses.append(LabelledAddress(label: texts[5], address: address, position: position))
                try writer.write(
                    ContactPlace(
                        id: number, sourceKey: key, name: name, label: texts[5], address: address, status: .located,
                        coordinate: position))
            }
            friends.append(friend)
        }
        try writer.finish().commit()

        let bytes = try folder.bytes(of: "a.vcf")
        let lines = bytes.split(separator: UInt8.lineFeed)
        #expect(lines.allSatisfy { $0.count <= 76 && String(validating: $0, as: UTF8.self) != nil })
        let entries = try entries(ContactsVCard(bytes))
        #expect(entries.problems.isEmpty)
        for (read, friend) in zip(entries.friends, friends) { try #require(read == friend) }
        #expect(entries.count == friends.count)
    }

    @Test func `chunks of any size give the same entries`() throws {
        var random = SeededRandom(seed: 12)
        for _ in 0..<200 {
            let bytes = garbage(using: &random)
            let whole = try? entries(ContactsVCard(bytes))
            for chunkSize in [1, 2, 3, 7, 64] {
                let pieces = try? entries(ContactsVCard(bytes, chunkSize: chunkSize))
                try #require(pieces == whole, "\(bytes)")
            }
        }
    }

    @Test func `samples read the same in chunks of any size`() throws {
        for name in ["android-2.1", "nokia-2.1", "icloud-3.0", "nextcloud-4.0", "outlook-2.1"] {
            let bytes = try sample("\(name).vcf")
            let whole = try entries(ContactsVCard(bytes))
            for chunkSize in [1, 5, 76] {
                #expect(try entries(ContactsVCard(bytes, chunkSize: chunkSize)) == whole)
            }
        }
    }

    private func text(using random: inout SeededRandom) -> String {
        (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in Self.pieces.randomElement(using: &random) }
            .joined().trimmed.replacing("\r\n", with: "\n")
    }

    private func coordinate(using random: inout SeededRandom) -> Coordinate? {
        Coordinate(
            latitude: Double(Int.random(in: -900_000_000...900_000_000, using: &random)) / 1e7,
            longitude: Double(Int.random(in: -1_000...1_000, using: &random)) / 1e7)
    }

    private func garbage(using random: inout SeededRandom) -> [UInt8] {
        let lines = [
            "BEGIN:VCARD", "END:VCARD", "VERSION:2.1", "FN:Ada", "ADR;HOME:;;1 High St;Ely", "AGENT:", "",
            "N;ENCODING=QUOTED-PRINTABLE:=41=", " folded", "item1.ADR;GEO=\"geo:1,2\":;;a", "PHOTO;BASE64:", "QUJD",
            "LABEL;HOME:x", "é",
        ]
        return (0..<Int.random(in: 0...14, using: &random)).flatMap { _ in
            Array((lines.randomElement(using: &random) ?? "").utf8)
                + Array((["\n", "\r\n", "\r", "\n "].randomElement(using: &random) ?? "").utf8)
                + (Int.random(in: 0..<9, using: &random) == 0 ? [UInt8.random(in: .min ... .max, using: &random)] : [])
        }
    }
}
