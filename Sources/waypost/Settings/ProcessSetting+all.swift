import API
import Cluster
import HTTP
import Postgres
import Processes
import Queue
import Sinks

extension ProcessSetting {
    static let sections: [(title: String, settings: [ProcessSetting])] = [
        ("Database and processes", cluster), ("Logs, kept data, costs", logs), ("The HTTP API and the pages", api),
        ("Providers, sinks, traces", others),
    ]

    private static let cluster: [ProcessSetting] = [
        database(
            "DATABASE_URL", \.databaseURL, example: "postgresql://waypost@localhost/waypost",
            "The database of the cluster."),
        database(
            "WAYPOST_DIRECT_URL", \.directURL, example: "postgresql://waypost@localhost/waypost",
            "The same database without a pooler."),
        database(
            "WAYPOST_READ_URL", \.readURL, example: "postgresql://waypost@standby.example.org/waypost",
            "A standby of the database, for reads of the API."),
        .time("WAYPOST_READ_LAG", \.readLag, in: .seconds(1) ... .seconds(600), "How old the standby's data may be."),
        .text(
            "WAYPOST_FOLDER", \.folderPath, usual: "`.waypost`", "a path", example: ".waypost",
            "The folder of a private cluster.", shown: { $0.databaseURL == nil ? $0.folder.path : nil }),
        .number(
            "WAYPOST_CONNECTIONS", \.connections, in: 2...100,
            "The most connections for requests to the API; half of it for the work of a process."),
        .text(
            "WAYPOST_WORKER_NAME", \.workerName, usual: "host name, `-`, process id", "text",
            "The worker's name in lists and logs."),
        .number(
            "WAYPOST_CALLS_AT_ONCE", \.callsAtOnce, in: 1...1_000,
            "The most calls that one worker holds in a lane; as many results may wait to be stored."),
        .time(
            "WAYPOST_SILENCE_LIMIT", \.silenceLimit, in: .seconds(2) ... .seconds(600),
            "A process that was silent for this time loses its jobs."),
        .time(
            "WAYPOST_OUTAGE_LIMIT", \.outageLimit, in: .seconds(10) ... .seconds(86_400),
            "How long a worker stays without the database."),
        .time(
            "WAYPOST_STOP_LIMIT", \.stopLimit, in: .seconds(1) ... .seconds(3_600),
            "How long a process may take to stop."),
        flag("WAYPOST_LIFELINE", \.hasLifeline, example: nil, "Stops the process when standard input ends."),
    ]

    private static let logs: [ProcessSetting] = [
        .choice("WAYPOST_LOG_LEVEL", \.logLevel, "The least important level that is logged."),
        .choice("WAYPOST_LOG_FORMAT", \.logFormat, "The format of logs."),
        flag(
            "WAYPOST_ACCESS_LOG", \.server.logsRequests, example: "false",
            "A line in the log for each request to the API.", shown: { "\($0.server.logsRequests)" }),
        .time(
            "WAYPOST_CALLS_KEPT", \.callsKept, in: .seconds(2 * 86_400) ... .seconds(365 * 86_400),
            "How long a coordinator keeps the log of calls."),
        .time(
            "WAYPOST_KEEP_LOCATIONS", \.locationsKept, in: .seconds(86_400) ... .seconds(36_500 * 86_400),
            "How long uploaded locations are kept."),
        .time(
            "WAYPOST_KEEP_AUDIT_LOG", \.auditLogKept, in: .seconds(30 * 86_400) ... .seconds(36_500 * 86_400),
            "How long [who did what](access.md#the-log-of-acts) is kept."),
        .value(
            "WAYPOST_MONTHLY_BUDGET", \.budgets, "`100 EUR`, or several: `100 EUR, 20 USD`",
            takes: "an amount and a currency, such as 100 EUR, or several with a comma between them",
            "What calls may cost in a calendar month.",
            shown: { settings in
                let texts = settings.budgets.map { "\($0.amount) \($0.currency)" }
                return texts.isEmpty ? nil : texts.joined(separator: ", ")
            }, parse: Budget.list),
        Self(name: "NO_COLOR", values: "anything", help: "No colours on the terminal.", example: nil),
    ]

