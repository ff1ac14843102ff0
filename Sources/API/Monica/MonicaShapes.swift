import Access
import Contacts
import Formats
import Geocoding
import HTTP
import JSON
import Shapes

/// Contacts, addresses and countries in the format of Monica's API. Members that we don't have are null, false or
/// empty.

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

/// https://www.monicahq.com/api/contacts
struct MonicaContact: MonicaItem {
    let friend: FriendRecord
    let audience: ContactAudience

    static let pageName = "MonicaContacts"

    static let shape = Shape<MonicaContact>("MonicaContact", "") {
        Including { Mentioned(contact: $0) }
        Member.nulls(
            "description", "last_called", "last_activity_together", "stay_in_touch_frequency",
            "stay_in_touch_trigger_date")
        Member("information", always: information)
        Member("addresses", example: []) { contact in
            contact.friend.addresses.map { MonicaAddress(record: $0, contact: contact) }
        }
        Member("tags", always: .nothing)
        Member("statistics", always: statistics)
        Member("created_at", example: "2026-11-20T10:15:00Z") { $0.friend.createdAt }.format("date-time")
        Member("updated_at", example: "2026-11-20T10:15:00Z") { $0.friend.updatedAt }.format("date-time")
    }

    /// The members that Monica writes wherever a contact is mentioned.
    struct Mentioned: Shaped {
        let contact: MonicaContact

        static let shape = Shape<Mentioned>("", "") {
            Member("id", example: 1) { $0.contact.friend.id }.bounds(1)
            Member("object", always: .always("contact"))
            // In Monica every contact has a first name.
            Member("first_name", example: "Ada") { mentioned in
                let friend = mentioned.contact.friend
                return friend.firstName.isEmpty && friend.lastName.isEmpty ? friend.name : friend.firstName
            }
            Member("last_name", example: "Lovelace") { $0.contact.friend.lastName.orNil }
            Member("nickname") { $0.contact.friend.nickname.orNil }
            Member("complete_name", example: "Ada Lovelace") { $0.contact.friend.name }
            Member("initials", example: "AL") {
                String($0.contact.friend.name.split(separator: " ").prefix(2).compactMap(\.first))
            }
            Member.nulls("gender", "gender_type")
            Member("is_starred", always: .flag)
            Member("is_partial", always: .flag)
            Member("is_active", always: .flag.with(example: true))
            Member("is_dead", always: .flag)
            Member("is_me", always: .flag)
            Member("url", example: "https://waypost.example/api/contacts/1") {
                $0.contact.audience.url("/contacts/\($0.contact.friend.id)")
            }
            Member("account") { MonicaAccount(id: $0.contact.audience.account) }
        }
    }

    /// A contact as a part of an address.
    struct Short: Shaped {
        let contact: MonicaContact

        static let shape = Shape<Short>("MonicaContactShort", "") {
            Including { Mentioned(contact: $0.contact) }
            Member("information", always: shortInformation)
        }
    }

    private static let statistics = Schema.object {
        ["calls", "notes", "activities", "reminders", "tasks", "gifts", "debts"].map {
            Field("number_of_\($0)", .always(0))
        }
    }

    private static let shortInformation = Schema.object {
        Field.unknownDates("birthdate", "deceased_date")
        Field("avatar", .model(avatar))
    }

    private static let information = Schema.object {
        Field(
            "relationships",
            .object {
                ["love", "family", "friend", "work"].map { kind in
                    Field(
                        kind,
                        .object {
                            Field("total", .always(0))
                            Field("contacts", .nothing)
                        })
                }
            })
        Field("dates", .object { Field.unknownDates("birthdate", "deceased_date") })
        Field("career", .object { Field.nulls("job", "company") })
        Field("avatar", .model(avatar))
        Field.nulls("food_preferences")
        Field(
            "how_you_met",
            .object {
                Field.nulls("general_information")
                Field.unknownDates("first_met_date")
                Field.nulls("first_met_through_contact")
            })
    }

    private static let avatar = Model("MonicaNoAvatar", "Waypost knows no pictures.") {
        Field.nulls("url", "source", "default_avatar_color")
    }
}

/// https://www.monicahq.com/api/addresses
struct MonicaAddress: MonicaItem {
    let record: AddressRecord
    let contact: MonicaContact

    init(record: AddressRecord, contact: MonicaContact) { (self.record, self.contact) = (record, contact) }

    /// The only address of a friend.
    init?(_ friend: FriendRecord, for audience: ContactAudience) {
        guard let record = friend.addresses.first else { return nil }
        self.init(record: record, contact: MonicaContact(friend: friend, audience: audience))
    }

    static let pageName = "MonicaAddresses"

    static let shape = Shape<MonicaAddress>(
        "MonicaAddress", "The coordinate is null while the address is not located."
    ) {
        Member("id", example: 1) { $0.record.id }.bounds(1)
        Member("object", always: .always("address"))
        Member("name", example: "home") { $0.record.label.orNil }
        Member("street", example: "1 Main St") { $0.record.address.street.orNil }
        Member("city", example: "Reno") { $0.record.address.city.orNil }
        Member("province") { $0.record.address.region.orNil }
        Member("postal_code") { $0.record.address.postcode.orNil }
        Member("latitude", example: 39.5296) { $0.record.coordinate?.latitude }.bounds(-90, 90)
        Member("longitude", example: -119.8138) { $0.record.coordinate?.longitude }.bounds(-180, 180)
        Member("precision", "How exact the coordinate is.", example: .rooftop) { $0.record.place.precision }
        Member("confidence", confidenceHelp, example: 0.9) { $0.record.place.confidence }.bounds(0, 1)
        Member("area_confidence", areaConfidenceHelp, example: 0.9) {
            $0.record.place.coordinate == nil ? nil : $0.record.place.areaConfidence
        }.bounds(0, 1)
        Member("is_weak", "True if the coordinate is coarser than the address, such as its town.") {
            $0.record.place.isWeak
        }
        Member("country") { MonicaCountry(spelled: $0.record.address.country, code: $0.record.countryCode) }
        Member("url", example: "https://waypost.example/api/addresses/1") {
            $0.contact.audience.url("/addresses/\($0.record.id)")
        }
        Member("account") { MonicaAccount(id: $0.contact.audience.account) }
        Member("contact") { MonicaContact.Short(contact: $0.contact) }
        Member("created_at", example: "2026-11-20T10:15:00Z") { $0.record.createdAt }.format("date-time")
        Member("updated_at", example: "2026-11-20T10:15:00Z") { $0.record.updatedAt }.format("date-time")
    }
}

