/// The numbers of this process, for Prometheus to collect.
///
///     let metrics = Metrics()
///     let calls = metrics.counter("waypost_calls_total", "Calls to providers.", labels: "lane", "outcome")
///     calls["nominatim", "located"].add()
///     respond(metrics.text)
///
/// To ask again for a name gives the same numbers, so rooms needn't hand them to each other. Updating them is cheap
/// and may be done from any thread.
///
/// The value of a label never carries anything of a contact, and is one of a few: each makes a time series that is
/// kept for months.
package final class Metrics: Sendable {
    /// What to answer as `Content-Type`: https://prometheus.io/docs/instrumenting/exposition_formats/
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let families = Locked<[String: any MetricFamily]>([:])

    package init() {}

    /// What only grows until the process ends. By custom the name ends in `_total`.
    package func counter(_ name: String, _ help: String, labels: String...) -> Family<Counter> {
        family(name, help, labels) { Counter() }
    }

    /// What goes up and down.
    package func gauge(_ name: String, _ help: String, labels: String...) -> Family<Gauge> {
        family(name, help, labels) { Gauge() }
    }

    /// How often a value fell into which range: `buckets` are their upper bounds, without the infinite last one.
    package func histogram(
        _ name: String, _ help: String, labels: String..., buckets: [Double] = Histogram.seconds
    ) -> Family<Histogram> {
        precondition(!labels.contains("le"), "metric \(name): a histogram's label can't be called le")
        return family(name, help, labels, detail: buckets) { Histogram(buckets: buckets) }
    }

    /// What grows, and is counted by somebody else.
    package func total(_ name: String, _ help: String, labels: String...) -> Family<Total> {
        family(name, help, labels) { Total() }
    }

    /// All metrics in Prometheus' text format, in the order of their names.
    package var text: String {
        let families = families.withLock { $0 }
        return families.sorted { $0.key < $1.key }.map(\.value.text).joined()
    }

    private func family<Kind: Instrument>(
        _ name: String, _ help: String, _ labels: [String], detail: [Double] = [],
        make: @escaping @Sendable () -> Kind
    ) -> Family<Kind> {
        families.withLock { families in
            let known =
                families[name] ?? Family<Kind>(name: name, help: help, labels: labels, detail: detail, make: make)
            guard let family = known as? Family<Kind>, family.labels == labels, family.detail == detail else {
                preconditionFailure("metric \(name) is already a \(known.signature)")
            }
            families[name] = family
            return family
        }
    }
}
