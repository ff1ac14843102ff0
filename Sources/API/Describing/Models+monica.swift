import Formats
import Geocoding
import JSON
import Shapes

/// The objects of one form of contacts. The name of each begins with `Monica` or `MonicaFour`.
struct MonicaModels: Sendable {
    let contact, contacts, deletedContact, newContact, changedContact: Model
    let newContactForm, changedContactForm, newAddressForm: Model?
    let address, addresses, newAddress, changedAddress, countries: Model

    static let app = Self(.app)
    static let monica = Self(.monica)

    private init(_ form: ContactForm) {
        contact = form.answer("Contact", form.contact)
        contacts = form.page("Contacts", of: form.contact)
        address = form.answer("Address", form.address)
        addresses = form.page("Addresses", of: form.address)
        countries = form.countries
        switch form {
        case .app:
            deletedContact = Models.monicaDeleted
            (newContact, changedContact) = (Models.monicaContactInput, Models.monicaContactInput)
            (newContactForm, changedContactForm, newAddressForm) = (nil, nil, nil)
            newAddress = Models.monicaAddress("MonicaNewAddress", hasContact: true)
            changedAddress = Models.monicaAddressInput
        case .monica:
            deletedContact = Model("MonicaFourDeleted") {
                Field("deleted", .always(true))
                Field("id", .text.matching("^[0-9]+$"), example: "1")
            }
            newContact = Models.monicaFourContact("Input")
            newContactForm = Models.monicaFourContact("Form", as: .form)
            changedContact = Models.monicaFourContact("Change", isChange: true)
            changedContactForm = Models.monicaFourContact("ChangeForm", as: .form, isChange: true)
            newAddress = Models.monicaFourAddress("Input")
            (changedAddress, newAddressForm) = (newAddress, Models.monicaFourAddress("Form"))
        }
    }
}

/// The objects that responses contain.
extension ContactForm {
    private var prefix: String { self == .app ? "Monica" : "MonicaFour" }

    private func link(_ path: String) -> JSONText { JSONText(stringLiteral: "https://waypost.example\(base)/\(path)") }

    fileprivate func answer(_ name: String, _ model: Model) -> Model {
        Model("\(prefix)\(name)Answer") { Field("data", .model(model)) }
    }

    fileprivate func page(_ name: String, of model: Model) -> Model {
        Model(prefix + name) {
            Field("data", .list(model, 0...100))
            Field("links", .model(Models.monicaLinks))
            Field("meta", .model(meta))
        }
    }

    fileprivate var contact: Model {
        Model("\(prefix)Contact") {
            contactMembers
            nulls(
                "description", "last_called", "last_activity_together", "stay_in_touch_frequency",
                "stay_in_touch_trigger_date")
            Field("information", information)
            Field("addresses", .list(address), example: [])
            Field("tags", .nothing)
            Field("statistics", statistics)
            moments
            if self == .monica {
                ["contactFields", "notes"].map { Field(ifAny: $0, .nothing, "Only with `with=contactfields`.") }
            }
        }
    }

    /// A contact as a part of an address.
    private var shortContact: Model {
        Model("\(prefix)ContactShort") {
            contactMembers
            Field("information", shortInformation)
        }
    }

    @Fields private var contactMembers: [Field] {
        Field("id", .id, example: 1)
        if self == .monica {
            Field("uuid", .uuid)
            Field("hash_id", .text.matching("^h:[A-Za-z0-9]{18}$"), example: "h:Zk3pQ9xLmA7sVd2Wyb")
        }
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
        Field("account", .model(Models.monicaAccount))
    }

    fileprivate var statistics: Kind {
        .object {
            ["calls", "notes", "activities", "reminders", "tasks", "gifts", "debts"].map {
                Field("number_of_\($0)", .always(0))
            }
        }
    }

    fileprivate var shortInformation: Kind {
        .object {
            unknownDates("birthdate", "deceased_date")
            Field("avatar", .model(avatar))
        }
    }

