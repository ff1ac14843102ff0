/// The ids of a trace and of a span in it, which are passed from process to process.
/// https://www.w3.org/TR/trace-context/
package struct SpanContext: Hashable, Sendable {
    package let trace: TraceID
    package let span: SpanID
    /// True if spans of this trace are kept.
    let isSampled: Bool
    /// The `tracestate` of other systems, passed on unchanged.
    package let state: String

    package init(trace: TraceID, span: SpanID = .random(), isSampled: Bool, state: String = "") {
        self.trace = trace
        self.span = span
        self.isSampled = isSampled
        self.state = state
    }

    /// Another span of the same trace.
    package func sibling() -> SpanContext { SpanContext(trace: trace, isSampled: isSampled, state: state) }
}

/// 128 random bits, not all of them zero.
package struct TraceID: Hashable, Sendable {
    let high, low: UInt64

    package static func random() -> Self { Self(high: .random(in: .min ... .max), low: .random(in: 1 ... .max)) }

    /// 32 digits.
    package var text: String { hex(high) + hex(low) }
}

/// 64 random bits, not all of them zero.
package struct SpanID: Hashable, Sendable {
    let bits: UInt64

    package static func random() -> Self { Self(bits: .random(in: 1 ... .max)) }

    /// 16 digits.
    package var text: String { hex(bits) }
}

extension SpanContext {
    /// Parses a `traceparent` header; nil if it is not valid. An unknown version may have more fields after the known
    /// ones.
    package init?(traceparent text: String, tracestate states: [String] = []) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, let version = number(parts[0], digits: 2), version != 0xFF,
            version > 0 || parts.count == 4,
            parts[1].utf8.count == 32, let high = number(parts[1].prefix(16), digits: 16),
            let low = number(parts[1].suffix(16), digits: 16), high != 0 || low != 0,
            let span = number(parts[2], digits: 16), span != 0, let flags = number(parts[3], digits: 2)
        else { return nil }
        self.init(
            trace: TraceID(high: high, low: low), span: SpanID(bits: span), isSampled: flags & 1 == 1,
            state: Self.state(of: states))
    }

    package var traceparent: String { "00-\(trace.text)-\(span.text)-\(isSampled ? "01" : "00")" }

    /// Both headers as one text for the queue: `traceparent`, then a space and `tracestate`.
    package var text: String { state.isEmpty ? traceparent : "\(traceparent) \(state)" }

    package init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let parent = parts.first else { return nil }
        self.init(traceparent: String(parent), tracestate: parts.dropFirst().map(String.init))
    }

    /// Several headers form one list. A list is dropped if it is longer than systems must pass on, or if it would need
    /// quoting.
    private static func state(of headers: [String]) -> String {
        let members = headers.joined(separator: ",").split(separator: ",")
            .map { member in member.drop { $0 == " " || $0 == "\t" } }
            .filter { !$0.isEmpty }
        let state = members.joined(separator: ",")
        let isPlain = state.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isPlain && members.count <= 32 && state.utf8.count <= 512 ? state : ""
    }
}

private func hex(_ bits: UInt64) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

/// A hexadecimal number with exactly this many digits, in lower case as the standard requires.
private func number(_ text: Substring, digits: Int) -> UInt64? {
    let isHex = text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
    return isHex && text.utf8.count == digits ? UInt64(text, radix: 16) : nil
}

/// The current span of a task.
package enum TraceScope {
    /// Nil outside of a trace, and in a trace that is not kept: then no context is passed on.
    @TaskLocal package static var current: SpanContext?
}
