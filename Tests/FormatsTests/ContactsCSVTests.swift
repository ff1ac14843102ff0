import Geocoding
import Testing

@testable import Formats

struct ContactsCSVTests {
    @Test func `a company is used as the name of a person without one`() throws {
        #expect(try onlyFriend("first name,company,city\n,Engines Ltd,Ely").name == "Engines Ltd")
    }

    @Test func `white space around a field is removed`() throws {
        let friend = try onlyFriend("name,city\n\"\t Ada \n\",\u{A0}Ely ")

        #expect(friend.name == "Ada")
        #expect(friend.addresses[0].address.city == "Ely")
    }

    @Test func `a friend may have no address`() throws {
        #expect(try onlyFriend("name,city,country\nAda, ").addresses.isEmpty)
    }

    @Test func `a row without a name or address is refused`() throws {
        #expect(
            try entries("name,city,phone\n , ,555\n")
                == [.refused(line: 2, reason: "it has neither a name nor an address")])
    }

    @Test func `a row with more fields than columns is refused`() throws {
        #expect(
            try entries("name,city\nAda,Ely,, \nBob,Hull,UK\n") == [
                .contact(line: 2, friend("name:ada#1", "Ada", "Ely")),
                .refused(line: 3, reason: "it has 3 fields where the header has 2"),
            ])
    }

    @Test func `a field that is too long is reported by its column`() throws {
        let (most, tooLong) = (String(repeating: "é", count: 2_000), String(repeating: "é", count: 2_001))

        #expect(
            try entries("name,My Town?,city\nAda,\(tooLong),\(most)\nBob,,\(tooLong)\n") == [
                .contact(line: 2, friend("name:ada#1", "Ada", most)),
                .refused(line: 3, reason: "the field \"city\" is longer than 2,000 characters"),
            ])
    }

    @Test func `a repeated id is refused with both lines`() throws {
        #expect(
            try entries("id,name,city\n7,Ada,Ely\n8,Bob,Hull\n7,Cy,Bath\n7,Di,Rye\n") == [
                .contact(line: 2, friend("id:7", "Ada", "Ely")),
                .contact(line: 3, friend("id:8", "Bob", "Hull")),
                .refused(line: 4, reason: "line 2 has the same id as line 4"),
                .refused(line: 5, reason: "line 2 has the same id as line 5"),
            ])
    }

    @Test func `friends with the same name get numbered keys`() throws {
        let keys = try entries("id,name,city\n,ADA BYRON,Ely\n,Ada  Byron,Hull\n,Bob,Bath\n").map { entry in
            guard case .contact(_, let friend) = entry else { return "" }
            return friend.sourceKey
        }

        #expect(keys == ["name:ada byron#1", "name:ada byron#2", "name:bob#1"])
    }

    @Test func `a key fits its index however long the name is`() throws {
        let name = String(repeating: "\u{20BB7}", count: 2_000)

        #expect(try onlyFriend("name,city\n\(name),Ely").sourceKey.utf8.count < 2_700)
        #expect(
            try entries("id,city\n\(name),Ely")
                == [.refused(line: 2, reason: "the field \"id\" is longer than 490 characters")])
    }

    @Test func `an empty file and an unknown header give different errors`() {
        let error = #expect(throws: FileError.self) { try ContactsCSV(CSVReader([])) }

        #expect(error?.description == "bytes: is empty; its first line must name the columns")
    }

    @Test func `a header that is not text is an error`() {
        let error = #expect(throws: FileError.self) { try ContactsCSV(CSVReader([0x6E, 0x61, 0x00])) }

        #expect(error?.problem.hasPrefix("the header on line 1 can't be read") == true)
    }

    private func friend(_ key: String, _ name: String, _ city: String) -> Friend {
        Friend(sourceKey: key, name: name, addresses: [LabelledAddress(label: "", address: Address(city: city))])
    }
}
