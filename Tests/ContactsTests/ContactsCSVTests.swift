import Foundation
import Geocoding
import Testing

@testable import Contacts

struct ContactsCSVTests {
    private func entries(_ text: String) throws -> [ContactsCSV.Entry] {
        let path = FileManager.default.temporaryDirectory.appending(path: "waypost-\(UUID().uuidString).csv").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { unlink(path) }
        var source = try ContactsCSV(path: path)
        var entries: [ContactsCSV.Entry] = []
        while let entry = try source.next() { entries.append(entry) }
        #expect(source.bytesRead == source.size)
        return entries
    }

    private func friends(_ text: String) throws -> [Friend] {
        try entries(text).compactMap { if case .contact(_, let friend) = $0 { friend } else { nil } }
    }

    private func refusals(_ text: String) throws -> [String] {
        try entries(text).compactMap {
            if case .refused(let line, let reason) = $0 { "\(line): \(reason)" } else { nil }
        }
    }

    private let berlin = Address(
        street: "Pariser Platz 1", city: "Berlin", region: "BE", postcode: "10117", country: "DE")

    @Test(arguments: [
        "name,street,city,region,postcode,country\nAda,Pariser Platz 1,Berlin,BE,10117,DE",
        "NAME;Straße;Ort;Bundesland;PLZ;Land\nAda;Pariser Platz 1;Berlin;BE;10117;DE",
        "Full Name,Address Line 1,Town,State/Province,ZIP Code,Country/Region\nAda,Pariser Platz 1,Berlin,BE,10117,DE",
        "nom,rue,ville,région,code postal,pays\nAda,Pariser Platz 1,Berlin,BE,10117,DE",
        "name,address_1,city,province,postal-code,country code\nAda, Pariser Platz 1 ,Berlin,BE,10117,DE\n",
        "First Name,Address 1 - Street,Address 1 - City,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country\nAda,Pariser Platz 1,Berlin,BE,10117,DE",
    ]) func `a header is recognised however it is written`(_ text: String) throws {
        let friend = try #require(try friends(text).first)
        #expect(friend.name == "Ada")
        #expect(friend.addresses.map(\.address) == [berlin])
    }

    @Test func `a row of Outlook's carries an address for home and one for work`() throws {
        let friend = try #require(
            try friends(
                """
                First Name,Last Name,Home Address,Home Street,Home City,Home Country/Region,Business Street,Business City
                Ada,Lovelace,all of it,1 Main St,Reno,US,2 Elm St,Elko
                """
            ).first)
        #expect(friend.name == "Ada Lovelace")
        #expect(friend.addresses.map(\.label) == ["home", "work"])
        #expect(friend.addresses.map(\.address.city) == ["Reno", "Elko"])
        #expect(friend.addresses[0].address.street == "1 Main St")
    }

    @Test func `Google's labels, second lines and several values are understood`() throws {
        let friend = try #require(
            try friends(
                """
                Name,Address 1 - Type,Address 1 - Street,Address 1 - Extended Address,Address 1 - City,Address 2 - City
                Ada,Home,1 Main St ::: 9 Other St,Apt 4,Reno,
                """
            ).first)
        #expect(
            friend.addresses == [
                LabelledAddress(label: "Home", address: Address(street: "1 Main St\nApt 4", city: "Reno"))
            ])
    }

    @Test func `the same file gives the same keys, and friends of one name keep apart`() throws {
        let text = "name,city\nAda,Reno\nada ,Elko\nBob,Reno\n"
        let keys = try friends(text).map(\.sourceKey)
        #expect(keys == ["name:ada#1", "name:ada#2", "name:bob#1"])
        #expect(try friends(text).map(\.sourceKey) == keys)
        #expect(try friends("id,name,city\n7,Ada,Reno\n").map(\.sourceKey) == ["id:7"])
    }

    @Test func `rows that make no contact are refused by their line`() throws {
        let long = String(repeating: "x", count: 2_001)
        #expect(
            try refusals("id,name,city\n1,Ada,Reno\n1,Bob,Elko\n,,\n2,Eve,Reno,extra\n3,\(long),Reno\n4,Nil,Reno,,\n")
                == [
                    "3: the id is the same as on line 2",
                    "4: the row has neither a name nor an address nor an id",
                    "5: the row has 4 fields, the header has 3",
                    "6: the column \"name\" holds more than 2000 bytes",
                ])
    }

    @Test func `a contact without an address is a contact all the same`() throws {
        #expect(try friends("name,city\nAda\n").map(\.addresses) == [[]])
    }

    @Test func `a header without an address says what it has and what would work`() throws {
        let error = #expect(throws: FileError.self) { try entries("colour,size\nred,42\n") }
        #expect(error?.problem.contains("colour, size") == true)
        #expect(error?.problem.contains("name,street,city") == true)
    }

    @Test func `files that can't be read are named with the reason`() throws {
        for (path, problem) in [("/nonexistent.csv", "no such file"), ("/tmp", "is a directory")] {
            let error = #expect(throws: FileError.self) { _ = try ContactsCSV(path: path) }
            #expect(error?.description == "\(path): \(problem)")
        }
    }
}
