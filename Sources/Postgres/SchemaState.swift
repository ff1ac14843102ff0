/// How a database's schema compares with the scripts of this program.
package enum SchemaState: Hashable, Sendable {
    case fits
    /// The database lacks migrations of this program, or never had the present text of some function files.
    case behind(missing: [Int], functions: [String] = [])
    /// The database has unknown migrations, or newer functions. This program can still work with it.
    case ahead(unknown: [Int])
    /// The database has unknown migrations, and one of them is breaking for this program.
    case tooNew(unknown: [Int])
    /// A migration has the number of one of ours but another name.
    case foreign(number: Int, name: String)
}

extension Connection {
    /// The newest migration that this database has.
    package func newestMigration() throws -> Int {
        try query("SELECT coalesce(max(number), 0) AS number FROM schema_migrations")[0].read("number")
    }

    /// Throws ``SchemaError/tooNew(unknown:known:)`` if the database has a breaking migration that these scripts lack.
    package func refuseBreakingMigrations(unknownTo scripts: SchemaScripts) throws {
        let unknown: [Int] = try query(
            """
            SELECT number FROM schema_migrations
            WHERE is_breaking AND number <> ALL (\(scripts.migrations.map(\.number))::integer[])
            ORDER BY number
            """
        ).map { try $0.read("number") }
        if !unknown.isEmpty { throw SchemaError.tooNew(unknown: unknown, known: scripts.migrations.count) }
    }
}

extension Connection {
    /// Throws ``SchemaError/encoding(_:)`` unless the database is in UTF8.
    package func requireUTF8() throws {
        let encoding: String = try query("SELECT getdatabaseencoding() AS encoding")[0].read("encoding")
        if encoding != "UTF8" { throw SchemaError.encoding(encoding) }
    }
}

/// A database's record of the scripts that were run on it.
struct SchemaRecord {
    private(set) var migrations: [Int: (name: String, isBreaking: Bool)] = [:]
    private(set) var functions: [String: (current: String?, replaced: Set<String>)] = [:]

    /// Reads both tables at once: each command does this before its work, and the database may be far away.
    init(on connection: isolated Connection) throws {
        let rows = try connection.query(
            """
            SELECT number, name, is_breaking AS flag, NULL AS fingerprint FROM schema_migrations
            UNION ALL
            SELECT NULL, name, replaced_at IS NULL, fingerprint FROM schema_functions
            """)
        for row in rows {
            let name: String = try row.read("name")
            let flag: Bool = try row.read("flag")
            if let number = try row.readIfPresent("number", as: Int.self) {
                migrations[number] = (name, flag)
            } else {
                let fingerprint: String = try row.read("fingerprint")
                if flag {
                    functions[name, default: (nil, [])].current = fingerprint
                } else {
                    functions[name, default: (nil, [])].replaced.insert(fingerprint)
                }
            }
        }
    }

    func state(comparedWith scripts: SchemaScripts) -> SchemaState {
        let known = Set(scripts.migrations.map(\.number))
        let unknown = Set(migrations.keys).subtracting(known).sorted()
        for migration in scripts.migrations {
            if let taken = migrations[migration.number], taken.name != migration.name {
                return .foreign(number: migration.number, name: taken.name)
            }
        }
        if unknown.contains(where: { migrations[$0]?.isBreaking == true }) { return .tooNew(unknown: unknown) }
        let missing = known.subtracting(migrations.keys).sorted()
        if !missing.isEmpty { return .behind(missing: missing, functions: stale(in: scripts)) }
        // The functions belong to the newer program that ran the unknown migrations.
        if !unknown.isEmpty { return .ahead(unknown: unknown) }
        let stale = stale(in: scripts)
        if !stale.isEmpty { return .behind(missing: [], functions: stale) }
        return scripts.functions.contains { hasReplaced($0) } ? .ahead(unknown: []) : .fits
    }

    /// The files whose present text the database never had.
    private func stale(in scripts: SchemaScripts) -> [String] {
        scripts.functions.filter { functions[$0.name]?.current != $0.fingerprint && !hasReplaced($0) }.map(\.name)
    }

    /// Returns whether the database once had this text and now has another one: then a newer program installed it.
    func hasReplaced(_ file: FunctionFile) -> Bool {
        guard let record = functions[file.name] else { return false }
        return record.current != file.fingerprint && record.replaced.contains(file.fingerprint)
    }
}

/// The database's schema does not fit this program.
package enum SchemaError: Error, Hashable, CustomStringConvertible {
    case behind(missing: [Int], functions: [String] = [])
    case tooNew(unknown: [Int], known: Int)
    case foreign(number: Int, name: String)
    /// Texts of the database have another encoding than UTF8.
    case encoding(String)
    /// A changed function has other parameters, so it exists next to the old one.
    case overloaded(functions: [String])
    /// Functions, triggers or policies were dropped or replaced by hand.
    case damaged(missing: [String], changed: [String])
    /// A table stayed locked for as long as a step of a migration was tried.
    case locked(_ step: String, Duration)
    /// A step of a migration would lock a large table for long.
    case longLock(_ step: String, TableSize?)

    package var description: String {
        switch self {
        case .behind([], let functions):
            """
            the database lacks the present text of \(functions.count) of this program's function files \
            (\(functions.joined(separator: ", ")))
            """
        case .behind(let missing, _):
            "the database lacks \(missing.count) of this program's migrations (\(list(missing)))"
        case .tooNew(let unknown, let known):
            """
            the database was migrated by a newer waypost (it has migration \(list(unknown)), this program has up to \
            \(known)), and an older one would damage it
            """
        case .foreign(let number, let name):
            """
            the database was made by a waypost that was never released (its migration \(number) is called \(name)), and \
            can't be upgraded
            """
        case .encoding(let encoding): "the database has the encoding \(encoding), and Waypost needs UTF8"
        case .overloaded(let functions):
            """
            the parameters of \(functions.joined(separator: ", ")) have changed, so the old function is still there; add \
            a migration that drops it
            """
        case .damaged(let missing, let changed):
            "the database lacks or has changed what this program's function files made: "
                + (missing.map { "\($0) is missing" } + changed.map { "\($0) is another" }).shortList
        case .locked(let step, let time):
            """
            \(step) got no lock for \(time.formattedSeconds), because other sessions keep transactions open; what was \
            done before stays done
            """
        case .longLock(let step, let table):
            """
            \(step) would stop readers or writers for more than 100 ms\(table.map { ": \($0)" } ?? ""); nothing of this \
            step was done
            """
        }
    }

    private func list(_ numbers: [Int]) -> String {
        numbers.map(String.init).joined(separator: ", ")
    }
}

extension [String] {
    /// The first five, as one line.
    fileprivate var shortList: String {
        prefix(5).joined(separator: ", ") + (count > 5 ? ", and \(count - 5) more" : "")
    }
}