    fileprivate var information: Kind {
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

    fileprivate var address: Model {
        Model(
            "\(prefix)Address",
            self == .app
                ? "The coordinate is null while the address is not located."
                : "The coordinate is null while no place, or only a coarser one such as the town, is known."
        ) {
            Field("id", .id, example: 1)
            if self == .monica { Field("uuid", .uuid) }
            Field("object", .always("address"))
            Field("name", .text.orNull, example: "home")
            Field("street", .text.orNull, example: "1 Main St")
            Field("city", .text.orNull, example: "Reno")
            Field("province", .text.orNull)
            Field("postal_code", .text.orNull)
            Field("latitude", .number(-90...90).orNull, example: 39.5296)
            Field("longitude", .number(-180...180).orNull, example: -119.8138)
            if self == .app {
                Field(
                    "precision", .choice(Precision.allCases.map(\.rawValue)).orNull, "How exact the coordinate is.",
                    example: "rooftop")
                Field("confidence", .number(0...1).orNull, confidenceHelp, example: 0.9)
                Field("area_confidence", .number(0...1).orNull, areaConfidenceHelp, example: 0.9)
                Field("is_weak", .flag, "True if the coordinate is coarser than the address, such as its town.")
            }
            Field("country", .model(country).orNull, example: country.example)
            Field("url", .text, example: link("addresses/1"))
            Field("account", .model(Models.monicaAccount))
            Field("contact", .model(shortContact))
            moments
        }
    }

    private var country: Model {
        let summary =
            self == .app
            ? "`id` is the number of ISO 3166-1. It is 0, and `iso` is empty, where the spelling of an address's country is not known."
            : "`id` and `iso` are the code of two letters of ISO 3166-1, or the spelling where it is not known."
        return Model("\(prefix)Country", summary) {
            self == .app ? Field("id", .integer(0...999), example: 840) : Field("id", .text, example: "US")
            Field("object", .always("country"))
            Field("name", .text, example: "United States")
            Field("iso", self == .app ? .text.matching("^([A-Z]{2})?$") : .text, example: "US")
        }
    }

    fileprivate var countries: Model {
        Model("\(prefix)Countries") {
            switch self {
            case .app: Field("data", .list(country))
            case .monica:
                Field(
                    "data", .map(.model(country)), "By the codes in small letters, in the order of the names.",
                    example: ["us": country.example])
            }
        }
    }

    private var meta: Model {
        Model("\(prefix)Meta") {
            Field("current_page", .integer(1...), example: 1)
            Field("from", .integer.orNull, example: 1)
            Field("last_page", .integer(1...), example: 1)
            if self == .monica {
                Field(
                    "links", .list(Models.monicaFourLink),
                    "A row of page buttons; a gap has the label `...` and no address.")
            }
            Field("path", .text, example: link("contacts"))
            Field("per_page", .integer(1...100), example: self == .app ? 10 : 15)
            Field("to", .integer.orNull, example: 1)
            Field("total", .count, example: 1)
            Field(ifAny: "query", .text, "What was looked for, where something was.")
        }
    }

    private var avatar: Model {
        switch self {
        case .app:
            Model("MonicaNoAvatar", "Waypost stores no pictures.") { nulls("url", "source", "default_avatar_color") }
        // Monica has a text in each member, and an empty one for a picture that is not drawn yet.
        case .monica:
            Model("MonicaFourNoAvatar") {
                Field("url", .always(""))
                Field("source", .always("default"))
                Field("default_avatar_color", .text.matching("^#[0-9a-f]{6}$"), example: "#808080")
            }
        }
    }

    private var moments: [Field] {
        ["created_at", "updated_at"].map { Field($0, .moment, example: "2026-11-20T10:15:00Z") }
    }

    private func nulls(_ names: String...) -> [Field] { names.map { Field($0, Kind("null")) } }

    private func unknownDates(_ names: String...) -> [Field] {
        let date = Model("MonicaNoDate", "A date that Waypost does not store.") {
            nulls("is_age_based", "is_year_unknown", "date")
        }
        return names.map { Field($0, .model(date)) }
    }
}

/// Members with the same value for every contact, as JSON: the examples of their descriptions.
struct ContactConstants: Sendable {
    let information, shortInformation, statistics: String

    fileprivate init(_ form: ContactForm) {
        information = form.information.example.text
        shortInformation = form.shortInformation.example.text
        statistics = form.statistics.example.text
    }

