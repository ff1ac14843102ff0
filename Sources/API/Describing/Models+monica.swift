import Formats
import JSON

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

    static let monicaAccount = Model("MonicaAccount") {
        Field("id", .integer, example: 1)
    }

    static let monicaCountry = Model(
        "MonicaCountry",
        "`id` is the number of ISO 3166-1. It is 0, and `iso` is empty, where the spelling of an address's country is not known."
    ) {
        Field("id", .integer(0...999), example: 840)
        Field("object", .always("country"))
        Field("name", .text, example: "United States")
        Field("iso", .text.matching("^([A-Z]{2})?$"), example: "US")
    }

    static let monicaContactShort = Model("MonicaContactShort") {
        Field("id", .id, example: 1)
        Field("object", .always("contact"))
        Field("first_name", .text, example: "Ada")
        Field("last_name", .text.orNull, example: "Lovelace")
        Field("nickname", .text.orNull)
        Field("complete_name", .text, example: "Ada Lovelace")
        Field("initials", .text, example: "AL")
        Field("gender", Kind("null"))
        Field("gender_type", Kind("null"))
        Field("is_starred", .flag)
        Field("is_partial", .flag)
        Field("is_active", .flag, example: true)
        Field("is_dead", .flag)
        Field("is_me", .flag)
        Field("url", .text, example: "https://waypost.example/api/contacts/1")
        Field("account", .model(monicaAccount))
        Field(
            "information",
            .object {
                Field("birthdate", .model(monicaNoDate))
                Field("deceased_date", .model(monicaNoDate))
                Field("avatar", .model(monicaNoAvatar))
            })
    }

    static let monicaContact = Model("MonicaContact") {
        Field("id", .id, example: 1)
        Field("object", .always("contact"))
        Field("first_name", .text, example: "Ada")
        Field("last_name", .text.orNull, example: "Lovelace")
        Field("nickname", .text.orNull)
        Field("complete_name", .text, example: "Ada Lovelace")
        Field("initials", .text, example: "AL")
        Field("gender", Kind("null"))
        Field("gender_type", Kind("null"))
        Field("is_starred", .flag)
        Field("is_partial", .flag)
        Field("is_active", .flag, example: true)
        Field("is_dead", .flag)
        Field("is_me", .flag)
        Field("url", .text, example: "https://waypost.example/api/contacts/1")
        Field("account", .model(monicaAccount))
        Field("description", Kind("null"))
        Field("last_called", Kind("null"))
        Field("last_activity_together", Kind("null"))
        Field("stay_in_touch_frequency", Kind("null"))
        Field("stay_in_touch_trigger_date", Kind("null"))
        Field(
            "information",
            .object {
                Field(
                    "relationships",
                    .object {
                        Field(
                            "love",
                            .object {
                                Field("total", .always(0))
                                Field("contacts", .list(.map(.anything), 0...0), example: [])
                            })
                        Field(
                            "family",
                            .object {
                                Field("total", .always(0))
                                Field("contacts", .list(.map(.anything), 0...0), example: [])
                            })
                        Field(
                            "friend",
                            .object {
                                Field("total", .always(0))
                                Field("contacts", .list(.map(.anything), 0...0), example: [])
                            })
                        Field(
                            "work",
                            .object {
                                Field("total", .always(0))
                                Field("contacts", .list(.map(.anything), 0...0), example: [])
                            })
                    })
                Field(
                    "dates",
                    .object {
                        Field("birthdate", .model(monicaNoDate))
                        Field("deceased_date", .model(monicaNoDate))
                    })
                Field(
                    "career",
                    .object {
                        Field("job", Kind("null"))
                        Field("company", Kind("null"))
                    })
                Field("avatar", .model(monicaNoAvatar))
                Field("food_preferences", Kind("null"))
                Field(
                    "how_you_met",
                    .object {
                        Field("general_information", Kind("null"))
                        Field("first_met_date", .model(monicaNoDate))
                        Field("first_met_through_contact", Kind("null"))
                    })
            })
        Field("addresses", .list(monicaAddress), example: [])
        Field("tags", .list(.map(.anything), 0...0), example: [])
        Field(
            "statistics",
            .object {
                Field("number_of_calls", .always(0))
                Field("number_of_notes", .always(0))
                Field("number_of_activities", .always(0))
                Field("number_of_reminders", .always(0))
                Field("number_of_tasks", .always(0))
                Field("number_of_gifts", .always(0))
                Field("number_of_debts", .always(0))
            })
        Field("created_at", .moment, example: "2026-11-20T10:15:00Z")
        Field("updated_at", .moment, example: "2026-11-20T10:15:00Z")
    }

    static let monicaAddress = Model("MonicaAddress", "The coordinate is null while the address is not located.") {
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
            "country", .model(monicaCountry).orNull,
            example: ["id": 840, "object": "country", "name": "United States", "iso": "US"])
        Field("url", .text, example: "https://waypost.example/api/addresses/1")
        Field("account", .model(monicaAccount))
        Field("contact", .model(monicaContactShort))
        Field("created_at", .moment, example: "2026-11-20T10:15:00Z")
        Field("updated_at", .moment, example: "2026-11-20T10:15:00Z")
    }

    static let monicaLinks = Model("MonicaLinks") {
        Field("first", .text, example: "https://waypost.example/api/contacts?page=1")
        Field("last", .text, example: "https://waypost.example/api/contacts?page=1")
        Field("prev", .text.orNull)
        Field("next", .text.orNull)
    }

    static let monicaMeta = Model("MonicaMeta") {
        Field("current_page", .integer(1...), example: 1)
        Field("from", .integer.orNull, example: 1)
        Field("last_page", .integer(1...), example: 1)
        Field("path", .text, example: "https://waypost.example/api/contacts")
        Field("per_page", .integer(1...100), example: 10)
        Field("to", .integer.orNull, example: 1)
        Field("total", .count, example: 1)
        Field(ifAny: "query", .text, "What was looked for, where something was.")
    }

    static let monicaDeleted = Model("MonicaDeleted") {
        Field("deleted", .always(true))
        Field("id", .id, example: 1)
    }

    static let monicaContactInput = Model("MonicaContactInput", "Other members are ignored.", allowsOthers: true) {
        Field("first_name", .text(1...2000).matching(#"^[^\u0000]*$"#), example: "Ada")
        Field(ifAny: "last_name", .line.orNull, example: "Lovelace")
        Field(ifAny: "nickname", .line.orNull)
    }

    static let monicaAddressInput = Model(
        "MonicaAddressInput",
        "At least one of street, city, country and country_id must say where. Where country and country_id are both given, they must mean the same country. Other members are ignored.",
        allowsOthers: true
    ) {
        Field(ifAny: "name", .line.orNull, example: "home")
        Field(ifAny: "street", .line.orNull, example: "1 Main St")
        Field(ifAny: "city", .line.orNull, example: "Reno")
        Field(ifAny: "province", .line.orNull, example: "NV")
        Field(ifAny: "postal_code", .line.orNull, example: "89501")
        Field(ifAny: "country", .line.orNull, "A code of ISO 3166-1, or any spelling.", example: "US")
        Field(
            ifAny: "country_id",
            Kind(rules: [("type", ["integer", "string", "null"])], example: nil).with("minimum", 1).with("maximum", 999)
                .with("pattern", "^([0-9]{1,3}|[A-Za-z]{2,3})$"),
            "The country by ISO 3166-1: its number, also as digits, or its code of two or three letters.")
    }.with("not", noAddressWithID)

    static let monicaContactAnswer = Model("MonicaContactAnswer") {
        Field("data", .model(monicaContact))
    }

    static let monicaAddressAnswer = Model("MonicaAddressAnswer") {
        Field("data", .model(monicaAddress))
    }

    static let monicaContacts = Model("MonicaContacts") {
        Field("data", .list(monicaContact, 0...100))
        Field("links", .model(monicaLinks))
        Field("meta", .model(monicaMeta))
    }

    static let monicaAddresses = Model("MonicaAddresses") {
        Field("data", .list(monicaAddress, 0...100))
        Field("links", .model(monicaLinks))
        Field("meta", .model(monicaMeta))
    }

    static let monicaCountries = Model("MonicaCountries") {
        Field("data", .list(monicaCountry))
    }

    static let monicaNewAddress = Model(
        "MonicaNewAddress",
        "At least one of street, city, country and country_id must say where. Where country and country_id are both given, they must mean the same country. Other members are ignored.",
        allowsOthers: true
    ) {
        Field("contact_id", .integer(1...9_007_199_254_740_992), example: 1)
        Field(ifAny: "name", .line.orNull, example: "home")
        Field(ifAny: "street", .line.orNull, example: "1 Main St")
        Field(ifAny: "city", .line.orNull, example: "Reno")
        Field(ifAny: "province", .line.orNull, example: "NV")
        Field(ifAny: "postal_code", .line.orNull, example: "89501")
        Field(ifAny: "country", .line.orNull, "A code of ISO 3166-1, or any spelling.")
        Field(
            ifAny: "country_id",
            Kind(rules: [("type", ["integer", "string", "null"])], example: nil).with("minimum", 1).with("maximum", 999)
                .with("pattern", "^([0-9]{1,3}|[A-Za-z]{2,3})$"),
            "The country by ISO 3166-1: its number, also as digits, or its code of two or three letters.", example: 840)
    }.with("not", noAddressWithID)

    static let monicaNoDate = Model("MonicaNoDate", "A date that Waypost does not know.") {
        Field("is_age_based", Kind("null"))
        Field("is_year_unknown", Kind("null"))
        Field("date", Kind("null"))
    }

    static let monicaNoAvatar = Model("MonicaNoAvatar", "Waypost knows no pictures.") {
        Field("url", Kind("null"))
        Field("source", Kind("null"))
        Field("default_avatar_color", Kind("null"))
    }

    static let monicaFourContactShort = Model("MonicaFourContactShort") {
        Field("id", .id, example: 1)
        Field(
            "uuid",
            .text.matching("^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$").with(
                "format", "uuid"), example: "3f2a8c1e-5b7d-8e90-a1b2-c3d4e5f60718")
        Field("hash_id", .text.matching("^h:[A-Za-z0-9]{18}$"), example: "h:Zk3pQ9xLmA7sVd2Wyb")
        Field("object", .always("contact"))
        Field("first_name", .text, example: "Ada")
        Field("last_name", .text.orNull, example: "Lovelace")
        Field("nickname", .text.orNull)
        Field("complete_name", .text, example: "Ada Lovelace")
        Field("initials", .text, example: "AL")
        Field("gender", Kind("null"))
        Field("gender_type", Kind("null"))
        Field("is_starred", .flag)
        Field("is_partial", .flag)
        Field("is_active", .flag, example: true)
        Field("is_dead", .flag)
        Field("is_me", .flag)
        Field("url", .text, example: "https://waypost.example/monica/api/contacts/1")
        Field("account", .model(monicaAccount))
        Field(
            "information",
            .object {
                Field("birthdate", .model(monicaNoDate))
                Field("deceased_date", .model(monicaNoDate))
                Field("avatar", .model(monicaFourNoAvatar))
            })
    }

    static let monicaFourContact = Model("MonicaFourContact") {
        Field("id", .id, example: 1)
        Field(
            "uuid",
            .text.matching("^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$").with(
                "format", "uuid"), example: "3f2a8c1e-5b7d-8e90-a1b2-c3d4e5f60718")
        Field("hash_id", .text.matching("^h:[A-Za-z0-9]{18}$"), example: "h:Zk3pQ9xLmA7sVd2Wyb")
        Field("object", .always("contact"))
        Field("first_name", .text, example: "Ada")
        Field("last_name", .text.orNull, example: "Lovelace")
        Field("nickname", .text.orNull)
        Field("complete_name", .text, example: "Ada Lovelace")
        Field("initials", .text, example: "AL")
        Field("gender", Kind("null"))
        Field("gender_type", Kind("null"))
        Field("is_starred", .flag)
        Field("is_partial", .flag)
        Field("is_active", .flag, example: true)
        Field("is_dead", .flag)
        Field("is_me", .flag)
        Field("url", .text, example: "https://waypost.example/monica/api/contacts/1")
        Field("account", .model(monicaAccount))
        Field("description", Kind("null"))
        Field("last_called", Kind("null"))
        Field("last_activity_together", Kind("null"))
        Field("stay_in_touch_frequency", Kind("null"))
        Field("stay_in_touch_trigger_date", Kind("null"))
        Field(
            "information",
            .object {
                Field(
                    "relationships",
                    .object {
                        Field(
                            "love",
                            .object {
                                Field("total", .always(0))
                                Field("contacts", .list(.map(.anything), 0...0), example: [])
                            })
                        Field(
                            "family",
                            .object {
                                Field("total", .always(0))
                                Field("contacts", .list(.map(.anything), 0...0), example: [])
                            })
                        Field(
                            "friend",
                            .object {
                                Field("total", .always(0))
                                Field("contacts", .list(.map(.anything), 0...0), example: [])
                            })
                        Field(
                            "work",
                            .object {
                                Field("total", .always(0))
                                Field("contacts", .list(.map(.anything), 0...0), example: [])
                            })
                    })
                Field(
                    "dates",
                    .object {
                        Field("birthdate", .model(monicaNoDate))
                        Field("deceased_date", .model(monicaNoDate))
                    })
                Field(
                    "career",
                    .object {
                        Field("job", Kind("null"))
                        Field("company", Kind("null"))
                    })
                Field("avatar", .model(monicaFourNoAvatar))
                Field("food_preferences", Kind("null"))
                Field(
                    "how_you_met",
                    .object {
                        Field("general_information", Kind("null"))
                        Field("first_met_date", .model(monicaNoDate))
                        Field("first_met_through_contact", Kind("null"))
                    })
            })
        Field("addresses", .list(monicaFourAddress), example: [])
        Field("tags", .list(.map(.anything), 0...0), example: [])
        Field(
            "statistics",
            .object {
                Field("number_of_calls", .always(0))
                Field("number_of_notes", .always(0))
                Field("number_of_activities", .always(0))
                Field("number_of_reminders", .always(0))
                Field("number_of_tasks", .always(0))
                Field("number_of_gifts", .always(0))
                Field("number_of_debts", .always(0))
            })
        Field("created_at", .moment, example: "2026-11-20T10:15:00Z")
        Field("updated_at", .moment, example: "2026-11-20T10:15:00Z")
        Field(ifAny: "contactFields", .list(.map(.anything), 0...0), "Only with `with=contactfields`.")
        Field(ifAny: "notes", .list(.map(.anything), 0...0), "Only with `with=contactfields`.")
    }

    static let monicaFourAddress = Model(
        "MonicaFourAddress", "The coordinate is null while the address is not located."
    ) {
        Field("id", .id, example: 1)
        Field(
            "uuid",
            .text.matching("^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$").with(
                "format", "uuid"), example: "3f2a8c1e-5b7d-8e90-a1b2-c3d4e5f60718")
        Field("object", .always("address"))
        Field("name", .text.orNull, example: "home")
        Field("street", .text.orNull, example: "1 Main St")
        Field("city", .text.orNull, example: "Reno")
        Field("province", .text.orNull)
        Field("postal_code", .text.orNull)
        Field("latitude", .number(-90...90).orNull, example: 39.5296)
        Field("longitude", .number(-180...180).orNull, example: -119.8138)
        Field(
            "country", .model(monicaFourCountry).orNull,
            example: ["id": "US", "object": "country", "name": "United States", "iso": "US"])
        Field("url", .text, example: "https://waypost.example/monica/api/addresses/1")
        Field("account", .model(monicaAccount))
        Field("contact", .model(monicaFourContactShort))
        Field("created_at", .moment, example: "2026-11-20T10:15:00Z")
        Field("updated_at", .moment, example: "2026-11-20T10:15:00Z")
    }

    static let monicaFourMeta = Model("MonicaFourMeta") {
        Field("current_page", .integer(1...), example: 1)
        Field("from", .integer.orNull, example: 1)
        Field("last_page", .integer(1...), example: 1)
        Field("links", .list(monicaFourLink), "A row of page buttons; a gap has the label `...` and no address.")
        Field("path", .text, example: "https://waypost.example/monica/api/contacts")
        Field("per_page", .integer(1...100), example: 15)
        Field("to", .integer.orNull, example: 1)
        Field("total", .count, example: 1)
        Field(ifAny: "query", .text, "What was looked for, where something was.")
    }

    static let monicaFourContactAnswer = Model("MonicaFourContactAnswer") {
        Field("data", .model(monicaFourContact))
    }

    static let monicaFourAddressAnswer = Model("MonicaFourAddressAnswer") {
        Field("data", .model(monicaFourAddress))
    }

    static let monicaFourContacts = Model("MonicaFourContacts") {
        Field("data", .list(monicaFourContact, 0...100))
        Field("links", .model(monicaLinks))
        Field("meta", .model(monicaFourMeta))
    }

    static let monicaFourAddresses = Model("MonicaFourAddresses") {
        Field("data", .list(monicaFourAddress, 0...100))
        Field("links", .model(monicaLinks))
        Field("meta", .model(monicaFourMeta))
    }

    static let monicaFourNoAvatar = Model("MonicaFourNoAvatar") {
        Field("url", .always(""))
        Field("source", .always("default"))
        Field("default_avatar_color", .text.matching("^#[0-9a-f]{6}$"), example: "#808080")
    }

    static let monicaFourCountry = Model(
        "MonicaFourCountry",
        "`id` and `iso` are the code of two letters of ISO 3166-1, or the spelling where it is not known."
    ) {
        Field("id", .text, example: "US")
        Field("object", .always("country"))
        Field("name", .text, example: "United States")
        Field("iso", .text, example: "US")
    }

    static let monicaFourCountries = Model("MonicaFourCountries") {
        Field(
            "data", .map(.model(monicaFourCountry)), "By the codes in small letters, in the order of the names.",
            example: ["us": ["id": "US", "object": "country", "name": "United States", "iso": "US"]])
    }

    static let monicaFourLink = Model("MonicaFourLink") {
        Field("url", .text.orNull, example: "https://waypost.example/monica/api/contacts?page=1")
        Field("label", .text, example: "1")
        Field("active", .flag, example: true)
    }

    static let monicaFourDeleted = Model("MonicaFourDeleted") {
        Field("deleted", .always(true))
        Field("id", .text.matching("^[0-9]+$"), example: "1")
    }

    static let monicaFourUser = Model("MonicaFourUser") {
        Field("id", .integer, example: 1)
        Field(
            "uuid",
            .text.matching("^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$").with(
                "format", "uuid"), example: "3f2a8c1e-5b7d-8e90-a1b2-c3d4e5f60718")
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
    }

    static let monicaFourMe = Model("MonicaFourMe") {
        Field("data", .model(monicaFourUser))
    }

    static let monicaFourRefusal = Model("MonicaFourRefusal") {
        Field("message", .text, example: "Unauthenticated.")
    }

    static let monicaFourContactInput = Model(
        "MonicaFourContactInput",
        "The flags are demanded as Monica demands them, and not stored; in JSON, 0 and 1 do as well. Other members are ignored.",
        allowsOthers: true
    ) {
        Field("first_name", .text(1...255).matching(#"^[^\u0000]*$"#), example: "Ada")
        Field(ifAny: "middle_name", .text(within: .monica).orNull)
        Field(ifAny: "last_name", .text(within: .monica).orNull, example: "Lovelace")
        Field(ifAny: "nickname", .text(within: .monica).orNull)
        Field("is_birthdate_known", .flag)
        Field("is_deceased", .flag)
        Field("is_deceased_date_known", .flag)
    }

    static let monicaFourContactForm = Model(
        "MonicaFourContactForm",
        "The flags are demanded as Monica demands them, and not stored; in JSON, 0 and 1 do as well. Other members are ignored.",
        allowsOthers: true
    ) {
        Field("first_name", .text(1...255).matching(#"^[^\u0000]*$"#), example: "Ada")
        Field(ifAny: "middle_name", .text(within: .monica).orNull)
        Field(ifAny: "last_name", .text(within: .monica).orNull, example: "Lovelace")
        Field(ifAny: "nickname", .text(within: .monica).orNull)
        Field("is_birthdate_known", .integer.with("enum", [0, 1]), example: 0)
        Field("is_deceased", .integer.with("enum", [0, 1]), example: 0)
        Field("is_deceased_date_known", .integer.with("enum", [0, 1]), example: 0)
    }

    static let monicaFourContactChange = Model(
        "MonicaFourContactChange",
        "The flags are demanded as Monica demands them, and not stored; in JSON, 0 and 1 do as well. Other members are ignored. A name that is left out stays as it is.",
        allowsOthers: true
    ) {
        Field("first_name", .text(1...255).matching(#"^[^\u0000]*$"#), example: "Ada")
        Field(ifAny: "middle_name", .text(within: .monica).orNull)
        Field(ifAny: "last_name", .text(within: .monica).orNull, example: "Lovelace")
        Field(ifAny: "nickname", .text(within: .monica).orNull)
        Field("is_birthdate_known", .flag)
        Field(ifAny: "is_deceased", .flag, example: false)
        Field("is_deceased_date_known", .flag)
    }

    static let monicaFourContactChangeForm = Model(
        "MonicaFourContactChangeForm",
        "The flags are demanded as Monica demands them, and not stored; in JSON, 0 and 1 do as well. Other members are ignored. A name that is left out stays as it is.",
        allowsOthers: true
    ) {
        Field("first_name", .text(1...255).matching(#"^[^\u0000]*$"#), example: "Ada")
        Field(ifAny: "middle_name", .text(within: .monica).orNull)
        Field(ifAny: "last_name", .text(within: .monica).orNull, example: "Lovelace")
        Field(ifAny: "nickname", .text(within: .monica).orNull)
        Field("is_birthdate_known", .integer.with("enum", [0, 1]), example: 0)
        Field(ifAny: "is_deceased", .integer.with("enum", [0, 1]), example: 0)
        Field("is_deceased_date_known", .integer.with("enum", [0, 1]), example: 0)
    }

    static let monicaFourAddressInput = Model(
        "MonicaFourAddressInput",
        "At least one of street, city and country must say where. Other members are ignored, and so are latitude and longitude: Waypost finds them.",
        allowsOthers: true
    ) {
        Field("contact_id", .integer(1...9_007_199_254_740_992), example: 1)
        Field(ifAny: "name", .text(within: .monica).orNull, example: "home")
        Field(ifAny: "street", .text(within: .monica).orNull, example: "1 Main St")
        Field(ifAny: "city", .text(within: .monica).orNull, example: "Reno")
        Field(ifAny: "province", .text(within: .monica).orNull, example: "NV")
        Field(ifAny: "postal_code", .text(within: .monica).orNull, example: "89501")
        Field(ifAny: "country", .text(within: .monicaCountry).orNull, "A code of ISO 3166-1.", example: "US")
    }.with("not", noAddress)

    static let monicaFourAddressForm = Model(
        "MonicaFourAddressForm",
        "At least one of street, city and country must say where. Other members are ignored, and so are latitude and longitude: Waypost finds them.",
        allowsOthers: true
    ) {
        Field("contact_id", .integer(1...9_007_199_254_740_992), example: 1)
        Field(ifAny: "name", .text(within: .monica).orNull, example: "home")
        Field(ifAny: "street", .text(within: .monica).orNull, example: "1 Main St")
        Field(ifAny: "city", .text(within: .monica).orNull, example: "Reno")
        Field(ifAny: "province", .text(within: .monica).orNull, example: "NV")
        Field(ifAny: "postal_code", .text(within: .monica).orNull, example: "89501")
        Field(ifAny: "country", .text(within: .monicaCountry).orNull, "A code of ISO 3166-1.", example: "US")
    }.with("not", noAddress)

    /// An address without content.
    private static let noAddress: JSONText = [
        "properties": ["street": blank, "city": blank, "country": blank]
    ]

    private static let noAddressWithID: JSONText = [
        "properties": ["street": blank, "city": blank, "country": blank, "country_id": ["type": "null"]]
    ]

    private static let blank: JSONText = ["type": ["string", "null"], "pattern": #"^\s*$"#]
}
