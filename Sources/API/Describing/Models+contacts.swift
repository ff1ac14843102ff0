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
