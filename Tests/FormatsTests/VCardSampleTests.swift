import Geocoding
import Testing

@testable import Formats

struct VCardSampleTests {
    @Test func `cards of an Android phone are read`() throws {
        let entries = try entries(ContactsVCard(sample("android-2.1.vcf")))

        #expect(entries.problems.isEmpty)
        #expect(
            entries.friends == [
                Friend(
                    sourceKey: "name:şükran çelik#1", name: "Şükran Çelik", firstName: "Şükran", lastName: "Çelik",
                    addresses: [
                        LabelledAddress(
                            label: "home",
                            address: Address(
                                street: "İstiklal Caddesi 12", city: "İstanbul", postcode: "34430", country: "Türkiye"))
                    ]),
                Friend(
                    sourceKey: "name:ada#1", name: "Ada", firstName: "Ada",
                    addresses: [
                        LabelledAddress(
                            label: "work",
                            address: Address(
                                street: "1 High St", city: "Ely", region: "Cambs", postcode: "CB7 4", country: "UK"))
                    ]),
            ])
    }

    @Test func `cards of an old Nokia in two encodings are read`() throws {
        let entries = try entries(ContactsVCard(sample("nokia-2.1.vcf")))

        #expect(entries.problems.isEmpty)
        #expect(entries.friends.map(\.name) == ["Aino Mäkelä", "Åsa Björk"])
        let addresses = entries.friends.flatMap(\.addresses)
        #expect(addresses.map(\.address.street) == ["Yrjönkatu 36\nA 5", "12"])
        #expect(addresses.map(\.address.city) == ["Helsinki", "Umeå"])
        // Version 2.1 writes the longitude first.
        #expect(addresses.map(\.position) == [nil, Coordinate(latitude: 63.8258, longitude: 20.263)])
    }

    @Test func `cards of iCloud are read`() throws {
        let entries = try entries(ContactsVCard(sample("icloud-3.0.vcf")))

        let friend = try #require(entries.friends.first)
        #expect(friend.sourceKey == "id:5E2C7A3B-1111-2222-3333-444455556666")
        #expect(
            [friend.name, friend.firstName, friend.lastName, friend.nickname] == ["נועה לוי", "נועה", "לוי", "נוני"])
        #expect(friend.addresses.map(\.label) == ["home", "school", "Ferienhaus 🏖️"])
        #expect(
            friend.addresses.map(\.address.street) == [
                "שדרות רוטשילד 22\nדירה 4", "350 Fifth Ave, Floor 34", "Rue de l’Église 5",
            ])
        #expect(
            friend.addresses.map(\.position) == [nil, Coordinate(latitude: 40.74844, longitude: -73.985664), nil])
        #expect(entries.problems.map(\.reason) == ["it is a group of contacts and none itself"])
    }

    @Test func `cards of Nextcloud are read`() throws {
        let entries = try entries(ContactsVCard(sample("nextcloud-4.0.vcf")))

        #expect(entries.friends.map(\.sourceKey) == ["id:urn:uuid:0b1c", "name:bo#1", "id:rfc9554"])
        let addresses = entries.friends.flatMap(\.addresses)
        #expect(addresses.map(\.label) == ["home", "work", "", "work"])
        #expect(
            addresses.map(\.address.street) == [
                "ul. Złota 1", "Suite 5\nPO Box 12", "Storgatan 1",
                "Neue Mainzer Straße 7\nTower B, 3, 12",
            ])
        #expect(
            addresses.map(\.position) == [
                Coordinate(latitude: 52.2297, longitude: 21.0122), nil, Coordinate(latitude: 59.33, longitude: 18.07),
                nil,
            ])
        #expect(
            entries.problems.map(\.reason) == ["an address is left out: it has no street, no city and no country"])
    }

    @Test func `a card of Outlook with an embedded card is read`() throws {
        let entries = try entries(ContactsVCard(sample("outlook-2.1.vcf")))

        #expect(entries.problems.isEmpty)
        let friend = try #require(entries.friends.first)
        #expect([friend.name, friend.lastName] == ["Countess Ada Byron", "Byron"])
        #expect(
            friend.addresses == [
                LabelledAddress(
                    label: "work", address: Address(street: "1 High St", city: "Ely", postcode: "CB7 4", country: "UK"),
                    position: Coordinate(latitude: 0.2624, longitude: 52.3995))
            ])
    }
}

extension ContactEntry {
    var reason: String {
        switch self {
        case .contact: ""
        case .refused(_, let reason), .noted(_, let reason): reason
        }
    }
}
