import Geocoding
import Testing

@testable import Formats

struct NDJSONContactsTests {
    @Test func `a line contains a whole contact`() throws {
        let line = #"""
            {"key":"crm-17","name":"Ada Byron","first_name":"Ada","last_name":"Byron","nickname":"Countess","tags":[1],"addresses":[{"label":"home","street":"12 Square","city":"London","region":"Gtr","postcode":"SW1Y","country":"UK","latitude":51.5,"longitude":"-0.25"},{"city":"Ely"}]}
            """#

        #expect(
            ndjson(line) == [
                .contact(
                    line: 1,
                    Friend(
                        sourceKey: "crm-17", name: "Ada Byron", firstName: "Ada", lastName: "Byron",
                        nickname: "Countess",
                        addresses: [
                            LabelledAddress(
                                label: "home",
                                address: Address(
                                    street: "12 Square", city: "London", region: "Gtr", postcode: "SW1Y", country: "UK"),
                                position: Coordinate(latitude: 51.5, longitude: -0.25)),
                            LabelledAddress(label: "", address: Address(city: "Ely")),
                        ]))
            ])
    }

    @Test func `odd texts are read unchanged`() throws {
        let friend = try onlyNDJSON(
            #"{"key":" ü-😀 ","name":"\u0634\u0645\u0633 👩‍👩‍👧 \ud83d\ude00","note":"\#(String(repeating: "é", count: 10_000))","addresses":[{"city":"תל אביב","postcode":1234}]}"#
        )

        #expect(friend.sourceKey == "ü-😀")
        #expect(friend.name == "شمس 👩‍👩‍👧 😀")
        #expect(friend.addresses.map(\.address) == [Address(city: "תל אביב", postcode: "1234")])
    }

    @Test(arguments: [
        ("{", "it is not JSON: it ends in the middle"),
        ("[]", "it is not a JSON object"),
        (#"{"key":"a","name":"\ud800"}"#, "it is not JSON: an escape is half a character"),
        (#"{"name":"Ada"}"#, #"the member "key" is missing or blank"#),
        (#"{"key":" ","name":"Ada"}"#, #"the member "key" is missing or blank"#),
        (#"{"key":"a","name":null}"#, #"the member "name" is missing"#),
        (#"{"key":"a","name":""}"#, "it has neither a name nor an address"),
        (#"{"key":true,"name":"Ada"}"#, #"the member "key" is not a text"#),
        (
            #"{"key":9007199254740993,"name":"Ada"}"#,
            #"the member "key" is a number too large to be exact; put it in quotes"#
        ),
        (#"{"key":"a","name":["Ada"]}"#, #"the member "name" is not a text"#),
        (#"{"key":"a","name":"A\u0000da"}"#, #"there is a NUL character in the member "name""#),
        (#"{"key":"a","name":"Ada","addresses":{}}"#, #"the member "addresses" is not a list"#),
        (#"{"key":"a","name":"Ada","addresses":[{"city":"Ely"},1]}"#, "address 2 is not an object"),
        (#"{"key":"a","name":"Ada","addresses":[{"city":{}}]}"#, #"the member "city" is not a text"#),
        (
            #"{"key":"\#(String(repeating: "k", count: 501))","name":"Ada"}"#,
            #"the member "key" is longer than 500 characters"#
        ),
        (
            #"{"key":"a","name":"\#(String(repeating: "é", count: 2_001))"}"#,
            #"the member "name" is longer than 2,000 characters"#
        ),
    ]) func `a line that is not a contact is refused with the reason`(line: String, reason: String) {
        #expect(
            ndjson(#"{"key":"first","name":"Bob"}"# + "\n" + line).last == .refused(line: 2, reason: reason))
    }

    @Test func `a line that is not UTF-8 does not affect other lines`() {
        let bytes = Array(#"{"key":"a","name":""#.utf8) + [0xFF] + Array("\"}\n{\"key\":\"b\",\"name\":\"Bob\"}".utf8)

        #expect(
            ndjson(bytes) == [
                .refused(line: 1, reason: "it is not JSON: it is not UTF-8"),
                .contact(line: 2, Friend(sourceKey: "b", name: "Bob", addresses: [])),
            ])
    }

    @Test func `a repeated key is refused with both lines`() {
        let line = #"{"key":"a","name":"Ada"}"#

        #expect(
            ndjson("\(line)\n\n\(line)\n").last == .refused(line: 3, reason: "line 1 has the same key as line 3"))
    }

    @Test func `a refused contact does not reserve its key`() {
        #expect(
            ndjson("{\"key\":\"a\"}\n{\"key\":\"a\",\"name\":\"Ada\"}").last
                == .contact(line: 2, Friend(sourceKey: "a", name: "Ada", addresses: [])))
    }

    @Test func `an empty address is skipped, and one without street, city and country is noted`() {
        let entries = ndjson(
            #"{"key":"a","name":"Ada","addresses":[{"label":"home"},{"postcode":"1"},{"city":"Ely"},{"latitude":1,"longitude":2}]}"#
        )

        #expect(
            entries == [
                .contact(
                    line: 1,
                    Friend(
                        sourceKey: "a", name: "Ada",
                        addresses: [LabelledAddress(label: "", address: Address(city: "Ely"))])),
                .noted(line: 1, reason: "address 1 has neither street, city nor country"),
                .noted(line: 1, reason: "address 3 has neither street, city nor country"),
            ])
    }

    @Test func `the default country is used where an address has none`() throws {
        var options = ReadingOptions()
        options.country = "Finland"
        let line = #"{"key":"a","name":"Ada","addresses":[{"postcode":"1"},{"city":"Ely","country":"UK"},{}]}"#

        #expect(try onlyNDJSON(line, options: options).addresses.map(\.address.country) == ["Finland", "UK"])
    }

    @Test(arguments: [#""latitude":91,"longitude":0"#, #""latitude":1"#, #""latitude":"x","longitude":2"#])
    func `a position that is not on Earth is left out and noted`(position: String) {
        let entries = ndjson(#"{"key":"a","name":"Ada","addresses":[{"city":"Ely",\#(position)}]}"#)

        #expect(entries.last == .noted(line: 1, reason: "the position of address 1 is none on Earth"))
        #expect(entries.count == 2)
    }

    @Test func `an exported answer is not a pin, and the contact's own position is`() throws {
        let friend = try onlyNDJSON(
            #"{"key":"a","name":"Ada","addresses":[{"city":"Ely","place":{"status":"located","provider":"nominatim","latitude":1,"longitude":2}},{"city":"Rye","place":{"provider":"contact","latitude":3,"longitude":4}}]}"#
        )

        #expect(friend.addresses.map(\.position) == [nil, Coordinate(latitude: 3, longitude: 4)])
    }

    @Test func `a friend may have at most a thousand addresses`() throws {
        let list = Array(repeating: #"{"city":"Ely"}"#, count: 1_002).joined(separator: ",")
        let entries = ndjson(#"{"key":"a","name":"Ada","addresses":[\#(list)]}"#)

        #expect(entries.dropFirst() == [.noted(line: 1, reason: "more than 1,000 addresses; the others were left out")])
    }

    @Test func `chunks of any size give the same lines`() {
        let text = "\u{FEFF}{\"key\":\"a\",\"name\":\"Ada é\"}\r\n\n \n{\"key\":1}\n{\"key\":\"b\",\"name\":\"Bob\"}"
        let whole = ndjson(text)

        #expect(whole.count == 3)
        for size in 1...20 { #expect(ndjson(Array(text.utf8), pieces: size) == whole) }
    }
}

struct NDJSONLinesTests {
    @Test(arguments: [1 << 16, 1 << 21]) func `a line over 1 MiB is reported once and not kept`(piece: Int) {
        var lines = NDJSONLines()
        var found: [NDJSONLines.Line] = []
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: piece)
        lines.feed(Array("a\n".utf8))
        for _ in 0..<(4 << 20) / piece {
            lines.feed(long)
            while let line = lines.next() { found.append(line) }
        }
        #expect(found.last == .tooLong(number: 2), "it is told before it ends, and its bytes are gone")
        lines.feed(Array("\nb".utf8))
        lines.end()
        while let line = lines.next() { found.append(line) }

        #expect(
            found == [
                .whole(number: 1, [UInt8(ascii: "a")]), .tooLong(number: 2), .whole(number: 3, [UInt8(ascii: "b")]),
            ])
        #expect(lines.bytesRead == 2 + 4 << 20 + 2)
    }

    @Test func `a line of exactly 1 MiB is read`() {
        for end in ["", "\n"] {
            var lines = NDJSONLines()
            lines.feed([UInt8](repeating: UInt8(ascii: "x"), count: NDJSONLines.longest) + Array(end.utf8))
            lines.end()

            guard case .whole(1, let bytes) = lines.next() else {
                Issue.record("no line")
                continue
            }
            #expect(bytes.count == NDJSONLines.longest)
            #expect(lines.next() == nil)
        }
    }
}

struct ContactsNDJSONTests {
    @Test func `a file is read to its end`() throws {
        let folder = try Folder()
        let lines = (1...5_000).map {
            #"{"key":"\#($0)","name":"N\#($0)","note":"\#(String(repeating: "x", count: 100))"}"#
        }
        try folder.put(lines.joined(separator: "\n"), into: "a.ndjson")
        var contacts = try ContactsNDJSON(path: folder.file("a.ndjson"))
        var count = 0
        while let entry = try contacts.next() {
            if case .contact = entry { count += 1 }
        }

        #expect(count == 5_000)
        #expect(contacts.bytesRead == contacts.totalSize)
    }
}

private func ndjson(_ text: String) -> [ContactEntry] {
    ndjson(Array(text.utf8))
}

private func ndjson(
    _ bytes: [UInt8], pieces: Int = .max, options: ReadingOptions = ReadingOptions()
) -> [ContactEntry] {
    var contacts = NDJSONContacts(options: options)
    var entries: [ContactEntry] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        contacts.feed(Array(rest.prefix(pieces)))
        rest = rest.dropFirst(pieces)
        while let entry = contacts.next() { entries.append(entry) }
    }
    contacts.end()
    while let entry = contacts.next() { entries.append(entry) }
    return entries
}

private func onlyNDJSON(_ line: String, options: ReadingOptions = ReadingOptions()) throws -> Friend {
    let entries = ndjson(Array(line.utf8), options: options)
    guard entries.count == 1, case .contact(_, let friend) = entries[0] else { throw NotOneFriend(entries: entries) }
    return friend
}