/// https://www.monicahq.com/api/countries
struct MonicaCountry: Shaped {
    let code: String?
    let name: String

    init(code: String?, name: String) { (self.code, self.name) = (code, name) }

    /// Nil if the address has no country.
    init?(spelled spelling: String, code: String?) {
        if let country = Country(code ?? spelling) {
            self.init(code: country.code, name: country.name)
        } else if spelling.isEmpty {
            return nil
        } else {
            self.init(code: nil, name: spelling)
        }
    }

    static let shape = Shape<MonicaCountry>(
        "MonicaCountry",
        "`id` is the number of ISO 3166-1. It is 0, and `iso` is empty, where the spelling of an address's country is not known."
    ) {
        // Apps require an id. 0 is not in ISO 3166-1.
        Member("id", example: 840) { $0.code.flatMap(CountryNumber.of) ?? 0 }.bounds(0, 999)
        Member("object", always: .always("country"))
        Member("name", example: "United States") { $0.name }
        Member("iso", example: "US") { $0.code ?? "" }.pattern("^([A-Z]{2})?$")
    }
}

struct MonicaCountries: Shaped {
    static let shape = Shape<MonicaCountries>("MonicaCountries", "") {
        Member("data") { _ in Country.all.map { MonicaCountry(code: $0.code, name: $0.name) } }
    }
}

struct MonicaAccount: Shaped {
    let id: Int

    static let shape = Shape<MonicaAccount>("MonicaAccount", "") { Member("id", example: 1) { $0.id } }
}

struct MonicaDeleted: Shaped {
    let id: Int

    static let shape = Shape<MonicaDeleted>("MonicaDeleted", "") {
        Member("deleted", always: .always(true))
        Member("id", example: 1) { $0.id }.bounds(1)
    }
}

/// A contact or an address.
protocol MonicaItem: Shaped {
    static var pageName: String { get }
}

/// One contact or address as a response.
struct MonicaAnswer<Item: MonicaItem>: JSONRepresentable {
    let item: Item

    func write(to json: inout JSONWriter) { json.object { $0.member("data") { item.write(to: &$0) } } }

    static var schema: Schema { .model(Model("\(Item.shape.info.name)Answer") { Field("data", Item.schema) }) }
}

/// A list with the members that Laravel adds to each page.
struct MonicaPage<Item: MonicaItem>: JSONRepresentable {
    let items: [Item]
    let links: MonicaLinks
    let meta: MonicaMeta

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.list("data", items) { $1.write(to: &$0) }
            json.member("links") { links.write(to: &$0) }
            json.member("meta") { meta.write(to: &$0) }
        }
    }

    static var schema: Schema {
        .model(
            Model(Item.pageName) {
                Field("data", .list(Item.schema, 0...PageSize.monica.most))
                Field("links", MonicaLinks.schema)
                Field("meta", MonicaMeta.schema)
            })
    }
}

struct MonicaLinks: Shaped {
    let first, last: String, previous, next: String?

    static let shape = Shape<MonicaLinks>("MonicaLinks", "") {
        Member("first", example: "https://waypost.example/api/contacts?page=1") { $0.first }
        Member("last", example: "https://waypost.example/api/contacts?page=1") { $0.last }
        Member("prev") { $0.previous }
        Member("next") { $0.next }
    }
}

struct MonicaMeta: Shaped {
    let page: ContactPage, count: Int, total: Int, last: Int, path: String, query: String?

    static let shape = Shape<MonicaMeta>("MonicaMeta", "") {
        Member("current_page", example: 1) { $0.page.number }.bounds(1)
        Member("from", example: 1) { $0.count == 0 ? nil : $0.page.offset + 1 }
        Member("last_page", example: 1) { $0.last }.bounds(1)
        Member("path", example: "https://waypost.example/api/contacts") { $0.path }
        Member("per_page", example: 10) { $0.page.limit }.bounds(1, 100)
        Member(ifAny: "query", "What was looked for, where something was.") { $0.query }
        Member("to", example: 1) { $0.count == 0 ? nil : $0.page.offset + $0.count }
        Member("total", example: 1) { $0.total }
    }
}

extension Member {
    fileprivate static func nulls(_ names: String...) -> [Member] { names.map { Member($0, always: .null) } }
}

extension Field {
    fileprivate static func nulls(_ names: String...) -> [Field] { names.map { Field($0, .null) } }

    fileprivate static func unknownDates(_ names: String...) -> [Field] {
        let date = Model("MonicaNoDate", "A date that Waypost does not know.") {
            nulls("is_age_based", "is_year_unknown", "date")
        }
        return names.map { Field($0, .model(date)) }
    }
}

extension Schema {
    /// A list that is always empty.
    fileprivate static let nothing = Schema.list(.map(.anything), 0...0).with(example: [])
}

extension String {
    var orNil: String? { isEmpty ? nil : self }
}
