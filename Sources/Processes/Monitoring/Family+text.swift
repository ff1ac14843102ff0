extension Family: MetricFamily {
    var signature: String {
        Kind.typeName + (labels.isEmpty ? "" : " with the labels \(labels.joined(separator: ", "))")
            + (detail.isEmpty ? "" : " and the buckets \(detail.map(number).joined(separator: ", "))")
    }

    /// The family in Prometheus' text format, with its series sorted by their labels.
    var text: String {
        var text = "# HELP \(name) \(escaped(help, quotes: false))\n# TYPE \(name) \(Kind.typeName)\n"
        for (values, instrument) in all.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            for sample in instrument.samples {
                text += name + sample.suffix + labelText(values, of: sample) + " \(number(sample.value))\n"
            }
        }
        return text
    }

    private func labelText(_ values: [String], of sample: Sample) -> String {
        var pairs = Array(zip(labels, values))
        if let label = sample.label { pairs.append((label.name, label.value)) }
        guard !pairs.isEmpty else { return "" }
        return "{" + pairs.map { "\($0)=\"\(escaped($1, quotes: true))\"" }.joined(separator: ",") + "}"
    }

    private func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// A number in Prometheus' format: whole numbers without a fraction, and special words for infinite values and NaN.
func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    return Int(exactly: value)?.description ?? value.description
}
