import Contacts
import Formats
import Geocoding
import JSON

/// Contacts, addresses and countries in the format of Monica's API. Members that we don't have are null, false or
/// empty.
extension JSONWriter {
    /// https://www.monicahq.com/api/contacts
    mutating func contact(_ friend: FriendRecord, for audience: ContactAudience, withFields hasFields: Bool = false) {
        object { json in
            json.contactMembers(friend, for: audience)
            json.nulls([
                "description", "last_called", "last_activity_together", "stay_in_touch_frequency",
                "stay_in_touch_trigger_date",
            ])
            json.member("information", number: audience.form.constants.information)
            json.list("addresses", friend.addresses) { $0.address($1, of: friend, for: audience) }
            json.emptyList("tags")
            if hasFields { for name in ["contactFields", "notes"] { json.emptyList(name) } }
            json.member("statistics", number: audience.form.constants.statistics)
            json.member("created_at", friend.createdAt)
            json.member("updated_at", friend.updatedAt)
        }
    }

    /// https://www.monicahq.com/api/addresses
    mutating func address(_ record: AddressRecord, of friend: FriendRecord, for audience: ContactAudience) {
        let address = record.address
        object { json in
            json.member("id", record.id)
            if audience.form == .monica {
                json.member(
                    "uuid",
                    MonicaID(of: "address", record.id, account: audience.account, made: record.createdAt).uuid)
            }
            json.member("object", "address")
            json.member("name", record.label.orNil)
            json.member("street", address.street.orNil)
            json.member("city", address.city.orNil)
            json.member("province", address.region.orNil)
            json.member("postal_code", address.postcode.orNil)
            // Monica has no member for a doubt, so a town is not given as the place of a house.
            let place = record.place
            let isTold = audience.form == .app || !place.isWeak || place.precision == .street
            json.member("latitude", isTold ? record.coordinate?.latitude : nil)
            json.member("longitude", isTold ? record.coordinate?.longitude : nil)
            if audience.form == .app {
                json.member("precision", record.precision)
                json.member("confidence", place.confidence)
                json.member("area_confidence", place.coordinate == nil ? nil : place.areaConfidence)
                json.member("is_weak", place.isWeak)
            }
            json.member("country") {
                $0.country(spelled: address.country, code: record.countryCode, in: audience.form)
            }
            json.member("url", audience.url("/addresses/\(record.id)"))
            json.account(audience)
            json.object("contact") { json in
                json.contactMembers(friend, for: audience)
                json.member("information", number: audience.form.constants.shortInformation)
            }
            json.member("created_at", record.createdAt)
            json.member("updated_at", record.updatedAt)
        }
    }

    /// https://www.monicahq.com/api/countries
    mutating func country(_ country: Country, in form: ContactForm) {
        self.country(code: country.code, name: country.name, in: form)
    }

    /// The members that Monica writes wherever a contact is mentioned.
    private mutating func contactMembers(_ friend: FriendRecord, for audience: ContactAudience) {
        // In Monica every contact has a first name.
        let hasParts = !friend.firstName.isEmpty || !friend.lastName.isEmpty
        member("id", friend.id)
        if audience.form == .monica {
            let id = MonicaID(of: "contact", friend.id, account: audience.account, made: friend.createdAt)
            member("uuid", id.uuid)
            member("hash_id", id.hash)
        }
        member("object", "contact")
        member("first_name", hasParts ? friend.firstName : friend.name)
        member("last_name", friend.lastName.orNil)
        member("nickname", friend.nickname.orNil)
        member("complete_name", friend.name)
        member("initials", initials(of: friend.name, in: audience.form))
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

    /// The initials of the first two words. Monica's are of all words that begin with an ASCII letter or digit, without
    /// accents.
    private func initials(of name: String, in form: ContactForm) -> String {
        let words = name.split(separator: " ")
        switch form {
        case .app: return String(words.prefix(2).compactMap(\.first))
        case .monica:
            return words.compactMap { $0.first.flatMap(Self.plainLetter) }.joined()
        }
    }

    private static func plainLetter(_ letter: Character) -> String? {
        if letter.isASCII { return letter.isLetter || letter.isNumber ? String(letter) : nil }
        guard let plain = Folding.loose(String(letter)).first, plain.isASCII, plain.isLetter || plain.isNumber else {
            return nil
        }
        return letter.isUppercase ? plain.uppercased() : String(plain)
    }

    private mutating func emptyList(_ name: String) {
        list(name, EmptyCollection<String>()) { $0.value($1) }
    }

    private mutating func nulls(_ names: [String]) {
        for name in names { null(name) }
    }

    private mutating func country(spelled spelling: String, code: String?, in form: ContactForm) {
        if let country = Country(code ?? spelling) {
            self.country(country, in: form)
        } else if spelling.isEmpty {
            value(nil as String?)
        } else {
            country(code: nil, name: spelling, in: form)
        }
    }

    /// A country without a code is an unknown spelling. Apps require an id: `/api` gets 0, which is not in ISO 3166-1,
    /// and Monica's form gets the stored text.
    private mutating func country(code: String?, name: String, in form: ContactForm) {
        object { json in
            switch form {
            case .app: json.member("id", code.flatMap(CountryNumber.of) ?? 0)
            case .monica: json.member("id", code ?? name)
            }
            json.member("object", "country")
            json.member("name", name)
            json.member("iso", code ?? (form == .monica ? name : ""))
        }
    }
}

extension String {
    var orNil: String? { isEmpty ? nil : self }
}
