import Formats
import JSON
import Queue
import Shapes

/// The named objects of the API's description that have no shape of their own.
enum Models {}

extension Models {
    static let problem = Model("Problem", "RFC 9457") {
        Field("title", .text, example: "Bad Request")
        Field("status", .integer(400...599), example: 400)
        Field(
            "code", .choice(ProblemCode.allCases.map(\.rawValue)), "What went wrong, for programs. New words may come.",
            example: "invalid_parameters")
        Field("detail", .text, example: "The request has parameters that can't be used.")
        Field(
            ifAny: "errors",
            .list(
                .object {
                    Field("field", .text, example: "limit")
                    Field("detail", .text, example: "is not a whole number from 1 to 1000")
                }, 1 ... .max))
    }

    static let feedAddressInput = Model(
        "FeedAddressInput", "One without street, city, country and `formatted` is refused.", allowsOthers: true
    ) {
        Field(ifAny: "label", .text(0...2000).orNull, example: "home")
        Field(ifAny: "street", .text(0...2000).orNull, example: "1 Main St")
        Field(ifAny: "city", .text(0...2000).orNull, example: "Reno")
        Field(ifAny: "region", .text(0...2000).orNull, example: "NV")
        Field(ifAny: "postcode", .text(0...2000).orNull, example: "89501")
        Field(ifAny: "country", .text(0...2000).orNull, example: "US")
        Field(
            ifAny: "formatted", .text(0...2000).orNull, "All of it on one line; read where street and city are blank.")
        Field(ifAny: "latitude", .number.orNull, "With `longitude` the contact's own position.")
        Field(ifAny: "longitude", .number.orNull)
    }

    static let feedFriendInput = Model("FeedFriendInput", "As a line of a feed.", allowsOthers: true) {
        Field(ifAny: "key", .text, "May be left out; else that of the path.")
        Field("name", .text(0...2000), example: "Ada Lovelace")
        Field(ifAny: "first_name", .text(0...2000).orNull)
        Field(ifAny: "last_name", .text(0...2000).orNull)
        Field(ifAny: "nickname", .text(0...2000).orNull)
        Field(
            ifAny: "addresses", .list(feedAddressInput, 0...1000).orNull,
            example: [["label": "home", "street": "1 Main St", "city": "Reno", "country": "US"]])
    }

    static let questionInput = Model("QuestionInput", "One address: on one line, or in its parts.") { $0.question() }

    static let questionListInput = Model("QuestionListInput") {
        Field(
            "addresses", .list(.either(.text(1...2000).matching(#"^[^\u0000]*$"#), .model(questionInput)), 1...10000),
            example: ["1 Main St, Reno, NV 89501", ["city": "Helsinki", "country": "FI"]])
    }
}

extension Models {
    static let fix = Model("Fix") {
        Field(
            ifAny: "id", .text(0...200).orNull,
            "With the timestamp it tells a fix that comes twice. By default made from user, time and place.")
        Field("lat", .number(-90...90), example: 60.17)
        Field("lng", .number(-180...180), example: 24.94)
        Field(ifAny: "accuracy", .number(0...).orNull, "Metres.", example: 5)
        Field(
            "timestamp", Schema(rules: [("type", ["string", "number"])], example: nil),
            "RFC 3339, or seconds or milliseconds since 1970.", example: "2026-11-20T10:15:00Z")
        Field(ifAny: "wait_time", .number(0...).orNull, "Seconds that the phone stayed there.")
        Field(ifAny: "user", .text)
        Field(ifAny: "uploaded", .flag)
        Field(ifAny: "removed", .flag)
        Field(ifAny: "fixes", .list(.anything))
        Field(ifAny: "place", .text.orNull)
    }
}

/// Bodies of requests, and of errors, in Monica's format. The name of each begins with `Monica`.
enum MonicaModels {
    static let contactInput = Model("MonicaContactInput", "Other members are ignored.") { ContactNames(&$0) }

    static let newAddress = addressInput("MonicaNewAddress", hasContact: true)
    static let addressInput = addressInput("MonicaAddressInput", hasContact: false)

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
