import Contacts
import Geocoding
import JSON

/// Contacts, addresses and countries as Monica's API has them. What Monica knows and we don't is null, false or empty.
extension JSONWriter {
    /// https://www.monicahq.com/api/contacts
    ///
    /// `origin` is what the links to our own resources begin with.
    mutating func contact(_ friend: FriendRecord, of caller: Caller, at origin: String) {
        object { json in
            json.contactMembers(friend, of: caller, at: origin)
            json.nulls([
                "description", "last_called", "last_activity_together", "stay_in_touch_frequency",
                "stay_in_touch_trigger_date",
            ])
            json.object("information") { json in
                json.object("relationships") { json in
                    for kind in ["love", "family", "friend", "work"] {
                        json.object(kind) { json in
                            json.member("total", 0)
                            json.emptyList("contacts")
                        }
                    }
                }
                json.object("dates") { json in
                    json.unknownDate("birthdate")
                    json.unknownDate("deceased_date")
                }
                json.object("career") { $0.nulls(["job", "company"]) }
                json.noAvatar()
                json.null("food_preferences")
                json.object("how_you_met") { json in
                    json.null("general_information")
                    json.unknownDate("first_met_date")
                    json.null("first_met_through_contact")
                }
            }
            json.list("addresses", friend.addresses) { $0.address($1, of: friend, for: caller, at: origin) }
            json.emptyList("tags")
            json.object("statistics") { json in
                for kind in ["calls", "notes", "activities", "reminders", "tasks", "gifts", "debts"] {
                    json.member("number_of_\(kind)", 0)
                }
            }
            json.member("created_at", friend.createdAt)
            json.member("updated_at", friend.updatedAt)
        }
    }

    /// https://www.monicahq.com/api/addresses
    mutating func address(
        _ record: AddressRecord, of friend: FriendRecord, for caller: Caller, at origin: String
    ) {
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
            json.member("url", "\(origin)/api/addresses/\(record.id)")
            json.account(caller)
            json.object("contact") { json in
                json.contactMembers(friend, of: caller, at: origin)
                json.object("information") { json in
                    json.unknownDate("birthdate")
                    json.unknownDate("deceased_date")
                    json.noAvatar()
                }
            }
            json.member("created_at", record.createdAt)
            json.member("updated_at", record.updatedAt)
        }
    }

    /// https://www.monicahq.com/api/countries
    mutating func country(_ country: Country) {
        self.country(code: country.code, name: country.name)
    }

    /// What Monica tells of a contact wherever one is mentioned.
    private mutating func contactMembers(_ friend: FriendRecord, of caller: Caller, at origin: String) {
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
        nulls(["gender", "gender_type"])
        member("is_starred", false)
        member("is_partial", false)
        member("is_active", true)
        member("is_dead", false)
        member("is_me", false)
        member("url", "\(origin)/api/contacts/\(friend.id)")
        account(caller)
    }

    private mutating func account(_ caller: Caller) {
        object("account") { $0.member("id", caller.account) }
    }

    private mutating func unknownDate(_ name: String) {
        object(name) { $0.nulls(["is_age_based", "is_year_unknown", "date"]) }
    }

    private mutating func noAvatar() {
        object("avatar") { $0.nulls(["url", "source", "default_avatar_color"]) }
    }

    private mutating func emptyList(_ name: String) {
        list(name, EmptyCollection<String>()) { $0.value($1) }
    }

    private mutating func nulls(_ names: [String]) {
        for name in names { null(name) }
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

    /// A country without a code is a spelling that nobody knows: there is no 0 in ISO 3166-1, and apps expect a number.
    private mutating func country(code: String?, name: String) {
        object { json in
            json.member("id", code.flatMap(CountryNumber.of) ?? 0)
            json.member("object", "country")
            json.member("name", name)
            json.member("iso", code ?? "")
        }
    }
}

extension String {
    fileprivate var orNil: String? { isEmpty ? nil : self }
}
