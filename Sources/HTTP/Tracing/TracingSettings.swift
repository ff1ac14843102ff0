package import Processes

/// The settings for traces from OpenTelemetry's variables. Without an endpoint nothing is traced.
/// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
package struct TracingSettings: Sendable {
    package let sampler: Sampler
    package let exporter: SpanExporter.Options

    /// Nil if nothing is traced. A setting that we don't support is a mistake.
    package init?(_ reader: inout SettingsReader, version: String) {
        let isDisabled = reader.optionalText("OTEL_SDK_DISABLED")?.lowercased() == "true"
        let kind = reader.optionalText("OTEL_TRACES_EXPORTER") ?? "otlp"
        guard !isDisabled, kind != "none", let endpoint = Self.endpoint(&reader) else { return nil }
        if kind != "otlp" {
            reader.mistake("OTEL_TRACES_EXPORTER is \(kind.debugDescription); it takes otlp or none")
        }
        let format = reader.otlp("PROTOCOL") ?? "http/json"
        if format != "http/json" {
            reader.mistake(
                "OTEL_EXPORTER_OTLP_PROTOCOL is \(format.debugDescription); Waypost speaks http/json, which collectors take "
                    + "at the port of http/protobuf, 4318")
        }
        if let coding = reader.otlp("COMPRESSION"), coding != "none" {
            reader.mistake("OTEL_EXPORTER_OTLP_COMPRESSION is \(coding.debugDescription); it takes none")
        }
        var options = SpanExporter.Options(endpoint: endpoint)
        options.version = version
        options.headers = Self.headers(&reader)
        options.certificateAuthorities = reader.otlp("CERTIFICATE")
        if let text = reader.otlp("TIMEOUT") {
            if let limit = Int(text), (1...600_000).contains(limit) {
                options.limit = .milliseconds(limit)
            } else {
                reader.mistake(
                    "OTEL_EXPORTER_OTLP_TIMEOUT is \(text.debugDescription); it takes milliseconds from 1 to 600000")
            }
        }
        options.resource = Self.resource(&reader, version)
        exporter = options
        sampler = Self.sampler(&reader)
    }

    /// The endpoint for traces, used unchanged, or a path below the endpoint for all signals.
    private static func endpoint(_ reader: inout SettingsReader) -> HTTPURL? {
        let takes = "an address that begins with http:// or https://"
        if let own = reader.value(
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", default: nil, takes: takes, secret: true, parse: { HTTPURL($0) })
        {
            return own
        }
        let base = reader.value(
            "OTEL_EXPORTER_OTLP_ENDPOINT", default: nil, takes: takes, secret: true, parse: { HTTPURL($0) })
        return base?.appending(path: "v1", "traces")
    }

    private static func sampler(_ reader: inout SettingsReader) -> Sampler {
        let name = reader.optionalText("OTEL_TRACES_SAMPLER") ?? "parentbased_always_on"
        let argument = reader.optionalText("OTEL_TRACES_SAMPLER_ARG")
        if let sampler = Sampler(name: name, argument: argument) { return sampler }
        if Sampler.names.contains(name) {
            reader.mistake(
                "OTEL_TRACES_SAMPLER_ARG is \((argument ?? "").debugDescription); it takes a number from 0 to 1")
        } else {
            reader.mistake(
                "OTEL_TRACES_SAMPLER is \(name.debugDescription); it takes one of: "
                    + Sampler.names.joined(separator: ", "))
        }
        return .usual
    }

    /// Headers often contain keys of the collector's provider, so a mistake doesn't contain them.
    private static func headers(_ reader: inout SettingsReader) -> HTTPHeaders {
        var headers = HTTPHeaders()
        let all = reader.secret("OTEL_EXPORTER_OTLP_HEADERS")
        guard let pairs = pairs(reader.secret("OTEL_EXPORTER_OTLP_TRACES_HEADERS") ?? all ?? "") else {
            reader.mistake("OTEL_EXPORTER_OTLP_HEADERS is not valid; it takes NAME=VALUE,NAME=VALUE")
            return headers
        }
        for (name, value) in pairs { headers.append(name, value) }
        return headers
    }

    private static func resource(_ reader: inout SettingsReader, _ version: String) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        if let pairs = pairs(reader.optionalText("OTEL_RESOURCE_ATTRIBUTES") ?? "") {
            attributes = pairs
        } else {
            reader.mistake("OTEL_RESOURCE_ATTRIBUTES is not valid; it takes NAME=VALUE,NAME=VALUE")
        }
        if let name = reader.optionalText("OTEL_SERVICE_NAME") {
            attributes.removeAll { $0.name == "service.name" }
            attributes.append((name: "service.name", value: name))
        }
        let usual = [(name: "service.name", value: "waypost"), (name: "service.version", value: version)]
        return attributes + usual.filter { own in !attributes.contains { $0.name == own.name } }
    }

    /// Values are percent-encoded.
    private static func pairs(_ text: String) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for part in text.split(separator: ",") where !part.allSatisfy({ $0 == " " }) {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
            guard halves.count == 2, !halves[0].isEmpty, let value = String(halves[1]).percentDecoded else {
                return nil
            }
            pairs.append((name: String(halves[0]), value: value))
        }
        return pairs
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension SettingsReader {
    /// The variable for traces, or else the one for all signals.
    fileprivate mutating func otlp(_ name: String) -> String? {
        let all = optionalText("OTEL_EXPORTER_OTLP_\(name)")
        return optionalText("OTEL_EXPORTER_OTLP_TRACES_\(name)") ?? all
    }
}
