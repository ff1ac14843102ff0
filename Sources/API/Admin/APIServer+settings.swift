import Access
import Geocoding
import HTTP
import JSON
import Postgres
import Questions
import Queue
import Shapes

extension APIServer {
    /// `GET /v1/settings`: the settings of this coordinator. For a secret it only contains whether it is set.
    func settings(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let found = try await backend.database(of: request.caller.account).run { database in
            try ServerFacts(on: database)
        }
        let running = backend.running
        return .json { json in
            json.object { json in
                json.member("version", running.version)
                json.object("database") { json in
                    json.member("version", found.version)
                    json.member("migration", found.migration)
                    json.list("roles", found.roles) { json, role in
                        json.object { json in
                            json.member("name", role.name)
                            json.member("is_there", role.isThere)
                            json.member("is_permitted", role.isPermitted)
                        }
                    }
                }
                json.list("coordinators", found.coordinators) { json, coordinator in
                    json.object { json in
                        json.member("host", coordinator.host)
                        json.member("pid", coordinator.pid)
                        json.member("leads", coordinator.leads)
                        json.member("age_seconds", coordinator.age / .seconds(1))
                        json.member("silent_seconds", coordinator.silence / .seconds(1))
                    }
                }
                json.list("settings", running.settings) { json, setting in
                    json.object { json in
                        json.member("name", setting.name)
                        json.member("value", setting.value)
                        json.member("is_secret", setting.isSecret)
                        json.member("is_set", setting.isSet)
                    }
                }
                json.list("providers", running.providers) { $0.provider($1) }
            }
        }
    }
}

/// Facts about the database server.
private struct ServerFacts: Sendable {
    struct Role: Sendable {
        let name: String
        let isThere: Bool
        /// True if this process's login may use the role.
        let isPermitted: Bool
    }

    let version: String
    let migration: Int
    let roles: [Role]
    let coordinators: [CoordinatorState]

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

extension JSONWriter {
    fileprivate mutating func provider(_ provider: RunningSettings.Provider) {
        let terms = provider.terms
        object { json in
            json.member("name", provider.name)
            json.object("storage") { json in
                switch terms.storage {
                case .unlimited:
                    json.member("rule", "unlimited")
                    json.null("days")
                case .days(let days):
                    json.member("rule", "days")
                    json.member("days", days)
                case .session:
                    json.member("rule", "session")
                    json.null("days")
                }
            }
            json.member("attribution", terms.attribution.isEmpty ? nil : terms.attribution)
            json.member("batch", terms.batch)
            json.member("can_reverse", terms.canReverse)
            json.member("finest", terms.finest.rawValue)
            if let countries = terms.countries {
                json.list("countries", countries.sorted()) { $0.value($1) }
            } else {
                json.null("countries")
            }
            json.list("limits", terms.limits) { json, limit in
                json.object { json in
                    json.member("calls", limit.calls)
                    json.member("per_seconds", limit.per / .seconds(1))
                }
            }
        }
    }
}

extension APIServer {
    /// `GET /v1/doctor`: problems that slow or stop the cluster.
    func doctor(_ request: APIRequest) async throws -> Reply<List<Finding>> {
        try request.refuseParameters()
        return Reply(List(try await backend.examine()))
    }
}
