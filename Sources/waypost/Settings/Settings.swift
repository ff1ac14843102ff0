import Cluster
import Geocoding
import Glibc
import Monitoring
import Postgres
import Processes
import Queue
import Settings
import Sinks
import Terminal
import Tracing

/// All settings from the environment, read once when a command starts.
struct Settings: Sendable {
    var databaseURL: String?
    /// A way to the same database without a pooler, for notifications.
    var directURL: String?
    /// A standby of the same database, for reads of the API.
    var readURL: String?
    /// How old the data of the standby may be.
    var readLag: Duration
    private let databasePassword: String?
    var connections: Int
    /// The most connections for the work of a worker or coordinator, whose lanes claim and write at the same time.
    var workConnections: Int { connections / 2 }
    var folder: ClusterFolder
    var logLevel: Log.Level
    var logFormat: Log.Format
    var workerName: String?
    var callsAtOnce: Int
    var silenceLimit: Duration
    var outageLimit: Duration
    var stopLimit: Duration
    var callsKept: Duration
    var locationsKept: Duration
    var auditLogKept: Duration
    /// The most that calls may cost in a calendar month, by currency.
    var budgets: [Budget]
    var providers: ProviderSettings
    var server: ServerSettings
    /// Nil if tracing is off.
    var tracing: TracingSettings?
    var monicaToken: String?
    /// Nil if the setting is missing. See ``Application/sealingKeys()``.
    var sealingKeys: SealingKeys?

    /// The names of the settings that the environment sets.
    let given: Set<String>

    /// True if standard input is a lifeline: another waypost started the process, and the process ends with it.
    var hasLifeline: Bool

    /// Reads the settings, or throws every mistake at once so that one restart fixes them all.
    init(environment: [String: String]) throws(SettingsError) {
        var reader = SettingsReader(environment)
        databaseURL = Self.databaseURL("DATABASE_URL", &reader)
        directURL = Self.databaseURL("WAYPOST_DIRECT_URL", &reader)
        readURL = Self.databaseURL("WAYPOST_READ_URL", &reader)
        readLag = reader.duration("WAYPOST_READ_LAG", default: .seconds(5), in: .seconds(1)...(.seconds(600)))
        databasePassword = reader.secret("PGPASSWORD")
        connections = reader.integer("WAYPOST_CONNECTIONS", default: 4, in: 2...100)
        folder = ClusterFolder(Self.absolute(reader.text("WAYPOST_FOLDER", default: ".waypost")))
        logLevel = reader.choice("WAYPOST_LOG_LEVEL", default: .info)
        logFormat = reader.choice("WAYPOST_LOG_FORMAT", default: .automatic)
        workerName = reader.optionalText("WAYPOST_WORKER_NAME").map { Normalization.composed($0) }
        callsAtOnce = reader.integer("WAYPOST_CALLS_AT_ONCE", default: 16, in: 1...1_000)
        silenceLimit = reader.duration(
            "WAYPOST_SILENCE_LIMIT", default: ProcessRegistry.usualSilenceLimit, in: .seconds(2)...(.seconds(600)))
        outageLimit = reader.duration(
            "WAYPOST_OUTAGE_LIMIT", default: .seconds(600), in: .seconds(10)...(.seconds(86_400)))
        stopLimit = reader.duration("WAYPOST_STOP_LIMIT", default: .seconds(25), in: .seconds(1)...(.seconds(3_600)))
        callsKept = reader.duration(
            "WAYPOST_CALLS_KEPT", default: .seconds(7 * 86_400), in: .seconds(2 * 86_400)...(.seconds(365 * 86_400)))
        locationsKept = reader.duration(
            "WAYPOST_KEEP_LOCATIONS", default: .seconds(30 * 86_400),
            in: .seconds(86_400)...(.seconds(36_500 * 86_400)))
        auditLogKept = reader.duration(
            "WAYPOST_KEEP_AUDIT_LOG", default: AuditLog.usualRetention,
            in: .seconds(30 * 86_400)...(.seconds(36_500 * 86_400)))
        budgets = reader.value(
            "WAYPOST_MONTHLY_BUDGET", default: [],
            takes: "an amount and a currency, such as 100 EUR, or several with a comma between them", parse: Budget.list
        )
        providers = ProviderSettings(&reader)
        server = ServerSettings(&reader)
        tracing = TracingSettings(&reader, version: Waypost.version)
        monicaToken = reader.secret("WAYPOST_MONICA_TOKEN")
        sealingKeys = Self.sealingKeys(&reader)
        hasLifeline = reader.flag("WAYPOST_LIFELINE", default: false)
        reader.unknown(prefix: "WAYPOST_")
        given = reader.given
        try reader.finish()
    }

    /// libpq would take any other text, such as the URL of a MySQL server, for the name of a local database.
    private static func databaseURL(_ name: String, _ reader: inout SettingsReader) -> String? {
        reader.value(
            name, default: nil, takes: "the URL of a PostgreSQL database: postgresql://USER@HOST:PORT/DATABASE",
            secret: true
        ) { url -> String?? in DatabasePlace(url: url) == nil ? .none : url }
    }

    private static func sealingKeys(_ reader: inout SettingsReader) -> SealingKeys? {
        guard let text = reader.secret("WAYPOST_SEALING_KEYS") else { return nil }
        do { return try SealingKeys(text) } catch {
            reader.mistake("WAYPOST_SEALING_KEYS: \(error)")
            return nil
        }
    }

    /// The standby of the database of ``databaseURL``.
    var standbyURL: String? { databaseURL == nil ? nil : readURL }

    /// The settings of this process. A mistake in them is a usage error, as on the command line.
    static func current() throws -> Settings {
        do {
            let settings = try Settings(environment: ProcessEnvironment.current)
            // libpq reads the password from the environment, but has no variable for the path of a file.
            if let password = settings.databasePassword {
                setenv("PGPASSWORD", password, 1)
                unsetenv("PGPASSWORD_FILE")
            }
            return settings
        } catch {
            Screen.errors.writeLine("\(error)")
            throw ExitCode(2)
        }
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }
}
