import Foundation
import Geocoding
import Testing

@testable import Formats

struct VCardCopyTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func `each address of version 4 gets its place, and nothing else changes`() throws {
        let card =
            "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\nADR;TYPE=home:;;1 High St;Ely;;;\r\n"
            + "ADR;GEO=\"geo:1,2\":;;2 High St;Ely;;;\r\nADR:;;;;;;\r\nitem1.ADR:;;3 High St;El\r\n y;;;\r\nEND:VCARD\r\n"

        let copied = try copy(card)

        #expect(
            copied
                == card.replacing("ADR;TYPE=home", with: "ADR\r\n ;GEO=\"geo:50,8.5\"\r\n ;TYPE=home")
                .replacing("item1.ADR", with: "item1.ADR\r\n ;GEO=\"geo:52,8.5\"\r\n "))
        let positions = try entries(ContactsVCard(Array(copied.utf8))).friends.flatMap(\.addresses).map(\.position)
        #expect(
            positions == [
                Coordinate(latitude: 50, longitude: 8.5), Coordinate(latitude: 1, longitude: 2),
                Coordinate(latitude: 52, longitude: 8.5),
            ])
    }

    @Test func `a provider's place is not a pin when the copy is read`() throws {
        let copied = try copy("BEGIN:VCARD\nVERSION:4.0\nFN:Ada\nADR:;;a;;;;\nEND:VCARD\n", provider: "photon")

        #expect(copied.contains("ADR\n ;GEO=\"geo:50,8.5\"\n ;X-WAYPOST-PROVIDER=photon\n :;;a;;;;\n"))
        #expect(try entries(ContactsVCard(Array(copied.utf8))).friends[0].addresses[0].position == nil)
        #expect(try copy(copied, provider: "census") == copied)
    }

    @Test(arguments: [
        ("ADR:;;a;;;;\nADR:;;b;;;;\nNOTE:x\n", "GEO:50;8.5\n"), ("item1.ADR:;;a;;;;\n", "item1.GEO:50;8.5\n"),
        ("ADR:;;a;;;;\nGEO:1;2\n", ""), ("GEO:unreadable\nADR:;;a;;;;\n", ""), ("", ""),
    ])
    func `older versions get one line at the card's end`(lines: String, added: String) throws {
        let begin = "BEGIN:VCARD\nVERSION:3.0\nFN:Ada\n\(lines)"

        #expect(try copy("\(begin)END:VCARD\n") == "\(begin)\(added)END:VCARD\n")
    }

    @Test func `unreadable parts are copied unchanged`() throws {
        let text =
            "\u{FEFF}junk\nBEGIN:VCARD\nFN:lost\nBEGIN:VCARD\nFN;CHARSET=UTF-7:x\nADR:;;a\nEND:VCARD\n\n"
            + "BEGIN:VCARD\nFN:Ada\nADR:;;a\nPHOTO;BASE64:\nQUJD\n\nEND:VCARD\nBEGIN:VCARD\nFN:open"

        #expect(try copy(text) == text.replacing("\n\nEND", with: "\n\nGEO:50;8.5\nEND"))
    }

    @Test func `an address that has changed gets no place`() throws {
        let text = "BEGIN:VCARD\nFN:Ada\nADR:;;a\nEND:VCARD\n"

        #expect(try copy(text) { _ in Address(street: "b") } == text)
    }

    @Test func `copies of the samples lose nothing, with any number of contacts at once`() throws {
        for (name, isAdded) in [
            ("android-2.1", true), ("nokia-2.1", true), ("nextcloud-4.0", true),
            // These cards already have a GEO.
            ("icloud-3.0", false), ("outlook-2.1", false),
        ] {
            let before = try sample("\(name).vcf")
            for limit in [1, 2, 100] {
                let after = try copyBytes(before, limit: limit) { $0 }
                let (old, new) = try (entries(ContactsVCard(before)), entries(ContactsVCard(after)))

                #expect((after != before) == isAdded)
                #expect(new.friends.map(\.withoutPositions) == old.friends.map(\.withoutPositions))
                #expect(new.friends.flatMap(\.addresses).contains { $0.position?.longitude == 8.5 } == isAdded)
            }
        }
    }

    @Test func `UTF-16 is refused in one sentence`() {
        let error = #expect(throws: FileError.self) { try copyBytes([0xFF, 0xFE, 0x42, 0x00], limit: 1) { $0 } }

        #expect(error?.problem == "is UTF-16, which can't be copied; save it as UTF-8 first")
    }

    private func copy(
        _ text: String, provider: String? = nil, stored: (Address) -> Address = { $0 }
    ) throws -> String {
        String(decoding: try copyBytes(Array(text.utf8), limit: 2, provider: provider, stored: stored), as: UTF8.self)
    }

    /// Makes a copy in which a friend's addresses are at 50, 51, … degrees north.
    private func copyBytes(
        _ bytes: [UInt8], limit: Int, provider: String? = nil, stored: (Address) -> Address
    ) throws -> [UInt8] {
        try Data(bytes).write(to: URL(filePath: folder.file("in.vcf")))
        var friends: [String: Friend] = [:]
        for friend in (try? entries(ContactsVCard(bytes)))?.friends ?? [] { friends[friend.sourceKey] = friend }
        var copy = try VCardCopy(of: folder.file("in.vcf"), to: OutputFile(path: folder.file("out.vcf")))
        while let keys = try copy.read(limit: limit) {
            #expect(keys.count <= limit)
            var places: [String: [ContactPlace]] = [:]
            for key in keys {
                places[key] = (friends[key]?.addresses ?? []).enumerated().map { number, address in
                    ContactPlace(
                        id: number, sourceKey: key, name: "", label: "", address: stored(address.address),
                        status: .located, coordinate: Coordinate(latitude: 50 + Double(number), longitude: 8.5),
                        provider: provider)
                }
            }
            try copy.write(places)
        }
        try copy.finish().commit()
        return try folder.bytes(of: "out.vcf")
    }
}

extension Friend {
    fileprivate var withoutPositions: Friend {
        var friend = self
        for place in friend.addresses.indices { friend.addresses[place].position = nil }
        return friend
    }
}
