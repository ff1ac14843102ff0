import Formats
import JSON
import Queue

extension Models {
    static let laneChange = Model("LaneChange") { LaneSetting.all.map(\.field) }

    static let laneInput = Model("LaneInput", allowsOthers: true) {
        Field("name", .text(1...60).matching("^[a-z0-9_-]+$"), example: "spare")
        Field(ifAny: "batch", .integer(1...100_000).orNull, example: 1)
    }

    static let limitsInput = Model("LimitsInput", allowsOthers: true) {
        Field(
            "limits",
            .list(
                .object(allowsOthers: true) {
                    Field("calls", .number(1e-06...1_000_000_000), example: 20)
                    Field("per_seconds", .integer(1...31_622_400), example: 1)
                    Field(ifAny: "burst", .number(1...1_000_000_000).orNull)
                }, 0...16), "At most one for each length of time. An empty list makes the lane unlimited.")
    }

    static let pauseInput = Model("PauseInput", allowsOthers: true) {
        Field(ifAny: "reason", .line.orNull, "For whoever reads the log.", example: "the provider is being moved")
    }

    static let acceptInput = Model("AcceptInput", allowsOthers: true) {
        Field(ifAny: "candidate", .integer(1...100).orNull, "1 for the first.", example: 1)
    }

    static let pinInput = Model("PinInput", allowsOthers: true) {
        Field("latitude", .number(-90...90), example: 39.52)
        Field("longitude", .number(-180...180), example: -119.81)
    }

    static let jobSelection = Model("JobSelection", allowsOthers: true) {
        Field(
            ifAny: "ids", .list(.id, 0...1000).orNull, "Only these jobs. Not together with `lane`, `reason` or `all`.")
        Field(ifAny: "lane", .line.orNull, example: "gazetteer")
        Field(ifAny: "reason", .line.orNull, "A part of the last failure's text.")
        Field(ifAny: "all", .flag.orNull, "True where neither `ids`, `lane` nor `reason` are given.")
        Field(ifAny: "dry_run", .flag.orNull, "Only count.", example: true)
    }

    static let hurryInput = Model("HurryInput", allowsOthers: true) {
        Field(ifAny: "subject", .integer(1...2_147_483_647).orNull, "Only this question, in a job of its own.")
    }

    static let jobHurried = Model("JobHurried") {
        Field("job", .integer, "The job that goes first now.", example: 53)
    }

    static let jobsRetried = Model("JobsRetried") {
        Field("dry_run", .flag)
        Field("dead", .count, example: 3)
        Field("delayed", .count, example: 2)
        Field("revived", .count, example: 3)
        Field("obsolete", .count, "Dead jobs with nothing left to ask, which were deleted.", example: 0)
        Field("hastened", .count, example: 2)
    }

    static let jobsCancelled = Model("JobsCancelled") {
        Field("dry_run", .flag)
        Field("waiting", .count, example: 3)
        Field("cancelled", .count, example: 3)
    }

    static let jobsDiscarded = Model("JobsDiscarded") {
        Field("dry_run", .flag)
        Field("dead", .count, example: 3)
        Field("discarded", .count, example: 3)
    }

    static let chainInput = Model("ChainInput") {
        Field(ifAny: "name", .text, "Ignored: the path has the name.")
        Field(
            "links",
            .list(
                .object {
                    Field("lane", .text.matching("^[a-z0-9_-]{1,60}$"), example: "gazetteer")
                    Field(ifAny: "countries", .list(.text, 1 ... .max).orNull)
                    Field(ifAny: "below", .number(0...1).orNull)
                    Field(ifAny: "stop", .precision.orNull, example: "rooftop")
                    Field(ifAny: "steps", .list(.text, 1 ... .max).orNull)
                }, 1...50))
        Field(ifAny: "located", .number(0...1).orNull, example: 0.75)
        Field(ifAny: "review", .number(0...1).orNull)
        Field(ifAny: "keep_not_found_days", .integer(1...36_500).orNull)
        Field(ifAny: "keep_failed_days", .integer(1...36_500).orNull)
        Field(ifAny: "shares_houses", .flag.orNull)
    }

    static let answerSelection = Model("AnswerSelection", allowsOthers: true) {
        Field(ifAny: "provider", .line.orNull, example: "nominatim")
        Field(
            ifAny: "status", .choice(["located", "needs_review", "not_found", "failed", "forgotten", ""]).orNull,
            example: "not_found")
        Field(ifAny: "older_seconds", .integer(1...3_162_240_000).orNull, example: 2_592_000)
        Field(ifAny: "all", .flag.orNull, "True where there is no filter.")
        Field(ifAny: "dry_run", .flag.orNull, "Only count.", example: true)
    }

