import API
import Cluster
import Geocoding
import Monitoring
import Pages
import Queue
import Wording

extension Settings {
    /// The settings that a page may show: only those in this list. A setting that may contain a password, a key or its
    /// owner's name is a secret here, so its value is not shown.
    var shown: [RunningSettings.Setting] {
        func plain(_ name: String, _ value: String?) -> RunningSettings.Setting {
            .plain(name, value, isSet: given.contains(name))
        }
        let secrets = Self.secrets.map { RunningSettings.Setting.secret($0, isSet: given.contains($0)) }
        return [
            plain("WAYPOST_LISTEN", server.address.map { "\($0)" } ?? "off"),
            plain("WAYPOST_ACCESS_LOG", "\(server.logsRequests)"),
            plain("WAYPOST_CONNECTIONS_PER_ADDRESS", "\(server.connectionsPerAddress)"),
            plain("WAYPOST_TRUSTED_PROXIES", server.given["WAYPOST_TRUSTED_PROXIES"]),
            plain("WAYPOST_CLIENT_ADDRESS_HEADER", server.given["WAYPOST_CLIENT_ADDRESS_HEADER"]),
            plain("WAYPOST_ALLOWED_ORIGINS", server.given["WAYPOST_ALLOWED_ORIGINS"]),
            plain("WAYPOST_TLS_CERTIFICATE", server.tls?.certificate),
            plain("WAYPOST_TLS_KEY", server.tls?.key),
            plain("WAYPOST_CONNECTIONS", "\(connections)"),
            plain("WAYPOST_READ_LAG", readLag.text),
            plain("WAYPOST_FOLDER", databaseURL == nil ? folder.path : nil),
            plain("WAYPOST_LOG_LEVEL", logLevel.rawValue),
            plain("WAYPOST_LOG_FORMAT", logFormat.rawValue),
            plain("WAYPOST_SILENCE_LIMIT", silenceLimit.text),
            plain("WAYPOST_OUTAGE_LIMIT", outageLimit.text),
            plain("WAYPOST_STOP_LIMIT", stopLimit.text),
            plain("WAYPOST_CALLS_KEPT", callsKept.text),
            plain("WAYPOST_KEEP_LOCATIONS", locationsKept.text),
            plain("WAYPOST_KEEP_AUDIT_LOG", auditLogKept.text),
            plain("WAYPOST_CALLS_AT_ONCE", "\(callsAtOnce)"),
            plain("WAYPOST_MAP_ATTRIBUTION", server.tiles?.attribution),
            plain(
                "WAYPOST_MONTHLY_BUDGET",
                budgets.isEmpty ? nil : budgets.map { "\($0.amount) \($0.currency)" }.joined(separator: ", ")),
        ] + secrets
    }

    private static let secrets = [
        "DATABASE_URL", "WAYPOST_DIRECT_URL", "WAYPOST_READ_URL", "WAYPOST_SEALING_KEYS", "WAYPOST_MONICA_TOKEN",
        "WAYPOST_CONTACT",
        "WAYPOST_NOMINATIM_URL", "WAYPOST_PHOTON_URL", "WAYPOST_PELIAS_URL", "WAYPOST_PELIAS_KEY", "WAYPOST_GOOGLE_KEY",
        "WAYPOST_OPENCAGE_KEY",
        "WAYPOST_GEOAPIFY_KEY", "WAYPOST_LOCATIONIQ_KEY", "WAYPOST_HERE_KEY", "WAYPOST_MAPBOX_KEY",
        "WAYPOST_GEOCODIO_KEY", "WAYPOST_APPLE_TEAM", "WAYPOST_APPLE_KEY_ID", "WAYPOST_APPLE_KEY_FILE",
        "WAYPOST_MAP_TILES", "WAYPOST_SERVICE_FILES", "WAYPOST_SERVICE_KEYS",
    ]
}

extension Application {
    var running: RunningSettings {
        RunningSettings(
            version: Waypost.version, settings: settings.shown,
            providers: providers.map { RunningSettings.Provider(name: $0.name, terms: $0.terms) },
            inWorker: inWorker, callsAtOnce: settings.callsAtOnce)
    }
}
