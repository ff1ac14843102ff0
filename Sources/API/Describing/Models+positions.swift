import Formats
import JSON

extension Models {
    static let tracker = Model("Tracker", allowsOthers: true) {
        Field("user", .text, example: "ada")
        Field("tracking", .flag, "Whether fixes are taken in.")
        Field("switched_at", .moment.orNull, "Since when it is on or off.", example: "2026-11-20T10:15:00.000Z")
        Field("last_fix_at", .moment.orNull, example: "2026-11-20T10:15:00.000Z")
        Field("radius", .number, "Metres. A fix so near to a location extends its wait time.", example: 60)
        Field("top_speed", .number, "Metres a second. A faster fix is doubted.", example: 350)
        Field(
            "longest_gap", .number, "Seconds. A stay does not go on after a longer time without a fix.", example: 43_200
        )
        Field("keeps_doubted", .flag, "Whether a doubted fix is kept.", example: true)
        Field("newest_first", .flag, "Whether the newest location is uploaded first.")
        Field("sink", .text.orNull, "Where the locations are uploaded to.", example: "app")
        Field(
            "sign_in", .choice(["unneeded", "missing", "valid", "refused"]),
            "Whether the user is signed in, where the sink asks for that. If not, the locations are only stored.",
            example: "missing")
        Field(
            "refused_fixes",
            .list(
                .object {
                    Field(
                        "reason",
                        .choice([
                            "not_on_earth", "null_island", "invalid_accuracy", "too_old", "in_the_future",
                            "invalid_wait_time", "too_fast", "unreadable", "not_valid", "encrypted", "untracked", "off",
                            "no_tracker",
                        ]), example: "in_the_future")
                    Field("count", .integer(1...), example: 12)
                    Field("last_at", .moment, example: "2026-11-20T10:15:00.000Z")
                }), "Fixes that were not kept, by reason. A fix that was sent again counts again.")
        Field(ifAny: "locations", .count, "Stored locations, where they were asked for.")
        Field(ifAny: "due", .count, "Those that the sink doesn't have as they are.")
        Field(ifAny: "refused", .count, "Those that the sink doesn't want.")
    }

    static let trackers = Model("Trackers", allowsOthers: true) {
        Field("data", .list(tracker))
        Field("next_after", .text.orNull)
    }

    static let trackerSettings = Model("TrackerSettings", allowsOthers: true) {
        Field(ifAny: "radius", .number(1...10_000).byDefault(50).orNull, example: 60)
        Field(ifAny: "top_speed", .number(1...30_000_000).byDefault(350).orNull)
        Field(
            ifAny: "longest_gap", .number(60...31_622_400).byDefault(43_200).orNull,
            "Seconds. A stay does not go on after a longer time without a fix.")
        Field(ifAny: "keeps_doubted", .flag.byDefault(true).orNull)
        Field(
            ifAny: "since", .moment.orNull, "Fixes count from this moment on; by default from now.",
            example: "2026-11-01T00:00:00Z")
        Field(ifAny: "newest_first", .flag, "Whether the newest location is uploaded first.")
        Field(
            ifAny: "sink", .text.orNull,
            "Where the locations are uploaded to; null: nowhere. A new tracker has the account's default sink.")
    }

    static let fix = Model("Fix") {
        Field(
            ifAny: "id", .text(0...200).orNull,
            "With the timestamp it tells a fix that comes twice. By default made from user, time and place.")
        Field("lat", .number(-90...90), example: 60.17)
        Field("lng", .number(-180...180), example: 24.94)
        Field(ifAny: "accuracy", .number(0...).orNull, "Metres.", example: 5)
        Field(
            "timestamp", Kind(rules: [("type", ["string", "number"])], example: nil),
            "RFC 3339, or seconds or milliseconds since 1970.", example: "2026-11-20T10:15:00Z")
        Field(ifAny: "wait_time", .number(0...).orNull, "Seconds that the phone stayed there.")
        Field(ifAny: "user", .text)
        Field(ifAny: "uploaded", .flag)
        Field(ifAny: "removed", .flag)
        Field(ifAny: "fixes", .list(.anything))
        Field(ifAny: "place", .text.orNull)
    }

    static let fixSummary = Model("FixSummary", allowsOthers: true) {
        Field("taken", .count, "Stored as part of a location.", example: 1)
        Field("repeated", .count, "Stored before.", example: 0)
        Field("doubted", .count, "Stored, but too far from the fix before for the time between them.", example: 0)
        Field("too_fast", .count, "As doubted, and not stored.", example: 0)
        Field("untracked", .count, "Of a time when tracking was off; not stored.", example: 0)
        Field("refused", .count, "Can't be true, or can't be read; not stored.", example: 0)
        Field(
            "refusals",
            .list(
                .object {
                    Field("index", .count, example: 1)
                    Field("reason", .text, example: "a")
                    Field(
                        "code",
                        .choice([
                            "not_on_earth", "null_island", "invalid_accuracy", "too_old", "in_the_future",
                            "invalid_wait_time", "too_fast", "unreadable", "not_valid", "encrypted", "untracked", "off",
                            "no_tracker",
                        ]), "The reason as a word.")
                    Field(
                        "may_retry", .flag,
                        "The fix is less than a day ahead of the clock. Send it again when its time has come.")
                }), "The first hundred.", example: [])
    }

    static let currentLocation = Model("CurrentLocation", allowsOthers: true) {
        Field("lat", .number, example: 60.18)
        Field("lng", .number, example: 24.94)
        Field("timestamp", .moment, example: "2026-11-20T10:15:00.000Z")
    }.with("type", ["object", "null"])

    static let location = Model("Location", allowsOthers: true) {
        Field("id", .text, example: "FoIO8ULIQVkn1EL4OmAC")
        Field("user", .text, example: "stream")
        Field("lat", .number, example: 60)
        Field("lng", .number, example: 24.94)
        Field("accuracy", .number.orNull, example: 5)
        Field("timestamp", .moment, example: "2026-11-20T10:15:00.000Z")
        Field("wait_time", .number(0...), "Seconds from the timestamp to the end of the last fix there.", example: 60)
        Field("uploaded", .flag)
        Field(
            "place", .text.orNull, "What is there, where it is known: `waypost locations name` asks for it.",
            example: nil)
    }

    static let locations = Model("Locations", allowsOthers: true) {
        Field("data", .list(location))
        Field("next_after", .text.orNull)
    }

    static let erased = Model("Erased", allowsOthers: true) {
        Field("fixes", .count, example: 2)
        Field("locations", .count, example: 1)
    }

    static let signIn = Model("SignIn", allowsOthers: true) {
        Field(ifAny: "userId", .line, "The user at Firebase.", example: "u1")
        Field(
            "idToken", .text(1...2000).matching(#"^[^\u0000]*\S[^\u0000]*$"#), "What requests carry.",
            example: "eyJhbGciOi…")
        Field(
            "refreshToken", .text(1...2000).matching(#"^[^\u0000]*\S[^\u0000]*$"#), "For what a new idToken is given.",
            example: "AMf-vBx…")
        Field(
            "expiresAt", .number(0...253_402_300_799), "When idToken ends, in seconds since 1970.",
            example: 1_795_173_300)
    }
}
