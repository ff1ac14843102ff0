import Formats
import JSON

extension Models {
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
