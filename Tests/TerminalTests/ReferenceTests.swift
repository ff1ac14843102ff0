import Foundation
import Testing

@testable import Terminal

struct ReferenceTests {
    private struct Bind: Command {
        static let name = "bind"
        static let summary = "Bind \"books\" | scrolls."
        static let discussion = """
            Takes .page files, and
            *one* back\\slash. \(String(repeating: "Words of a sentence ", count: 5)).begins so.

              press bind a.page --glue 2
              'press' - é
            """
        @Argument("PAGE", "The pages.") var pages: [String]
        @Option("-g", "--glue", "N", "How much.", in: 1...9) var glue = 3
        @Flag("--dry", "Don't.") var dry
        func run() async throws {}
    }

    private let tree = CommandTree(
        "press", summary: "Make books.", version: "1.0", date: "2026-02-03",
        [.group("back", "Backs of books.", [.command(Bind.self)])])

    @Test func `a manual page equals the help, in roff`() throws {
        let page = try #require(tree.manuals.first { $0.file == "press-back-bind.1" })
        #expect(
            page.text == #"""
                .TH PRESS\-BACK\-BIND 1 2026-02-03 "press 1.0"
                .SH NAME
                press\-back\-bind \- Bind \(dqbooks\(dq | scrolls
                .SH SYNOPSIS
                .B press back bind
                [options] PAGE...
                .SH DESCRIPTION
                Bind \(dqbooks\(dq | scrolls.
                .PP
                Takes .page files, and *one* back\eslash. Words of a sentence Words of a
                sentence Words of a sentence Words of a sentence Words of a sentence .begins
                so.
                .PP
                .RS 4
                .nf
                press bind a.page \-\-glue 2
                \(aqpress\(aq \- \[u00E9]
                .fi
                .RE
                .SH ARGUMENTS
                .TP
                \fIPAGE\fR
                The pages.
                .SH OPTIONS
                .TP
                \fB\-g\fR, \fB\-\-glue\fR \fIN\fR
                How much. [from 1 to 9; default 3]
                .TP
                \fB\-\-dry\fR
                Don\(aqt.
                .TP
                \fB\-h\fR, \fB\-\-help\fR
                Show this help.
                .SH EXIT STATUS
                0 if it worked, 1 if it failed or was left incomplete, 2 if the command line
                or the settings are wrong.
                .SH SEE ALSO
                .BR press\-back (1)

                """#)
    }

    @Test func `the page of Markdown has each command`() throws {
        let text = tree.reference
        #expect(
            text.contains(
                "\n\n**`press back bind [options] PAGE...`**: Bind \"books\" | scrolls.\n"))
        #expect(text.contains("Takes .page files, and \\*one\\* back\\slash."))
        #expect(text.contains("```\npress bind a.page --glue 2\n'press' - é\n```\n"))
        #expect(text.contains("\n- `PAGE`: The pages.\n- `-g, --glue N`: How much. \\[from 1 to 9; default 3]\n"))
        #expect(text.contains("### press back\n\n`press back COMMAND`: Backs of books.\n\n**"))
        #expect(text.contains("- [`back`](#press-back): Backs of books.\n"))
        #expect(!text.contains("reference FORM"))
    }

    @Test func `an option of three commands with one explanation is explained once`() throws {
        struct First: Command {
            static let name = "first"
            static let summary = "One."
            @Flag("--dry", "Don't.") var dry
            func run() async throws {}
        }
        struct Second: Command {
            static let name = "second"
            static let summary = "Two."
            @Flag("--dry", "Don't.") var dry
            @Flag("--wet", "Do.") var wet
            func run() async throws {}
        }
        struct Third: Command {
            static let name = "third"
            static let summary = "Three."
            @Argument("PAGE", "The page.") var page: String
            @Flag("--dry", "Don't.") var dry
            func run() async throws {}
        }
        let text = CommandTree(
            "press", summary: "Make books.", version: "1.0", date: "2026-02-03",
            [.command(First.self), .command(Second.self), .command(Third.self)]
        ).reference
        #expect(text.contains("Common options:\n- `--dry`: Don't.\n\n## press\n"))
        #expect(text.contains("`press first [options]`: One.\n- common: `--dry`\n"))
        #expect(text.contains("- `--wet`: Do.\n- common: `--dry`\n"))
        #expect(text.contains("- `PAGE`: The page.\n- common: `--dry`\n"))
    }

    @Test func `the folder of manual pages is created`() async throws {
        let parent = "/tmp/reference-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let folder = "\(parent)/share/man1"
        #expect(await tree.main(["reference", "man", folder]) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).contains("press.1"))
    }

    @Test func `manual pages need a folder, and Markdown may be printed`() throws {
        for words in [["reference", "man"], ["reference", "markdown", "folder"]] {
            guard case .refuse = tree.plan(for: words) else {
                Issue.record("\(words)")
                continue
            }
        }
        guard case .show(let text) = tree.plan(for: ["reference", "markdown"]) else {
            Issue.record("no page")
            return
        }
        #expect(text == tree.reference)
        guard case .write(let files, "out") = tree.plan(for: ["reference", "man", "out"]) else {
            Issue.record("no pages")
            return
        }
        #expect(files.count == tree.levels.count)
    }
}
