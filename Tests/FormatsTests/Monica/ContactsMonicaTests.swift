import Foundation
import Geocoding
import Testing

@testable import Formats

struct ContactsMonicaTests {
    @Test func `an export's real contacts are read, with addresses and without pins`() throws {
        var contacts = try ContactsMonica(path: monicaSample("export.json"))
        var entries: [ContactEntry] = []
        while let entry = try contacts.next() { entries.append(entry) }

        #expect(
            entries == [
                .contact(line: 26, aino),
                .noted(line: 26, reason: "address 3 has neither street, city nor country"),
                .contact(
                    line: 102,
                    Friend(
                        sourceKey: "monica:1f000000-0000-4000-8000-00000000000d", name: "דוד", firstName: "דוד",
                        addresses: [])),
                .refused(line: 107, reason: #"it has neither a "uuid" nor an "id""#),
            ])
        #expect(contacts.bytesRead == contacts.totalSize)
    }

    @Test func `chunks of any size give the same contacts`() throws {
        let text = try String(contentsOfFile: monicaSample("export.json"), encoding: .utf8)
        let whole = try monica(text)

        for size in [1, 2, 7, 100] { #expect(try monica(text, chunkSize: size) == whole) }
    }

    @Test func `a repeated contact is refused the second time`() throws {
        let contact = #"{"uuid":"a","properties":{"first_name":"Ada"}}"#

        #expect(
            try monica(export("[\(contact),\n\(contact)]")).last
                == .refused(line: 2, reason: "line 1 has the same key as line 2"))
    }

    @Test func `the numbers 0 and 1 are read as booleans`() throws {
        let partial = #"{"uuid":"a","properties":{"first_name":"Ada","is_partial":1}}"#
        let archived = #"{"uuid":"b","properties":{"first_name":"Bob","is_active":0}}"#
        let whole = #"{"uuid":"c","properties":{"first_name":"Cy","is_active":1,"is_partial":0}}"#

        #expect(try monica(export("[\(partial),\(archived),\(whole)]")).map(\.friend?.name) == ["Cy"])
    }

    @Test(arguments: [
        ("1", #"it has no "properties""#),
        (#"{"uuid":"a"}"#, #"it has no "properties""#),
        (#"{"uuid":"a","properties":{}}"#, "it has neither a name nor an address"),
        (#"{"uuid":"a","properties":{"first_name":[]}}"#, #"the member "first_name" is not a text"#),
        (#"{"uuid":"a","properties":{"first_name":"\udc00"}}"#, "it can't be read: an escape is half a character"),
    ]) func `an entry that is not a contact is refused with the reason`(contact: String, reason: String) throws {
        #expect(try monica(export("[\(contact)]")) == [.refused(line: 1, reason: reason)])
    }

    /// A separate test, because a test's arguments are printed.
    @Test func `a contact longer than 16 MiB is refused`() throws {
        let contact = #"{"uuid":"a","properties":{"n":"\#(String(repeating: "x", count: 16 << 20))"}}"#
        #expect(try monica(export("[\(contact)]")) == [.refused(line: 1, reason: "it is longer than 16 MiB")])
    }

    @Test(arguments: [
        ("{}", "is JSON, but no export of Monica; it has no \"account.data\""),
        (#"{"version":1,"account":{"data":[]}}"#, "is JSON, but no export of Monica; it has no \"account.data\""),
        (
            "{\"version\":1,\"account\":{\"data\":[{\"type\":\"user\",\"values\":[]},{\n\"values\":[1],\"type\":\"contact\"}]}}",
            "line 2: a list stands before its \"type\"; Monica writes the type first"
        ),
        ("{\"version\":\n", "line 2: it ends in the middle"),
    ]) func `a file that is not an export is an error`(text: String, problem: String) {
        let error = #expect(throws: FileError.self) { try monica(text) }

        #expect(error?.description == "a.json: \(problem)")
    }
}

/// The first contact of the samples, in the export and on the server.
let aino = Friend(
    sourceKey: "monica:1f000000-0000-4000-8000-00000000000a", name: "Aino Virtanen 🌲", firstName: "Aino",
    lastName: "Virtanen 🌲", nickname: "Ansku",
    addresses: [
        LabelledAddress(
            label: "Home",
            address: Address(street: "Mannerheimintie 1", city: "Helsinki", postcode: "00100", country: "FI")),
        LabelledAddress(
            label: "Summer", address: Address(city: "Hanko", region: "Uusimaa", postcode: "10900", country: "FI")),
    ])

func monicaSample(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Samples/Monica/\(name)").path
}

private func export(_ contacts: String) -> String {
    #"{"version":1,"account":{"data":[{"type":"user","values":[{"properties":{}}]},{"type":"contact","values":\#(contacts)}]}}"#
}

private func monica(_ text: String, chunkSize: Int = 256 << 10) throws -> [ContactEntry] {
    try entries(
        ContactsMonica(
            name: "a.json", size: nil, options: ReadingOptions(), chunkSize: chunkSize, read: chunks(of: text)))
}
