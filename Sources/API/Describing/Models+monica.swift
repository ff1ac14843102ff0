import Formats
import Geocoding
import JSON
import Shapes

/// The objects of contacts in Monica's format. The name of each begins with `Monica`.
enum MonicaModels {
    static let contact = answer("Contact", contactObject)
    static let contacts = page("Contacts", of: contactObject)
    static let contactInput = Model("MonicaContactInput", "Other members are ignored.") { ContactNames(&$0) }

    static let address = answer("Address", addressObject)
    static let addresses = page("Addresses", of: addressObject)
    static let newAddress = addressInput("MonicaNewAddress", hasContact: true)
    static let addressInput = addressInput("MonicaAddressInput", hasContact: false)

    static let countries = Model("MonicaCountries") { Field("data", .list(country)) }

    static let deleted = Model("MonicaDeleted") {
        Field("deleted", .always(true))
        Field("id", .id, example: 1)
    }

    static let error = Model("MonicaError") {
        Field(
            "error",
            .object {
                Field(
                    "message",
                    Schema(rules: [("type", ["string", "array"]), ("items", ["type": "string"])], example: nil),
                    "A list where members or parameters are wrong.", example: "The resource has not been found.")
                Field("error_code", .integer, example: 31)
            })
    }

    /// Members with the same value for every contact, as JSON: the examples of their descriptions.
    static let (informationText, shortInformationText, statisticsText) = (
        information.example.text, shortInformation.example.text, statistics.example.text
    )

    private static func addressInput(_ name: String, hasContact: Bool) -> Model {
        let blank: JSONText = ["type": ["string", "null"], "pattern": #"^\s*$"#]
        return Model(
            name,
            "At least one of street, city, country and country_id must say where. Where country and country_id are both given, they must mean the same country. latitude and longitude are the contact's own position, which no provider overrides: both, or neither. In a change, the coordinate that the address has already changes nothing. Other members are ignored."
        ) { (hasContact ? $0.requiredID("contact_id") : nil, $0.address()) }
        .with(
            "not", ["properties": ["street": blank, "city": blank, "country": blank, "country_id": ["type": "null"]]])
    }
}

/// The objects that responses contain.
extension MonicaModels {
    private static func link(_ path: String) -> JSONText {
        JSONText(stringLiteral: "https://waypost.example/api/\(path)")
    }

    private static func answer(_ name: String, _ model: Model) -> Model {
        Model("Monica\(name)Answer") { Field("data", .model(model)) }
    }

    private static func page(_ name: String, of model: Model) -> Model {
        Model("Monica\(name)") {
            Field("data", .list(model, 0...100))
            Field("links", .model(links))
            Field("meta", .model(meta))
        }
    }

    private static var contactObject: Model {
        Model("MonicaContact") {
            contactMembers
            nulls(
                "description", "last_called", "last_activity_together", "stay_in_touch_frequency",
                "stay_in_touch_trigger_date")
            Field("information", information)
            Field("addresses", .list(addressObject), example: [])
            Field("tags", .nothing)
            Field("statistics", statistics)
            moments
        }
    }

    /// A contact as a part of an address.
    private static var shortContact: Model {
        Model("MonicaContactShort") {
            contactMembers
            Field("information", shortInformation)
        }
    }

    @ListBuilder<Field> private static var contactMembers: [Field] {
        Field("id", .id, example: 1)
        Field("object", .always("contact"))
        Field("first_name", .text, example: "Ada")
        Field("last_name", .text.orNull, example: "Lovelace")
        Field("nickname", .text.orNull)
        Field("complete_name", .text, example: "Ada Lovelace")
        Field("initials", .text, example: "AL")
        nulls("gender", "gender_type")
        Field("is_starred", .flag)
        Field("is_partial", .flag)
        Field("is_active", .flag, example: true)
        Field("is_dead", .flag)
        Field("is_me", .flag)
        Field("url", .text, example: link("contacts/1"))
        Field("account", .model(account))
    }

    private static var statistics: Schema {
        .object {
            ["calls", "notes", "activities", "reminders", "tasks", "gifts", "debts"].map {
                Field("number_of_\($0)", .always(0))
            }
        }
    }

    private static var shortInformation: Schema {
        .object {
            unknownDates("birthdate", "deceased_date")
            Field("avatar", .model(avatar))
        }
    }

    private static var information: Schema {
        .object {
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
            Field("dates", .object { unknownDates("birthdate", "deceased_date") })
            Field("career", .object { nulls("job", "company") })
            Field("avatar", .model(avatar))
            nulls("food_preferences")
            Field(
                "how_you_met",
                .object {
                    nulls("general_information")
                    unknownDates("first_met_date")
                    nulls("first_met_through_contact")
                })
        }
    }

    private static var addressObject: Model {
        Model("MonicaAddress", "The coordinate is null while the address is not located.") {
            Field("id", .id, example: 1)
            Field("object", .always("address"))
            Field("name", .text.orNull, example: "home")
            Field("street", .text.orNull, example: "1 Main St")
            Field("city", .text.orNull, example: "Reno")
            Field("province", .text.orNull)
            Field("postal_code", .text.orNull)
            Field("latitude", .number(-90...90).orNull, example: 39.5296)
            Field("longitude", .number(-180...180).orNull, example: -119.8138)
            Field(
                "precision", .choice(Precision.allCases.map(\.rawValue)).orNull, "How exact the coordinate is.",
                example: "rooftop")
            Field("confidence", .number(0...1).orNull, confidenceHelp, example: 0.9)
            Field("area_confidence", .number(0...1).orNull, areaConfidenceHelp, example: 0.9)
            Field("is_weak", .flag, "True if the coordinate is coarser than the address, such as its town.")
            Field("country", .model(country).orNull, example: country.example)
            Field("url", .text, example: link("addresses/1"))
            Field("account", .model(account))
            Field("contact", .model(shortContact))
            moments
        }
    }

    private static var country: Model {
        Model(
            "MonicaCountry",
            "`id` is the number of ISO 3166-1. It is 0, and `iso` is empty, where the spelling of an address's country is not known."
        ) {
            Field("id", .integer(0...999), example: 840)
            Field("object", .always("country"))
            Field("name", .text, example: "United States")
            Field("iso", .text.matching("^([A-Z]{2})?$"), example: "US")
        }
    }

    private static var links: Model {
        Model("MonicaLinks") {
            Field("first", .text, example: link("contacts?page=1"))
            Field("last", .text, example: link("contacts?page=1"))
            Field("prev", .text.orNull)
            Field("next", .text.orNull)
        }
    }

    private static var meta: Model {
        Model("MonicaMeta") {
            Field("current_page", .integer(1...), example: 1)
            Field("from", .integer.orNull, example: 1)
            Field("last_page", .integer(1...), example: 1)
            Field("path", .text, example: link("contacts"))
            Field("per_page", .integer(1...100), example: 10)
            Field("to", .integer.orNull, example: 1)
            Field("total", .count, example: 1)
            Field(ifAny: "query", .text, "What was looked for, where something was.")
        }
    }

    private static var avatar: Model {
        Model("MonicaNoAvatar", "Waypost knows no pictures.") { nulls("url", "source", "default_avatar_color") }
    }

    private static var account: Model { Model("MonicaAccount") { Field("id", .integer, example: 1) } }

    private static var moments: [Field] {
        ["created_at", "updated_at"].map { Field($0, .moment, example: "2026-11-20T10:15:00Z") }
    }

    private static func nulls(_ names: String...) -> [Field] { names.map { Field($0, .null) } }

    private static func unknownDates(_ names: String...) -> [Field] {
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
