import Geocoding
import Testing

@testable import Formats

struct CSVSampleTests {
    @Test func `an old Google export is read, with several values in a field`() throws {
        let entries = try entries(ContactsCSV(CSVReader(sample("google-old.csv"))))

        #expect(entries.problems.isEmpty)
        let friend = try #require(entries.friends.first)
        #expect(
            [friend.name, friend.firstName, friend.lastName, friend.nickname] == [
                "Zoë Ångström", "Zoë", "Ångström", "Zo",
            ])
        #expect(
            friend.addresses == [
                LabelledAddress(
                    label: "Home",
                    address: Address(
                        street: "1 Storgatan\nLgh 3\nPO Box 7", city: "Umeå", postcode: "903 26", country: "Sverige")),
                LabelledAddress(
                    label: "Old", address: Address(street: "2 Lillgatan", city: "Luleå", country: "Sverige")),
                LabelledAddress(label: "Work", address: Address(street: "Av. Paulista 1", city: "São Paulo")),
            ])
        #expect(entries.friends.map(\.name).last == "שרה כהן")
    }

    @Test func `a new Google export is read`() throws {
        let friend = try #require(entries(ContactsCSV(CSVReader(sample("google-new.csv")))).friends.first)

        #expect(friend.name == "😀 Ada Byron")
        #expect(
            friend.addresses == [
                LabelledAddress(
                    label: "Home",
                    address: Address(
                        street: "1 High St\nFlat 2", city: "Ely", region: "Cambs", postcode: "CB7 4", country: "UK"))
            ])
    }

    @Test func `an Outlook export in Windows-1252 with a long note is read`() throws {
        let entries = try entries(ContactsCSV(CSVReader(sample("outlook.csv"))))

        #expect(entries.problems.isEmpty)
        let friend = try #require(entries.friends.first)
        #expect([friend.name, friend.firstName, friend.lastName] == ["Jürgen Groß", "Jürgen", "Groß"])
        #expect(friend.addresses.map(\.label) == ["work", "home"])
        #expect(friend.addresses.map(\.address.street) == ["Straße 1\nHof\nPostfach 12", "Weg 2"])
    }
}
