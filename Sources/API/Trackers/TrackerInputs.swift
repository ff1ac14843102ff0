import Formats
import FoundationEssentials
import JSON
import Locations
import Processes
import Shapes

struct TrackersQuery: QueryInput {
    let limit: Int, after: String, counts: Bool

    init(_ query: inout RequestReader) {
        limit = query.limit(.records)
        after = query.text("after", within: .user, "`next_after` of the page before.", example: "ada") ?? ""
        counts =
            query.value(
                "add", .choice(["counts"]), "`counts` adds how many locations of each user are stored.",
                example: "counts", refusal: "is not counts"
            ) { $0.text == "counts" ? true : nil } ?? false
    }
}

struct TrackerStart: BodyInput {
    static let name = "TrackerSettings"
    static let isRequired = false
    var settings = TrackerSettings()
    let since: Double?

    init(_ body: inout RequestReader) {
        settings.radius = body.number("radius", in: 1...10_000, usual: 50, example: 60)
        settings.topSpeed = body.number("top_speed", in: 1...30_000_000, usual: 350)
        settings.longestGap = body.number(
            "longest_gap", in: 60...31_622_400,
            "Seconds. A stay does not go on after a longer time without a fix.", usual: 43_200)
        settings.keepsDoubted = body.flag("keeps_doubted", usual: true)
        since = body.moment(
            "since", "Fixes count from this moment on; by default from now.", example: "2026-11-01T00:00:00Z")
        // Otherwise the tracker would be on and accept nothing.
        if let since, since > Date().timeIntervalSince1970 + 60 { body.mistake("since", "is in the future") }
        settings.newestFirst = body.flag("newest_first", "Whether the newest location is uploaded first.")
        let sink = body.text(
            "sink", schema: .text, within: .user,
            "Where the locations are uploaded to; null: nowhere. A new tracker has the account's default sink.")
        if body.isGiven("sink") { settings.sink = sink?.orNil.map { .sink(named: $0) } ?? .nowhere }
    }
}

/// The first moment, and the moment after the last.
struct SpanQuery: QueryInput {
    let from: Double?, until: Double?

    init(_ query: inout RequestReader) {
        from = query.moment("from", "The first moment.", example: "2026-11-20T00:00:00Z")
        until = query.moment("until", "The moment after the last.", example: "2026-11-21T00:00:00Z")
    }
}

struct LocationsQuery: QueryInput {
    let span: SpanQuery, uploaded: Bool?, limit: Int, after: LocationCursor?

    init(_ query: inout RequestReader) {
        span = SpanQuery(&query)
        uploaded = query.flag("uploaded", example: false)
        limit = query.limit(.places)
        after = query.after(
            #"^[0-9]{1,18}-[^\u0000]{0,200}$"#, example: "1795169700000-FoIO8ULIQVkn1EL4OmAC", LocationCursor.init)
    }
}

extension StoredLocation {
    var cursor: LocationCursor { LocationCursor(timestamp: timestamp, id: id) }
}

extension LocationCursor {
    /// `MILLISECONDS-ID`
    var text: String { "\(Int(clamping: timestamp * 1_000))-\(id)" }

    fileprivate init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int(digits: String(parts[0])),
            case let timestamp = Double(milliseconds) / 1_000, Timestamp.range.contains(timestamp)
        else { return nil }
        self.init(timestamp: timestamp, id: String(parts[1]))
    }
}
