/// Decides which traces are kept: https://opentelemetry.io/docs/specs/otel/trace/sdk/#sampling
package struct Sampler: Hashable, Sendable {
    /// The share of the traces that are kept. With the parent rule it applies only to traces that begin here.
    let ratio: Double
    /// A span inside another process's trace follows the decision of that process.
    let heedsParent: Bool

    package static let usual = Sampler(ratio: 1, heedsParent: true)

    /// The values are those of the standard's variables. Nil for an unknown name or an invalid ratio.
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

    /// Every process decides the same for a trace, because the decision depends only on its id.
    package func keeps(_ trace: TraceID, under parent: SpanContext?) -> Bool {
        if heedsParent, let parent { return parent.isSampled }
        return ratio >= 1 || Double(trace.low >> 8) < ratio * Double(1 << 56 as UInt64)
    }
}
