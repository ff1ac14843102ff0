import Access
import Geocoding
import HTTP
import JSON
import Locations
import Postgres
import Questions
import Queue
import Shapes

extension APIServer {
    @ListBuilder<APIRoute> var settingRoutes: [APIRoute] {
        route(.get, "/v1/settings", .admin, .look) { _, db in
            Reply(SettingsView(facts: try ServerFacts(on: db), running: backend.running))
        }
        .described(
            "getSettings", "Shows what this coordinator runs with",
            details: "Of a secret it says only whether it is set.", .ok("Version, database, settings and providers."))
        APIRoute(.get, "/v1/doctor", .admin) { _ in Reply(List(try await backend.examine())) }
            .described(
                "getDoctor", "Finds what slows or stops the cluster", details: "Changes nothing.",
                .ok("What was looked at."))
    }
}

struct SettingsView: Shaped {
    fileprivate let facts: ServerFacts
    let running: RunningSettings

    static let shape = Shape<SettingsView>("Settings", "") {
        Member("version", example: "0.1.0") { $0.running.version }
        Member("database") { $0.facts }
        Member("coordinators") { $0.facts.coordinators }
        Member("settings") { $0.running.settings }
        Member("providers") { $0.running.providers }
    }
}

/// Facts about the database server.
private struct ServerFacts: Shaped {
    struct Role: Shaped {
        let name: String
        let isThere: Bool
        /// True if this process's login may use the role.
        let isPermitted: Bool

        static let shape = Shape<Role>("", "") {
            Member("name", example: "waypost_api") { $0.name }
            Member("is_there", example: true) { $0.isThere }
            Member("is_permitted", "Whether this coordinator's login may take it.", example: true) { $0.isPermitted }
        }
    }

    let version: String
    let migration: Int
    let roles: [Role]
    let coordinators: [CoordinatorState]

    static let shape = Shape<ServerFacts>("", "") {
        Member("version", example: "15.14") { $0.version }
        Member("migration", example: 9) { $0.migration }
        Member("roles") { $0.roles }
    }

    init(on database: isolated Connection) throws {
        version = try database.query("SELECT current_setting('server_version') AS version")[0].read("version")
        migration = try database.newestMigration()
        roles = try database.query(
            """
            SELECT name, rolname IS NOT NULL AS is_there,
                   coalesce(pg_has_role(session_user, pg_roles.oid, 'MEMBER'), false) AS is_permitted
            FROM unnest('{waypost_worker,waypost_api,waypost_admin,waypost_report}'::text[]) AS name
            LEFT JOIN pg_roles ON rolname = name
            """
        ).map { row in
            try Role(name: row.read("name"), isThere: row.read("is_there"), isPermitted: row.read("is_permitted"))
        }
        coordinators = try ProcessRegistry().coordinators(on: database)
    }
}

extension CoordinatorState: Shaped {
    static let shape = Shape<CoordinatorState>("", "") {
        Member("host", example: "host-7") { $0.host }
        Member("pid", example: 4711) { $0.pid }
        Member("leads", example: true) { $0.leads }
        Member("age_seconds", example: .milliseconds(3_600_500)) { $0.age }
        Member("silent_seconds", example: .milliseconds(1_200)) { $0.silence }
    }
}

extension RunningSettings.Setting: Shaped {
    static let shape = Shape<Self>("Setting", "") {
        Member("name", example: "WAYPOST_CONNECTIONS") { $0.name }
        Member("value", "Null for a secret, and for what has no value.", example: "4") { $0.value }
        Member("is_secret") { $0.isSecret }
        Member("is_set", "Whether the environment sets it; else it has its default.") { $0.isSet }
    }
}

extension RunningSettings.Provider: Shaped {
    static let shape = Shape<Self>("ConfiguredProvider", "") {
        Member("name", example: "nominatim") { $0.name }
        Member("storage") { Storage(rule: $0.terms.storage) }
        Member("attribution", example: "© OpenStreetMap contributors") { $0.terms.attribution.orNil }
        Member("batch", example: 1) { $0.terms.batch }.bounds(1)
        Member("can_reverse", example: true) { $0.terms.canReverse }
        Member("finest", example: "rooftop") { $0.terms.finest.rawValue }
        Member("countries", "Null for the whole world.") { $0.terms.countries?.sorted() }
        Member("limits", "Those of its terms; a lane may have others.") { $0.terms.limits.map(Limit.init) }
        Member("terms", "Its terms of use, as somebody read them; null if they were not read.") {
            $0.terms.use.map(Terms.init)
        }
    }

    private struct Terms: Shaped {
        let use: TermsOfUse

        static let shape = Shape<Terms>("", "") {
            Member("link", example: "https://example.org/terms") { $0.use.link }
            Member("read", "When they were read, or that they were not.", example: "2026-05-18") { $0.use.read }
            Member("personal_data", "Whether addresses of people may be sent.", example: "yes") {
                $0.use.personalData.rawValue
            }.choices(permissions)
            Member("machines", "On how many machines workers may call it; null for any number.") { $0.use.machines }
            Member("interactive_only", "Whether a person must wait for each answer.", example: false) {
                $0.use.isInteractiveOnly
            }
            Member("autocomplete", "Whether a call for each typed letter is allowed.", example: "unstated") {
                $0.use.autocomplete.rawValue
            }.choices(permissions)
            Member("note", example: "") { $0.use.note }
        }

        private static let permissions = ["yes", "no", "unstated"]
    }

    private struct Storage: Shaped {
        let rule: StorageRule

        static let shape = Shape<Storage>("", "") {
            Member(
                "rule",
                "For how long its terms let an answer be kept: without limit, for a number of days, or only while it is being worked with.",
                example: "unlimited"
            ) { $0.word }.choices(["unlimited", "days", "session"])
            Member("days") { if case .days(let days) = $0.rule { days } else { nil as Int? } }
        }

        private var word: String {
            switch rule {
            case .unlimited: "unlimited"
            case .days: "days"
            case .session: "session"
            }
        }
    }

    private struct Limit: Shaped {
        let limit: CallLimit

        init(_ limit: CallLimit) { self.limit = limit }

        static let shape = Shape<Limit>("", "") {
            Member("calls", example: 1) { $0.limit.calls }
            Member("per_seconds", example: .seconds(1)) { $0.limit.per }
        }
    }
}

extension APIServer {
    @ListBuilder<APIRoute> var logRoutes: [APIRoute] {
        route(.get, "/v1/log", .admin, .inspect, LogQuery.self) { request, query, db in
            let page = try PageBefore(query.limit, next: \.id) {
                try AuditLog().acts(
                    query.filter, for: request.caller.accountName, before: query.before, limit: $0, on: db)
            }
            return Reply(page)
        }
        .described("getLog", "Lists who did what, and when", .ok("The acts, the latest first."))
    }
}

struct LogQuery: QueryInput {
    let limit: Int, before: Int?
    var filter = ActFilter()

    init(_ query: inout RequestReader) {
        limit = query.limit(.records)
        before = query.id("before", "Only acts with smaller numbers.", example: 1000)
        filter.verb = query.text("verb", "An act, or a group of acts.", example: "lanes")
        filter.target = query.text("target", "What it was done to.", example: "nominatim")
        filter.who = query.text("who", "A user, a token's name or number, an account or a machine.", example: "pages")
        filter.age = query.seconds("last_seconds", "How far to look back.", example: 86_400)
    }
}
