import Formats
import JSON
import Shapes

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
