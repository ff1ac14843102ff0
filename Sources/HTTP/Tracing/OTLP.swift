import CCurl
import Glibc
import JSON

/// Writes spans as OTLP in JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
///
/// There, ids of traces and spans are hexadecimal, times are texts, and kinds are numbers.
struct OTLP {
    /// The attributes of the process: `service.name` and others.
    let resource: [(name: String, value: String)]
    let version: String

    func request(_ spans: [Span], wall: WallClock = WallClock()) -> [UInt8] {
        JSONWriter.bytes { json in
            json.object { json in
                json.list("resourceSpans", [spans]) { json, spans in
                    json.object { json in
                        json.object("resource") { json in
                            json.attributes(resource.map { ($0.name, .text($0.value)) })
                        }
                        json.list("scopeSpans", [spans]) { json, spans in
                            json.object { json in
                                json.object("scope") { json in
                                    json.member("name", "waypost")
                                    json.member("version", version)
                                }
                                json.list("spans", spans) { $0.span($1, wall) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Converts monotonic instants to the present wall clock.
struct WallClock {
    private let now = ContinuousClock.now
    private let nanoseconds: Int64

    init() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Nanoseconds since 1970.
    func nanoseconds(at instant: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = now.duration(to: instant).components
        return nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

extension JSONWriter {
    fileprivate mutating func span(_ span: Span, _ wall: WallClock) {
        object { json in
            json.context(span.context)
            // Bit 8: the origin of the parent is known. Bit 9: the parent is in another process.
            let flags = 1 | 0x100 | (span.isParentRemote ? 0x200 : 0)
            json.member("flags", flags)
            if let parent = span.parent { json.member("parentSpanId", parent.span.text) }
            json.member("name", span.name)
            json.member("kind", span.kind.rawValue)
            let start = wall.nanoseconds(at: span.start)
            json.member("startTimeUnixNano", "\(start)")
            json.member("endTimeUnixNano", "\(max(start, wall.nanoseconds(at: span.end)))")
            json.attributes(span.attributes)
            if !span.links.isEmpty {
                json.list("links", span.links) { json, link in json.object { $0.context(link) } }
            }
            json.object("status") { if span.hasFailed { $0.member("code", 2) } }
        }
    }

    private mutating func context(_ context: SpanContext) {
        member("traceId", context.trace.text)
        member("spanId", context.span.text)
        if !context.state.isEmpty { member("traceState", context.state) }
    }

    fileprivate mutating func attributes(_ attributes: [(name: String, value: Span.Value)]) {
        list("attributes", attributes) { json, attribute in
            json.object { json in
                json.member("key", attribute.name)
                json.object("value") { json in
                    switch attribute.value {
                    case .text(let text): json.member("stringValue", text)
                    // JSON carries a 64-bit number as a text.
                    case .number(let number): json.member("intValue", "\(number)")
                    }
                }
            }
        }
    }
}
