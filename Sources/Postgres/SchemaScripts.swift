/// The scripts that make a schema: the present tables for a new database, numbered migrations for an older one, each
/// run once, and function files, which run again when they change.
package struct SchemaScripts: Sendable {
    /// Makes in an empty database what all migrations make together. Nil: an empty database gets the migrations.
    package let tables: String?

    package let migrations: [Migration]

    /// In the order in which they are applied, after the migrations.
    package let functions: [FunctionFile]

    package init(tables: String? = nil, migrations: [Migration], functions: [FunctionFile] = []) {
        self.tables = tables
        self.migrations = migrations
        self.functions = functions
    }
}

/// One numbered migration. Migrations are only ever added.
package struct Migration: Sendable {
    package let number: Int
    package let name: String
    package let script: String

    /// The parts that commit by themselves; one for an ordinary script.
    package let steps: [MigrationStep]

    /// A program that lacks this migration can't work with the tables that it leaves.
    package let isBreaking: Bool

    package init(_ number: Int, _ name: String, _ utf8: [UInt8], isBreaking: Bool = false) {
        self.number = number
        self.name = name
        self.script = String(decoding: utf8, as: UTF8.self)
        self.steps = MigrationStep.steps(of: script)
        self.isBreaking = isBreaking
    }
}

/// A file with a function, or a few related ones, and the triggers and policies that use them. It can be run again at
/// any time.
package struct FunctionFile: Sendable {
    package let name: String
    package let script: String

    /// Identifies one text of the file: FNV-1a in 64 bits. It needs no protection against forgery.
    /// http://www.isthe.com/chongo/tech/comp/fnv/
    package let fingerprint: String

    package init(_ name: String, _ utf8: [UInt8]) {
        self.name = name
        self.script = String(decoding: utf8, as: UTF8.self)
        let hash = utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        self.fingerprint = String(hash, radix: 16)
    }

    /// The statements that lock a table, and the rest as a script.
    package var statements: (locking: [String], others: String) {
        guard script.contains(/TRIGGER|POLICY|ALTER (?:TABLE|INDEX)/) else { return ([], script) }
        let all = script.sqlStatements
        let places = all.indices.filter { all[$0].contains(Self.locking) }
        return (
            places.map { all[$0] }, all.indices.filter { !places.contains($0) }.map { all[$0] }.joined(separator: ";\n")
        )
    }

    private static var locking: Regex<Substring> {
        /^(?:CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER|DROP TRIGGER|CREATE POLICY|DROP POLICY|ALTER TABLE|ALTER INDEX)\s/
    }
}