    private static let api: [ProcessSetting] = [
        listener(
            "WAYPOST_LISTEN", \.server.address, usual: "127.0.0.1:8080", example: "[::1]:8080",
            "Where a coordinator serves the [HTTP API](../api.md#http-api).",
            shown: { $0.server.address.map { "\($0)" } ?? "off" }),
        .text(
            "WAYPOST_TLS_CERTIFICATE", \.server.certificateFile, "a file in PEM",
            "Serves [HTTPS](access.md#tls).", shown: { $0.server.certificateFile }),
        .text(
            "WAYPOST_TLS_KEY", \.server.keyFile, "a file in PEM", "The private key of the certificate.",
            shown: { $0.server.keyFile }),
        .number(
            "WAYPOST_CONNECTIONS_PER_ADDRESS", \.server.connectionsPerAddress, in: 4...1_024,
            "HTTP connections accepted from one address."),
        .checked(
            "WAYPOST_TRUSTED_PROXIES", \.server.proxies, "addresses and networks: `127.0.0.1, 10.0.0.0/8`",
            example: "127.0.0.1, 10.0.0.0/8",
            takes: "addresses and networks with commas between them, such as 127.0.0.1, 10.0.0.0/8",
            "Trusted [proxies](access.md#behind-a-proxy).",
            shown: { $0.server.proxies }
        ) { TrustedProxies($0, header: "X-Forwarded-For") != nil },
        .value(
            "WAYPOST_CLIENT_ADDRESS_HEADER", \.server.clientAddressHeader, usual: "`X-Forwarded-For`",
            "the name of a header", example: "CF-Connecting-IP", takes: "the name of a header",
            "The header in which a trusted proxy names the client.",
            shown: { $0.given.contains("WAYPOST_CLIENT_ADDRESS_HEADER") ? $0.server.clientAddressHeader : nil }
        ) { $0.wholeMatch(of: #/[A-Za-z0-9-]+/#) == nil ? nil : $0 },
        .checked(
            "WAYPOST_ALLOWED_ORIGINS", \.server.origins, "`https://app.example.org`, several with commas, or `*`",
            example: "https://app.example.org",
            takes: "origins with commas between them, such as https://app.example.org, or *",
            "Sites whose [pages](access.md#pages-of-other-sites) may read replies (CORS).",
            shown: { $0.server.origins }
        ) { AllowedOrigins($0) != nil },
        .text(
            "WAYPOST_MAP_TILES", \.server.tilesTemplate, "an `https` address with `{z}`, `{x}` and `{y}`",
            example: "https://tiles.example.org/{z}/{x}/{y}.png", isSecret: true,
            "A [map service](pages.md#map-services) for the pages."),
        .text(
            "WAYPOST_MAP_ATTRIBUTION", \.server.tilesAttribution, "text", example: "© Example contributors",
            "The owner of that map.", shown: { $0.server.tilesAttribution }),
        listener(
            "WAYPOST_WORKER_LISTEN", \.server.ofWorker, usual: "off", example: "[::]:9464",
            "Where a worker serves health and [metrics](metrics.md)."),
    ]

    private static let others: [ProcessSetting] = [
        .text(
            "WAYPOST_MONICA_TOKEN", \.monicaToken, "a token of Monica", isSecret: true,
            "The token for `import https://…`."),
        Self(
            name: "WAYPOST_SEALING_KEYS", values: "keys of `openssl rand -hex 32`, with commas",
            help: "Seals the secrets of [sinks](positions.md#upload-to-your-backend) and the tokens of users.",
            example: "", isSecret: true,
            read: { settings, reader in
                guard let text = reader.secret("WAYPOST_SEALING_KEYS") else { return }
                do { settings.sealingKeys = try SealingKeys(text) } catch {
                    reader.mistake("WAYPOST_SEALING_KEYS: \(error)")
                }
            }),
        Self(
            name: "WAYPOST_CONTACT", values: "an e-mail address or a page",
            help: "The contact for operators of public servers.",
            example: "ops@example.org"),
        Self(
            name: "WAYPOST_LANGUAGE", usual: "`en`", values: "language codes",
            help: "The language of names that providers return, if they can.", example: "en"),
        Self(
            name: "WAYPOST_NOMINATIM_URL", values: "an address",
            help: "Your server; [each provider](../providers.md#the-providers) has its own variable.",
            example: "https://nominatim.example.org"),
        Self(
            name: "WAYPOST_SERVICE_FILES", values: "files, with `:` between them",
            help: "Services [without code](../providers.md#a-service-of-your-own-without-code).", example: nil),
        Self(
            name: "WAYPOST_SERVICE_KEYS", values: "keys, with commas between them",
            help: "The keys of these services, in the same order.", example: nil),
        Self(
            name: "WAYPOST_TRACED_PROVIDERS", values: "names of providers, with commas between them",
            help: "Providers that get the [trace](traces.md#which-trace-a-call-belongs-to).", example: "nominatim"),
        Self(
            name: "OTEL_EXPORTER_OTLP_ENDPOINT", values: "an address",
            help: "Where [traces](traces.md#variables) are sent.",
            example: "http://collector:4318"),
    ]

    private static func database(_ name: String, _ path: Path<String?>, example: String, _ help: String) -> Self {
        // libpq would take any other text, such as the URL of a MySQL server, for the name of a local database.
        .checked(
            name, path, "`postgresql://…`, or libpq's `host=… dbname=…`", example: example, isSecret: true,
            takes: "the URL of a PostgreSQL database: postgresql://USER@HOST:PORT/DATABASE", help
        ) { DatabasePlace(url: $0) != nil }
    }

    private static func flag(
        _ name: String, _ path: Path<Bool>, example: String?, _ help: String,
        shown: (@Sendable (Settings) -> String?)? = nil
    ) -> Self {
        Self(
            name: name, usual: "`false`", values: "`true`, `false`", help: help, example: example,
            read: { $0[keyPath: path] = $1.flag(name, default: false) }, shown: shown)
    }

    private static func listener(
        _ name: String, _ path: Path<ListenAddress?>, usual: String, example: String, _ help: String,
        shown: (@Sendable (Settings) -> String?)? = nil
    ) -> Self {
        .value(
            name, path, usual: "`\(usual)`", "an IP address and a port, `\(example)`, or `off`", example: usual,
            takes: "an address in digits and a port, such as 127.0.0.1:8080 or \(example), or off", help, shown: shown
        ) { text in text == "off" ? .some(nil) : ListenAddress(text).map { .some($0) } }
    }
}
