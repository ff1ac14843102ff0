import Geocoding
import Testing

@testable import Formats

struct ContactsLDIFTests {
    private func read(_ text: String, chunkSize: Int = 7, country: String = "") throws -> [ContactEntry] {
        var options = ReadingOptions()
        options.country = country
        return try entries(ContactsLDIF(Array(text.utf8), chunkSize: chunkSize, options: options))
    }

    private func friend(_ text: String) throws -> Friend {
        try #require(try read("dn: cn=x\n" + text).friends.first)
    }

    @Test func `Thunderbird's cards have a home and a work address`() throws {
        let text = """
            dn: cn=Ada Lovelace,mail=ada@example.org
            objectclass: top
            objectclass: person
            objectclass: mozillaAbPersonAlpha
            givenName: Ada
            sn: Lovelace
            cn: Ada Lovelace
            mozillaNickname: Countess
            mozillaHomeStreet: 12 St James's Square
            mozillaHomeStreet2: Flat 2
            mozillaHomeLocalityName: London
            mozillaHomePostalCode: SW1Y 4JH
            mozillaHomeCountryName: UK
            street: 1 High St
            l: Ely
            st: Cambridgeshire
            postalCode: CB7 4JU
            c: GB
            jpegPhoto:: //79

            """
        for chunkSize in [1, 7, 4_096] {
            let friend = try #require(read(text, chunkSize: chunkSize).friends.first)
            #expect(friend.sourceKey == "id:cn=Ada Lovelace,mail=ada@example.org")
            #expect([friend.name, friend.firstName, friend.lastName] == ["Ada Lovelace", "Ada", "Lovelace"])
            #expect(friend.nickname == "Countess")
            #expect(friend.addresses.map(\.label) == ["home", "work"])
            #expect(
                friend.addresses.map(\.address) == [
                    Address(
                        street: "12 St James's Square\nFlat 2", city: "London", postcode: "SW1Y 4JH", country: "UK"),
                    Address(
                        street: "1 High St", city: "Ely", region: "Cambridgeshire", postcode: "CB7 4JU", country: "GB"),
                ])
        }
    }

    @Test func `lines are unfolded, comments skipped, and base64 decoded`() throws {
        let friend = try friend("cn:: WsO8\n rmljaA=\n =\n# l: Hull\n#\n  of it\nl:: S8O2bG4=\nstreet: Dom\n  1\n")
        #expect(friend.addresses.map(\.address) == [Address(street: "Dom 1", city: "Köln")])
    }

    @Test func `a postal address alone is parsed as one line, or gives a town its street`() throws {
        let whole = try friend("postalAddress: Mannerheimintie 1$00100 Helsinki$Finland\n")
        #expect(whole.addresses[0].address == Address(line: "Mannerheimintie 1, 00100 Helsinki, Finland"))
        let part = try friend("postalAddress: Domkloster 4$50667 Köln\nl: Köln\npostalCode: 50667\n")
        #expect(part.addresses[0].address == Address(street: "Domkloster 4", city: "Köln", postcode: "50667"))
    }

    @Test func `units and groups are skipped, and a change record is refused`() throws {
        let entries = try read(
            """
            version: 1

            dn: dc=example,dc=org
            objectClass: dcObject
            objectClass: organization
            o: Example

            dn: ou=people,dc=example,dc=org
            objectClass: organizationalUnit
            ou: people

            dn: uid=a,dc=example,dc=org
            changetype: modify
            replace: l
            l: Ely

            dn: uid=b,dc=example,dc=org
            objectClass: inetOrgPerson
            cn: Bob
            l: Ely
            """, country: "UK")
        #expect(entries.count == 2)
        #expect(entries.problems == [.refused(line: 12, reason: "it changes an entry and is none itself")])
        #expect(entries.friends.map(\.name) == ["Bob"])
        #expect(entries.friends[0].addresses[0].address.country == "UK")
    }

    @Test func `a bad entry does not affect other entries`() throws {
        let entries = try read(
            "dn: a\ncn:: ***\n\ndn: b\nl Ely\n\ndn: c\ncn: Cy\npostalCode: 1\n\ndn: d\nl: Ely\n\ndn: d\n")
        #expect(
            entries.problems == [
                .refused(line: 1, reason: "its attribute cn is not base64"),
                .refused(line: 4, reason: "a line of it has no colon"),
                .noted(line: 7, reason: "an address is left out: it has no street, no city and no country"),
                .refused(line: 14, reason: "line 11 has the same id as line 14"),
            ])
        #expect(entries.friends.count == 2)
        #expect(throws: FileError.self) { try read("name,city\nAda,Ely\n") }
    }

    @Test func `LDIF is detected from its beginning`() {
        #expect(SourceFormat(beginning: Array("version: 1\n\ndn: a".utf8)) == .ldif)
        #expect(SourceFormat(beginning: Array("dn: cn=a\n".utf8)) == .ldif)
        #expect(SourceFormat(beginning: Array("dn,city\n".utf8)) == .csv)
    }
}
