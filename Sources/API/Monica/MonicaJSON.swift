import Access
import Contacts
import Formats
import Geocoding
import HTTP
import JSON

/// The account for which contacts are written.
struct ContactAudience: Sendable {
    let account: Int
    /// The scheme and the host at the start of links.
    let origin: String

    func url(_ path: String) -> String { origin + "/api" + path }
}

extension APIRequest {
    var audience: ContactAudience { ContactAudience(account: caller.account, origin: http.origin) }
}

/// Contacts, addresses and countries in the format of Monica's API. Members that we don't have are null, false or
/// empty.
extension JSONWriter {
    /// https://www.monicahq.com/api/contacts
    mutating func contact(_ friend: FriendRecord, for audience: ContactAudience) {
        object { json in
            json.contactMembers(friend, for: audience)
            json.nulls([
                "description", "last_called", "last_activity_together", "stay_in_touch_frequency",
                "stay_in_touch_trigger_date",
            ])
            json.member("information", number: MonicaModels.informationText)
            json.list("addresses", friend.addresses) { $0.address($1, of: friend, for: audience) }
            json.emptyList("tags")
            json.member("statistics", number: MonicaModels.statisticsText)
            json.member("created_at", friend.createdAt)
            json.member("updated_at", friend.updatedAt)
        }
    }

    /// https://www.monicahq.com/api/addresses
    mutating func address(_ record: AddressRecord, of friend: FriendRecord, for audience: ContactAudience) {
        let address = record.address
        object { json in
            json.member("id", record.id)
            json.member("object", "address")
            json.member("name", record.label.orNil)
            json.member("street", address.street.orNil)
            json.member("city", address.city.orNil)
            json.member("province", address.region.orNil)
            json.member("postal_code", address.postcode.orNil)
            let place = record.place
            json.member("latitude", record.coordinate?.latitude)
            json.member("longitude", record.coordinate?.longitude)
            json.member("precision", record.precision)
            json.member("confidence", place.confidence)
            json.member("area_confidence", place.coordinate == nil ? nil : place.areaConfidence)
            json.member("is_weak", place.isWeak)
            json.member("country") { $0.country(spelled: address.country, code: record.countryCode) }
            json.member("url", audience.url("/addresses/\(record.id)"))
            json.account(audience)
            json.object("contact") { json in
                json.contactMembers(friend, for: audience)
                json.member("information", number: MonicaModels.shortInformationText)
            }
            json.member("created_at", record.createdAt)
            json.member("updated_at", record.updatedAt)
        }
    }

    /// The members that Monica writes wherever a contact is mentioned.
    private mutating func contactMembers(_ friend: FriendRecord, for audience: ContactAudience) {
        // In Monica every contact has a first name.
        let hasParts = !friend.firstName.isEmpty || !friend.lastName.isEmpty
        member("id", friend.id)
        member("object", "contact")
        member("first_name", hasParts ? friend.firstName : friend.name)
        member("last_name", friend.lastName.orNil)
        member("nickname", friend.nickname.orNil)
        member("complete_name", friend.name)
        member("initials", String(friend.name.split(separator: " ").prefix(2).compactMap(\.first)))
        nulls(["gender", "gender_type"])
        member("is_starred", false)
        member("is_partial", false)
        member("is_active", true)
        member("is_dead", false)
        member("is_me", false)
        member("url", audience.url("/contacts/\(friend.id)"))
        account(audience)
    }

    private mutating func account(_ audience: ContactAudience) {
        object("account") { $0.member("id", audience.account) }
    }

    private mutating func emptyList(_ name: String) {
        list(name, EmptyCollection<String>()) { $0.value($1) }
    }

    private mutating func nulls(_ names: [String]) {
        for name in names { null(name) }
    }

    private mutating func country(spelled spelling: String, code: String?) {
        if let country = Country(code ?? spelling) {
            self.country(code: country.code, name: country.name)
        } else if spelling.isEmpty {
            value(nil as String?)
        } else {
            country(code: nil, name: spelling)
        }
    }

    /// https://www.monicahq.com/api/countries
    ///
    /// A country without a code is an unknown spelling. Apps require an id: it is 0, which is not in ISO 3166-1.
    mutating func country(code: String?, name: String) {
        object { json in
            json.member("id", code.flatMap(CountryNumber.of) ?? 0)
            json.member("object", "country")
            json.member("name", name)
            json.member("iso", code ?? "")
        }
    }
}

extension String {
    var orNil: String? { isEmpty ? nil : self }
}
