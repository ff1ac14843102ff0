import Foundation
import Processes
import Testing

struct SettingsReaderTests {
    enum Level: String, CaseIterable {
        case quiet, loud
    }

    @Test func `every mistake is reported at once`() {
        var reader = SettingsReader([
            "WORKERS": "900", "LEASE": "soon", "VERBOSE": "perhaps", "LEVEL": "silent", "PORT": "x\ny",
        ])
        _ = reader.text("DATABASE_URL")
        _ = reader.integer("WORKERS", default: 8, in: 1...64)
        _ = reader.duration("LEASE", default: .seconds(60), in: .seconds(5) ... .seconds(3_600))
        _ = reader.flag("VERBOSE", default: false)
        _ = reader.choice("LEVEL", default: Level.quiet)
        _ = reader.integer("PORT", default: 8_080, in: 1...Int.max)

        let error = #expect(throws: SettingsError.self) { try reader.finish() }
        #expect(
            error?.description == #"""
                waypost can't start:
                  - DATABASE_URL is not set
                  - WORKERS is "900"; it takes a whole number from 1 to 64
                  - LEASE is "soon"; it takes a duration from 5s to 1h, such as 200ms, 1.5s or 5m
                  - VERBOSE is "perhaps"; it takes true or false
                  - LEVEL is "silent"; it takes one of: quiet, loud
                  - PORT is "x\ny"; it takes a whole number of at least 1
                See deploy/waypost.env.example.
                """#)
    }

    @Test func `values are read in their own types`() throws {
        var reader = SettingsReader(["A": "text", "B": "12", "C": "1.5s", "D": "ON", "E": "loud"])
        #expect(reader.text("A") == "text")
        #expect(reader.integer("B", default: 1, in: 1...64) == 12)
        #expect(reader.duration("C", default: .zero, in: .zero ... .seconds(2)) == .milliseconds(1_500))
        #expect(reader.flag("D", default: false) == true)
        #expect(reader.choice("E", default: Level.quiet) == .loud)
        try reader.finish()
    }

    @Test func `an empty variable counts as not set`() throws {
        var reader = SettingsReader(["A": "", "B": ""])
        #expect(reader.text("A", default: "a") == "a")
        #expect(reader.optionalText("A") == nil)
        #expect(reader.integer("B", default: 3, in: 1...4) == 3)
        try reader.finish()
    }

    @Test func `a secret is not repeated in the error`() {
        var reader = SettingsReader(["DATABASE_URL": "hunter2"])
        _ = reader.value("DATABASE_URL", default: "", takes: "a postgres:// address", secret: true) { _ in nil }
        let error = #expect(throws: SettingsError.self) { try reader.finish() }
        #expect(error?.mistakes == ["DATABASE_URL is not valid; it takes a postgres:// address"])
    }

    @Test func `a secret may come from a file, and giving both is a mistake`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ text: String) throws -> String {
            let path = folder.appending(path: name).path
            try Data(text.utf8).write(to: URL(filePath: path))
            return path
        }
        var reader = SettingsReader([
            "KEY_FILE": try file("key", " hunter2 \n"), "URL_FILE": try file("url", "7\n"), "NOTHING_FILE": "/dev/null",
            "UNSET_FILE": "",
        ])
        #expect(reader.secret("KEY") == "hunter2")
        #expect(reader.value("URL", default: 1, takes: "a number", secret: true) { Int($0) } == 7)
        #expect(reader.secret("NOTHING") == nil && reader.secret("UNSET") == nil)
        #expect(reader.given == ["KEY", "KEY_FILE", "URL", "URL_FILE", "NOTHING_FILE"])
        reader.unknown(prefix: "")
        try reader.finish()

        var mistaken = SettingsReader([
            "KEY": "a", "KEY_FILE": try file("other", "b"), "URL_FILE": try file("text", "hunter2"),
            "AWAY_FILE": "/nowhere/away", "BYTES_FILE": try file("large", String(repeating: "x", count: 70_000)),
            "TOKEN": "", "TOKEN_FILE": try file("token", "c"),
        ])
        for name in ["KEY", "AWAY", "BYTES"] { #expect(mistaken.secret(name) == nil) }
        _ = mistaken.value("URL", default: 1, takes: "a number", secret: true) { Int($0) }
        #expect(mistaken.secret("TOKEN") == "c")
        let error = #expect(throws: SettingsError.self) { try mistaken.finish() }
        #expect(
            error?.mistakes == [
                "KEY and KEY_FILE are both set; keep one of them",
                #"AWAY_FILE is "/nowhere/away", which can't be read as a text file of up to 64 KiB"#,
                "BYTES_FILE is \(folder.appending(path: "large").path.debugDescription), which can't be read as a text file "
                    + "of up to 64 KiB", "URL is not valid; it takes a number",
            ])
    }

    @Test func `an unknown variable is a mistake, with the setting it resembles`() {
        var reader = SettingsReader(["WAYPOST_LOG_LEVLE": "debug", "WAYPOST_TEAPOT": "1", "HOME": "/root"])
        _ = reader.choice("WAYPOST_LOG_LEVEL", default: Log.Level.info)
        reader.unknown(prefix: "WAYPOST_")
        let error = #expect(throws: SettingsError.self) { try reader.finish() }
        #expect(
            error?.mistakes == [
                "WAYPOST_LOG_LEVLE is not a setting; did you mean WAYPOST_LOG_LEVEL?",
                "WAYPOST_TEAPOT is not a setting",
            ])
    }

    @Test func `a setting of another process is not a mistake`() throws {
        var reader = SettingsReader(["WAYPOST_LANE": "apple"])
        reader.know("WAYPOST_LANE")
        reader.unknown(prefix: "WAYPOST_")
        try reader.finish()
    }

    @Test func `the environment of this process can be read`() {
        #expect(ProcessEnvironment.current["PATH"]?.isEmpty == false)
    }
}
