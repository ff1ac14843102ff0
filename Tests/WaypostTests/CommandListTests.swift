import Foundation
import Testing

@testable import Terminal
@testable import waypost

/// Rules for the declarations of all commands.
struct CommandListTests {
    private struct Leaf {
        let path: String
        let verb: Verb
        var options: [Parameter] { verb.parameters.filter { $0.form != .argument } }
        func option(_ name: String) -> Parameter? { options.first { $0.names.contains(name) } }
    }

    private var leaves: [Leaf] {
        func leaves(_ node: CommandTree.Node, _ path: [String]) -> [Leaf] {
            switch node {
            case .verb(let verb): [Leaf(path: (path + [verb.name]).joined(separator: " "), verb: verb)]
            case .group(let name, _, let nodes): nodes.flatMap { leaves($0, path + [name]) }
            }
        }
        return Waypost.commands.root.children.flatMap { leaves($0, []) }
    }

    private func help(_ parameter: Parameter?) -> String? {
        parameter.map { "\($0.plainSpelling): \($0.summary) \($0.defaults) \($0.range ?? "")" }
    }

    @Test func `every list has the same options, for repeating and for JSON`() {
        let lists = leaves.filter { $0.path.hasSuffix(" list") || ["log", "cache stats", "stats"].contains($0.path) }
        #expect(lists.count == 16)
        let model = WatchOptions()
        for (name, parameter) in [("--json", 0), ("--watch", 1), ("--every", 2)].map({
            ($0.0, Parameter.declared(in: model)[$0.1])
        }) {
            for list in lists { #expect(help(list.option(name)) == help(parameter), "\(list.path) \(name)") }
        }
    }

    @Test func `options with one name have similar help`() {
        let limits = leaves.compactMap { $0.option("--limit") }.filter { $0.summary.hasPrefix("Show") }
        #expect(limits.count == 6)
        #expect(Set(limits.map { help($0) ?? "" }).count == 1)
        for leaf in leaves where leaf.path.hasSuffix(" list") {
            guard let after = leaf.option("--after") else { continue }
            #expect(after.summary.hasPrefix("Only those after this one"), "\(leaf.path)")
        }
        for leaf in leaves {
            if let json = leaf.option("--json") { #expect(json.summary.hasPrefix("Print"), "\(leaf.path)") }
            if let yes = leaf.option("--yes") { #expect(yes.summary == "Don't ask for confirmation.", "\(leaf.path)") }
            if let account = leaf.option("--account") { #expect(account.placeholder == "NAME", "\(leaf.path)") }
        }
    }

    /// A new command must be listed here if it changes nothing.
    @Test func `every command that changes something prints the database's name`() {
        let readers: Set = [
            "up", "export", "stats", "top", "friends list", "friends show", "trackers list", "trackers show",
            "locations list", "locations export", "sinks list", "lanes list", "lanes show", "lanes audit", "jobs list",
            "jobs show", "jobs why", "workers list", "chains list", "chains show", "chains report", "review list",
            "review show",
            "cache stats", "tokens list", "log", "gateway", "plan", "doctor", "worker", "coordinator", "health", "help",
            "completion",
            "reference", "forget", "accounts list", "points list", "region list",
        ]
        for leaf in leaves {
            let changes = (leaf.verb.make() as? any Changing)?.changes ?? false
            #expect(changes != readers.contains(leaf.path), "\(leaf.path)")
        }
    }

    @Test func `the database is printed without user and password, and the private one is not printed`() throws {
        let url = ["DATABASE_URL": "postgresql://ada:secret@db.example.org:6432/prod?sslmode=require"]
        func name(_ line: String, _ environment: [String: String]) throws -> String? {
            guard case .run(let call, _) = Waypost.commands.plan(for: line.split(separator: " ").map(String.init))
            else { return "no command" }
            return nameTarget(of: call, environment)
        }
        #expect(try name("lanes pause nominatim", url) == "Database: prod on db.example.org:6432")
        #expect(try name("lanes list", url) == nil)
        #expect(try name("lanes pause nominatim", [:]) == nil)
        #expect(try name("lanes pause nominatim", ["DATABASE_URL_FILE": "/dev/null"]) == nil)
        #expect(try name("geocode a.csv --dry-run", url) == nil)
        #expect(try name("geocode a.csv", url) != nil)
    }

    @Test func `the page of commands equals the declarations`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../docs/cli.md")
        let text = try String(contentsOf: page.standardizedFileURL, encoding: .utf8)
        #expect(text == Waypost.commands.reference, "run 'make cli'")
    }

    @Test func `the description of the API equals the routes`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../docs/openapi.json")
        let text = try String(contentsOf: page.standardizedFileURL, encoding: .utf8)
        #expect(text == Waypost.commands.references[.openapi]?(), "run 'make cli'")
    }

    @Test func `the page of providers has the table of their terms`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../docs/providers.md")
        let text = try String(contentsOf: page.standardizedFileURL, encoding: .utf8)
        let table = try #require(Waypost.commands.references[.terms]?())
        #expect(text.contains("<!-- terms -->\n\(table)<!-- end of terms -->"), "run 'make cli'")
    }

    @Test func `the page and the example file have the settings of the table`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        func text(_ path: String) throws -> String {
            try String(contentsOf: root.appending(path: path).standardizedFileURL, encoding: .utf8)
        }
        let page = try text("docs/operations/settings.md")
        #expect(page.contains("<!-- settings -->\n\(ProcessSetting.page)<!-- end of settings -->"), "run 'make cli'")
        #expect(try text("deploy/waypost.env.example") == ProcessSetting.exampleFile, "run 'make cli'")
    }

    @Test func `each command has a manual page`() {
        let manuals = Waypost.commands.manuals
        #expect(manuals.map(\.file).contains("waypost-lanes-set.1"))
        #expect(Set(manuals.map(\.file)).count == manuals.count)
        for (file, text) in manuals {
            #expect(text.hasPrefix(".TH WAYPOST"), "\(file)")
            let lines = text.split(separator: "\n")
            let requests = Set(lines.filter { $0.hasPrefix(".") }.compactMap { $0.split(separator: " ").first })
            #expect(
                requests.isSubset(of: [".TH", ".SH", ".TP", ".B", ".BR", ".PP", ".RS", ".RE", ".nf", ".fi"]), "\(file)")
            #expect(lines.allSatisfy { !$0.hasPrefix("'") && $0.utf8.allSatisfy { $0 < 0x80 } }, "\(file)")
        }
    }
}
