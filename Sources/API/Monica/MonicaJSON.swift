import Contacts
import Geocoding

/// Contacts, addresses and countries as Monica's API has them. What Monica knows and we don't is null, false or empty.
extension JSONWriter {
    /// https://www.monicahq.com/api/contacts
    mutating func contact(_ friend: FriendRecord, of caller: Caller, at url: String) {
        object { json in
            json.contactMembers(friend, of: caller)
            json.member("is_starred", false)
            json.member("is_active", true)
            json.null("description")
            json.object("information") { json in
                json.object("dates") { json in
                    json.unknownDate("birthdate")
                    json.unknownDate("deceased_date")
                }
                json.object("career") { json in
                    json.null("job")
                    json.null("company")
                }
            }
            json.list("addresses", friend.addresses) { $0.address($1, of: friend, for: caller) }
            json.list("tags", [String]()) { $0.value($1) }
            json.member("url", url)
            json.member("created_at", friend.createdAt)
            json.member("updated_at", friend.updatedAt)
        }
    }

    /// https://www.monicahq.com/api/addresses
    mutating func address(_ record: AddressRecord, of friend: FriendRecord, for caller: Caller) {
        let address = record.address
        object { json in
            json.member("id", record.id)
            json.member("object", "address")
            json.member("name", record.label.orNil)
            json.member("street", address.street.orNil)
            json.member("city", address.city.orNil)
            json.member("province", address.region.orNil)
            json.member("postal_code", address.postcode.orNil)
            json.member("latitude", record.coordinate?.latitude)
            json.member("longitude", record.coordinate?.longitude)
            json.member("country") { $0.country(spelled: address.country, code: record.countryCode) }
            json.account(caller)
            json.object("contact") { $0.contactMembers(friend, of: caller) }
            json.member("created_at", record.createdAt)
            json.member("updated_at", record.updatedAt)
        }
    }

    /// https://www.monicahq.com/api/countries
    mutating func country(_ country: Country) {
        self.country(code: country.code, name: country.name)
    }

    /// What Monica tells of a contact wherever one is mentioned.
    private mutating func contactMembers(_ friend: FriendRecord, of caller: Caller) {
        // Monica knows no contact without a first name.
        let hasParts = !friend.firstName.isEmpty || !friend.lastName.isEmpty
        let initials = friend.name.split(separator: " ").prefix(2).compactMap(\.first)
        member("id", friend.id)
        member("object", "contact")
        member("first_name", hasParts ? friend.firstName : friend.name)
        member("last_name", friend.lastName.orNil)
        member("nickname", friend.nickname.orNil)
        member("complete_name", friend.name)
        member("initials", String(initials))
        null("gender")
        member("is_partial", false)
        member("is_dead", false)
        account(caller)
    }

    private mutating func account(_ caller: Caller) {
        object("account") { $0.member("id", caller.account) }
    }

    private mutating func unknownDate(_ name: String) {
        member(name) { json in
            json.object { json in
                json.null("is_age_based")
                json.null("is_year_unknown")
                json.null("date")
            }
        }
    }

    private mutating func country(spelled spelling: String, code: String?) {
        if let country = Country(code ?? spelling) {
            self.country(country)
        } else if spelling.isEmpty {
            value(nil as String?)
        } else {
            country(code: nil, name: spelling)
        }
    }

    private mutating func country(code: String?, name: String) {
        object { json in
            json.member("id", code)
            json.member("object", "country")
            json.member("name", name)
            json.member("iso", code)
        }
    }
}

extension String {
    fileprivate var orNil: String? { isEmpty ? nil : self }
}
