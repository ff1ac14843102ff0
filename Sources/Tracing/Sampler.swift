/// Which traces are kept: https://opentelemetry.io/docs/specs/otel/trace/sdk/#sampling
package struct Sampler: Hashable, Sendable {
    /// The share of the traces that are kept: of those that begin here, or of all.
    let ratio: Double
    /// Who is in somebody's trace does as they decided.
    let heedsParent: Bool

    package static let usual = Sampler(ratio: 1, heedsParent: true)

    /// By the name and the argument that the standard's variables have; nil for a name that we don't know, or a ratio that is none.
    package init?(name: String, argument: String?) {
        let rule = name.hasPrefix("parentbased_") ? String(name.dropFirst("parentbased_".count)) : name
        heedsParent = rule != name
        switch rule {
        case "always_on": ratio = 1
        case "always_off": ratio = 0
        case "traceidratio":
            guard let share = Double(argument ?? "1"), (0...1).contains(share) else { return nil }
            ratio = share
        default: return nil
        }
    }

    package static let names = [
        "always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off",
        "parentbased_traceidratio",
    ]

    private init(ratio: Double, heedsParent: Bool) {
        self.ratio = ratio
        self.heedsParent = heedsParent
    }

    /// The same for each process that asks about a trace, as the lower bits of its number decide.
    package func keeps(_ trace: TraceID, under parent: SpanContext?) -> Bool {
        if heedsParent, let parent { return parent.isSampled }
        return ratio >= 1 || Double(trace.low >> 8) < ratio * Double(1 << 56 as UInt64)
    }
}
