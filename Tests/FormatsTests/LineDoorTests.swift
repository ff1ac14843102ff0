import Geocoding
import Testing

@testable import Formats

/// An address on one line gives the same address as in columns, in every format.
struct LineDoorTests {
    private static let line = "Stephansplatz 1, 1010 Wien, Austria"
    private static let columns = Address(street: "Stephansplatz 1", city: "Wien", postcode: "1010", country: "Austria")

    @Test(arguments: [
        "address", "Full Address", "Adresse", "adresse", "indirizzo", "Address 1 - Formatted", "Anschrift",
    ])
    func `a CSV file with one address column gives the same address as separate columns`(_ header: String) throws {
        var contacts = try ContactsCSV(CSVReader(Array("id,\(header)\n7,\"\(Self.line)\"\n".utf8)))
        try expect(contacts.next())
    }

    @Test func `an address is counted without reading its line, next to a postcode too`() throws {
        var options = ReadingOptions()
        options.readsLines = false
        let text = "Full Address,zip\n\"\(Self.line)\",1010\n"
        var contacts = try ContactsCSV(CSVReader(Array(text.utf8)), options: options)
        guard case .contact(_, let friend) = try contacts.next() else { throw Missing() }
        #expect(friend.addresses.count == 1)
    }

    @Test func `a street that contains all parts is split where town and postcode are blank`() throws {
        let text = "name,address,city,postcode\nAda,\"\(Self.line)\",,\nBob,Broadway,,\n"
        var contacts = try ContactsCSV(CSVReader(Array(text.utf8)))
        try expect(contacts.next())
        guard case .contact(_, let bob) = try contacts.next() else { throw Missing() }
        // `Broadway` may be a town, but in a column of streets it is a street.
        #expect(bob.addresses.map(\.address) == [Address(street: "Broadway")])
    }

    @Test func `a vCard with only a label gives the same address`() throws {
        let card =
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nLABEL;TYPE=home:Stephansplatz 1\\n1010 Wien\\nAustria\r\nEND:VCARD\r\n"
        var contacts = ContactsVCard(Array(card.utf8))
        try expect(contacts.next())
    }

    @Test func `another country's postcode alone stays as written`() throws {
        var contacts = try ContactsCSV(CSVReader(Array("id,address\n7,1010\n".utf8)))
        guard case .contact(_, let friend) = try contacts.next() else { throw Missing() }
        #expect(friend.addresses.map(\.address.street) == ["1010"])
    }

    private struct Missing: Error {}

    private func expect(_ entry: ContactEntry?) throws {
        guard case .contact(_, let friend) = entry else { throw Missing() }
        #expect(friend.addresses.map(\.address) == [Self.columns])
        #expect(friend.addresses.map { AddressHash($0.address) } == [AddressHash(Self.columns)])
    }
}
