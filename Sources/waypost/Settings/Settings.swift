import Cluster
import Geocoding
import Glibc
import HTTP
import Postgres
import Processes
import Queue
import Sinks
import Terminal

/// All settings from the environment, read once when a command starts. ``ProcessSetting/all`` has their variables.
struct Settings: Sendable {
    var databaseURL: String?
    /// A way to the same database without a pooler, for notifications.
    var directURL: String?
    /// A standby of the same database, for reads of the API.
    var readURL: String?
    /// How old the data of the standby may be.
    var readLag = Duration.seconds(5)
    private let databasePassword: String?
    var connections = 4
    /// The most connections for the work of a worker or coordinator, whose lanes claim and write at the same time.
    var workConnections: Int { connections / 2 }
    var folderPath: String?
    var folder: ClusterFolder { ClusterFolder(Self.absolute(folderPath ?? ".waypost")) }
    var logLevel = Log.Level.info
    var logFormat = Log.Format.automatic
    var workerName: String?
    var callsAtOnce = 16
    var silenceLimit = ProcessRegistry.usualSilenceLimit
    var outageLimit = Duration.seconds(600)
    var stopLimit = Duration.seconds(25)
    var callsKept = Duration.seconds(7 * 86_400)
    var locationsKept = Duration.seconds(30 * 86_400)
    var auditLogKept = AuditLog.usualRetention
    /// The most that calls may cost in a calendar month, by currency.
    var budgets: [Budget] = []
    var providers: ProviderSettings
    var server = ServerSettings()
    /// Nil if tracing is off.
    var tracing: TracingSettings?
    var monicaToken: String?
    /// Nil if the setting is missing. See ``Application/sealingKeys()``.
    var sealingKeys: SealingKeys?

    /// The names of the settings that the environment sets.
    private(set) var given: Set<String> = []

    /// True if standard input is a lifeline: another waypost started the process, and the process ends with it.
    var hasLifeline = false

    /// The settings of an empty environment.
    static let usual: Settings = {
        var reader = SettingsReader([:])
        return Settings(&reader)
    }()

    private init(_ reader: inout SettingsReader) {
        databasePassword = reader.secret("PGPASSWORD")
        providers = ProviderSettings(&reader)
        tracing = TracingSettings(&reader, version: Waypost.version)
    }

    /// Reads the settings, or throws every mistake at once so that one restart fixes them all.
    init(environment: [String: String]) throws(SettingsError) {
        var reader = SettingsReader(environment)
        self.init(&reader)
        for setting in ProcessSetting.all { setting.read?(&self, &reader) }
        workerName = workerName.map { Normalization.composed($0) }
        server.isChosen = reader.given.contains("WAYPOST_LISTEN")
        server.check(&reader)
        reader.unknown(prefix: "WAYPOST_")
        given = reader.given
        try reader.finish()
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