    fileprivate static let app = Self(.app)
    fileprivate static let monica = Self(.monica)
}

extension ContactForm {
    var constants: ContactConstants { self == .app ? .app : .monica }
}

extension Kind {
    /// A list that is always empty.
    fileprivate static let nothing = Kind.list(.map(.anything), 0...0).with(example: [])
    fileprivate static let uuid = text.matching("^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
        .with("format", "uuid").with(example: "3f2a8c1e-5b7d-8e90-a1b2-c3d4e5f60718")
}

extension Models {
    static let monicaError = Model("MonicaError") {
        Field(
            "error",
            .object {
                Field(
                    "message",
                    Kind(rules: [("type", ["string", "array"]), ("items", ["type": "string"])], example: nil),
                    "A list where members or parameters are wrong.", example: "The resource has not been found.")
                Field("error_code", .integer, example: 31)
            })
    }

    static let monicaFourRefusal = Model("MonicaFourRefusal") {
        Field("message", .text, example: "Unauthenticated.")
    }

    fileprivate static let monicaAccount = Model("MonicaAccount") {
        Field("id", .integer, example: 1)
    }

    fileprivate static let monicaLinks = Model("MonicaLinks") {
        Field("first", .text, example: "https://waypost.example/api/contacts?page=1")
        Field("last", .text, example: "https://waypost.example/api/contacts?page=1")
        Field("prev", .text.orNull)
        Field("next", .text.orNull)
    }

    fileprivate static let monicaFourLink = Model("MonicaFourLink") {
        Field("url", .text.orNull, example: "https://waypost.example/monica/api/contacts?page=1")
        Field("label", .text, example: "1")
        Field("active", .flag, example: true)
    }

    static let monicaDeleted = Model("MonicaDeleted") {
        Field("deleted", .always(true))
        Field("id", .id, example: 1)
    }

    static let monicaFourMe = Model("MonicaFourMe") {
        Field(
            "data",
            .model(
                Model("MonicaFourUser") {
                    Field("id", .integer, example: 1)
                    Field("uuid", .uuid)
                    Field("object", .always("user"))
                    Field("first_name", .text, example: "default")
                    Field("last_name", .text, example: "")
                    Field("name", .text, example: "default")
                    Field("email", .text, example: "")
                    Field("me_contact", Kind("null"))
                    Field("timezone", .text, example: "UTC")
                    Field("currency", Kind("null"))
                    Field("locale", .text, example: "en")
                    Field("is_policy_compliant", .flag, example: true)
                    Field("account", .model(monicaAccount))
                    Field("created_at", Kind("null"))
                    Field("updated_at", Kind("null"))
                }))
    }
}

/// The objects that requests contain.
extension Models {
    fileprivate static let monicaContactInput = Model("MonicaContactInput", "Other members are ignored.") {
        ContactNames(&$0, in: .app)
    }

    static let monicaAddressInput = monicaAddress("MonicaAddressInput", hasContact: false)

    fileprivate static func monicaAddress(_ name: String, hasContact: Bool) -> Model {
        Model(
            name,
            "At least one of street, city, country and country_id must say where. Where country and country_id are both given, they must mean the same country. latitude and longitude are the contact's own position, which no provider overrides: both, or neither. In a change, the coordinate that the address has already changes nothing. Other members are ignored."
        ) { (hasContact ? $0.requiredID("contact_id") : nil, $0.address(as: .app)) }
        .with(
            "not", ["properties": ["street": blank, "city": blank, "country": blank, "country_id": ["type": "null"]]])
    }

    fileprivate static func monicaFourAddress(_ name: String) -> Model {
        Model(
            "MonicaFourAddress\(name)",
            "At least one of street, city and country must say where. Other members are ignored, and so are latitude and longitude: Waypost finds them."
        ) { ($0.requiredID("contact_id"), $0.address(as: .monica)) }
        .with("not", ["properties": ["street": blank, "city": blank, "country": blank]])
    }

    private static let blank: JSONText = ["type": ["string", "null"], "pattern": #"^\s*$"#]

    fileprivate static func monicaFourContact(
        _ name: String, as notation: RequestReader.Notation = .json, isChange: Bool = false
    ) -> Model {
        let summary =
            "The flags are demanded as Monica demands them, and not stored; in JSON, 0 and 1 do as well. Other members are ignored."
        return Model(
            "MonicaFourContact\(name)",
            isChange ? summary + " A name that is left out stays as it is." : summary, as: notation
        ) { ContactNames(&$0, in: .monica, isChange: isChange) }
    }
}
