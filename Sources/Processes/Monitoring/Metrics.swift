/// The metrics of this process, for Prometheus.
///
///     let metrics = Metrics()
///     let calls = metrics.counter("waypost_calls_total", "Calls to providers.", labels: "lane", "outcome")
///     calls["nominatim", "located"].add()
///     respond(metrics.text)
///
/// A second call with the same name returns the same family, so rooms need not pass families to each other. Updates are
/// cheap and possible on any thread.
///
/// The value of a label must not contain data of a contact, and must be one of a few: each value makes a time series
/// that is kept for months.
package final class Metrics: Sendable {
    /// The `Content-Type` of the response: https://prometheus.io/docs/instrumenting/exposition_formats/
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let families = Locked<[String: any MetricFamily]>([:])

    package init() {}

    /// A count that only grows until the process ends. By convention its name ends in `_total`.
    package func counter(_ name: String, _ help: String, labels: String...) -> Family<Counter> {
        family(name, help, labels) { Counter() }
    }

    /// A value that can grow and shrink.
    package func gauge(_ name: String, _ help: String, labels: String...) -> Family<Gauge> {
        family(name, help, labels) { Gauge() }
    }

    /// Counts values by range. `buckets` are the upper bounds, without the infinite last one.
    package func histogram(
        _ name: String, _ help: String, labels: String..., buckets: [Double] = Histogram.seconds
    ) -> Family<Histogram> {
        precondition(!labels.contains("le"), "metric \(name): a histogram's label can't be called le")
        return family(name, help, labels, detail: buckets) { Histogram(buckets: buckets) }
    }

    /// A growing count that is kept elsewhere.
    package func total(_ name: String, _ help: String, labels: String...) -> Family<Total> {
        family(name, help, labels) { Total() }
    }

    /// All metrics in Prometheus' text format, sorted by name.
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