    static let rematchSelection = Model("RematchSelection", allowsOthers: true) {
        Field(ifAny: "provider", .line.orNull, example: "gazetteer")
        Field(
            ifAny: "precision",
            .choice(["rooftop", "interpolated", "street", "postcode", "city", "region", "country", ""]).orNull)
        Field(
            ifAny: "status", .choice(["located", "needs_review", "not_found", "failed", ""]).orNull,
            "By default, located.")
        Field(ifAny: "countries", .list(.text.matching("^[A-Z]{2}$")).orNull, "Codes of ISO 3166-1.", example: ["DE"])
        Field(ifAny: "weak", .flag.orNull, "Only answers that are coarser than what was asked.")
        Field(ifAny: "below", .number(0...1).orNull, "Only answers whose confidence is less.", example: 0.8)
        Field(ifAny: "older_seconds", .integer(1...3_162_240_000).orNull)
        Field(ifAny: "chain", .line.orNull, "The chain to ask along; by default that of the account.")
        Field(ifAny: "limit", .integer(1...1_000_000_000).orNull, "How many questions at most.", example: 1000)
        Field(ifAny: "all", .flag.orNull, "True where there is no filter.")
        Field(ifAny: "dry_run", .flag.orNull, "Only say what it would take.", example: true)
    }

    static let tokenInput = Model("TokenInput") {
        Field("name", .text(1...200).matching(#"^[^\u0000]*$"#), example: "map")
        Field(
            "scopes",
            .list(.choice(["read", "write", "track", "locate", "admin"]), 1 ... .max).with("uniqueItems", true),
            example: ["read"])
        Field(
            ifAny: "user", .text(1...200).matching(#"^[^\u0000]*$"#),
            "The one user that the token is good for. It goes with the scopes track and locate only.")
        Field(
            ifAny: "expires_seconds", .integer(1...3_162_240_000).orNull,
            "By default it is good for as long as the token of the request.", example: 7_776_000)
    }

    static let configuredProvider = Model("ConfiguredProvider") {
        Field("name", .text, example: "nominatim")
        Field(
            "storage",
            .object {
                Field(
                    "rule", .choice(["unlimited", "days", "session"]),
                    "For how long its terms let an answer be kept: as long as one likes, for so many days, or only while it is being worked with."
                )
                Field("days", .integer.orNull)
            })
        Field("attribution", .text.orNull, example: "© OpenStreetMap contributors")
        Field("batch", .integer(1...), example: 1)
        Field("can_reverse", .flag, example: true)
        Field("finest", .text, example: "rooftop")
        Field("countries", .list(.text).orNull, "Null for the whole world.")
        Field(
            "limits",
            .list(
                .object {
                    Field("calls", .integer, example: 1)
                    Field("per_seconds", .number, example: 1)
                }), "Those of its terms; a lane may have others.")
    }

    static let setting = Model("Setting") {
        Field("name", .text, example: "WAYPOST_CONNECTIONS")
        Field("value", .text.orNull, "Null for a secret, and for what has no value.", example: "4")
        Field("is_secret", .flag)
        Field("is_set", .flag, "Whether the environment sets it; else it has its default.")
    }

    static let settings = Model("Settings") {
        Field("version", .text, example: "0.1.0")
        Field(
            "database",
            .object {
                Field("version", .text, example: "15.14")
                Field("migration", .integer, example: 9)
                Field(
                    "roles",
                    .list(
                        .object {
                            Field("name", .text, example: "waypost_api")
                            Field("is_there", .flag, example: true)
                            Field("is_permitted", .flag, "Whether this coordinator's login may take it.", example: true)
                        }))
            })
        Field(
            "coordinators",
            .list(
                .object {
                    Field("host", .text, example: "host-7")
                    Field("pid", .integer, example: 4711)
                    Field("leads", .flag, example: true)
                    Field("age_seconds", .number, example: 3600.5)
                    Field("silent_seconds", .number, example: 1.2)
                }))
        Field("settings", .list(setting))
        Field("providers", .list(configuredProvider))
    }
}

extension LaneSetting {
    /// The member of a body that changes the setting.
    fileprivate var field: Field {
        let kind: Kind =
            switch values {
            case .count(let range, let canBeNone): canBeNone ? Kind.integer(range).orNull : .integer(range)
            case .time(let range):
                .number(range.lowerBound / .seconds(1)...range.upperBound / .seconds(1))
            case .price(let most):
                Kind.object {
                    Field("per_1000_calls", .number(0...most), example: 5)
                    Field("currency", .text.matching("^[A-Z]{3}$"), example: "EUR")
                }.orNull
            }
        let shown: JSONText? =
            switch example {
            case .count(let count): count.map { JSONText(integerLiteral: $0) }
            case .time(let time): JSONText(floatLiteral: time / .seconds(1))
            case .price: nil
            }
        return Field(ifAny: member, kind, help, example: shown ?? kind.example)
    }
}
