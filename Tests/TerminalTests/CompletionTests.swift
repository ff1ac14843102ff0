import Foundation
import Testing

@testable import Terminal

/// The scripts, run by their shells.
struct CompletionTests {
    @Test(arguments: [
        ("", "add list loans help completion"), ("l", "list loans"), ("loans ", "remind return"),
        ("-", "-h --help --version"), ("help ", "add list loans help completion"), ("completion z", "zsh"),
    ])
    func `bash completes commands at each level`(line: String, words: String) throws {
        #expect(try bash(line) == words.split(separator: " "))
    }

    @Test(arguments: [
        ("add --o", "--owner --output"), ("add books.csv --li", "--limit"), ("loans remind -", "--from -h --help"),
        ("list --format ", "table csv geojson"), ("list --format=c", "csv"), ("list --format=", "table csv geojson"),
        ("add --owner ", ""), ("list x -", "--format --wait --weight -h --help"),
    ])
    func `bash completes options and their choices`(line: String, words: String) throws {
        #expect(try bash(line) == words.split(separator: " "))
    }

    @Test func `bash completes files where a file is expected`() throws {
        #expect(try Set(bash("add ")) == ["a book.csv", "notes"])
        #expect(try bash("add notes -o a") == ["a book.csv"])
        #expect(try bash("add --output=n") == ["notes"])
        #expect(try bash("add --owner ada n") == ["notes"])
        #expect(try bash("add notes ") == [])
    }

    @Test(arguments: Shell.allCases)
    func `a hidden command isn't in any script`(shell: Shell) {
        #expect(!shelf.completion(for: shell).contains("inspect"))
    }

    @Test func `bash accepts the script`() throws {
        #expect(try output(of: "bash", ["-n"], input: shelf.completion(for: .bash)) == "")
    }

    @Test(.enabled(if: isInstalled("zsh")))
    func `zsh accepts the script`() throws {
        #expect(try output(of: "zsh", ["-n"], input: shelf.completion(for: .zsh)) == "")
    }

    @Test(
        .enabled(if: isInstalled("fish")),
        arguments: [
            ("", "add list loans help completion"), ("loans re", "remind return"), ("add --ou", "--output"),
            ("list --format ", "table csv geojson"), ("list --format=c", "--format=csv"), ("completion z", "zsh"),
            ("add --owner ada n", "notes"), ("add notes ", ""),
        ])
    func `fish completes commands, options, choices and files`(line: String, words: String) throws {
        let script = shelf.completion(for: .fish) + "\ncomplete -C 'shelf \(line)'"
        let answers = try output(of: "fish", ["--no-config"], input: script).split(separator: "\n")
        #expect(Set(answers.map { $0.prefix { $0 != "\t" } }) == Set(words.split(separator: " ")))
    }

    @Test(.enabled(if: isInstalled("fish")))
    func `fish shows the description of a word`() throws {
        let questions = "\ncomplete -C 'shelf loans rem'\ncomplete -C 'shelf loans remind --f'"
        #expect(
            try output(of: "fish", ["--no-config"], input: shelf.completion(for: .fish) + questions) == """
                remind\tWrite to those whose loan's time is over.
                --from\tWho signs it [in full].

                """)
    }

    /// The completions of bash at the end of `line`, which it splits into words at spaces and equals signs.
    private func bash(_ line: String) throws -> [Substring] {
        let words = line.replacing("=", with: " = ").split(separator: " ").map { "'\($0)'" }
        let isNewWord = line.isEmpty || line.hasSuffix(" ")
        let script = """
            \(shelf.completion(for: .bash))
            COMP_WORDS=(shelf \(words.joined(separator: " ")) \(isNewWord ? "''" : ""))
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _shelf
            [ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try output(of: "bash", ["--norc"], input: script).split(separator: "\n")
    }
}

private func isInstalled(_ shell: String) -> Bool {
    ["/usr/bin", "/bin", "/usr/local/bin"].contains { access("\($0)/\(shell)", X_OK) == 0 }
}

/// A program's output, including errors, for `input` in a directory with two files.
private func output(of program: String, _ arguments: [String], input: String) throws -> String {
    let directory = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let script = directory.deletingLastPathComponent().appending(path: "\(directory.lastPathComponent).script")
    try Data(input.utf8).write(to: script)
    defer { try? FileManager.default.removeItem(at: script) }
    for name in ["a book.csv", "notes"] { try Data().write(to: directory.appending(path: name)) }

    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments + [script.path]
    process.currentDirectoryURL = directory
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
}
