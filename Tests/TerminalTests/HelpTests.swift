import Testing

@testable import Terminal

struct HelpTests {
    @Test func `a command's help shows its whole declaration`() {
        #expect(
            help("add") == """
                Usage: shelf add [options] FILE [TAG...]

                Read books from a file.

                Each line of the file is one book. A book that is on the shelf already is left
                as it is, so the same file can be read again.

                  shelf add books.csv

                Arguments:
                  FILE  The books; - reads standard input.
                  TAG   Put on each of them.

                Options:
                      --owner NAME   Whose books they are. [default me]
                  -o, --output FILE  Where a report of the lines that could not be read goes.
                                     [repeatable]
                      --limit N      At most this many. [from 1 to 1000; default 100]
                      --since N      Only books printed from this year on.
                  -v, --verbose      Name each book.
                  -n, --dry-run      Only say what would be added.
                  -h, --help         Show this help.

                """)
    }

    @Test func `choices, ranges and defaults are shown`() {
        #expect(
            help("list") == """
                Usage: shelf list [options] [SHELF]

                Show the books.

                Arguments:
                  SHELF  Only this one. [from 1 up]

                Options:
                      --format FORMAT  How they are written. [table, csv, geojson; default
                                       table]
                      --wait DURATION  How long another reader may keep us. [from 0s to 1m;
                                       default 1.5s]
                      --weight KG      The lightest book shown.
                  -h, --help           Show this help.

                """)
    }

    @Test func `a required option is in the usage line`() {
        #expect(
            help("loans remind") == """
                Usage: shelf loans remind --from NAME

                Write to those whose loan's time is over.

                Options:
                      --from NAME  Who signs it [in full]. [required]
                  -h, --help       Show this help.

                """)
    }

    @Test func `the program's help lists all commands except hidden ones`() {
        #expect(
            help("") == """
                Usage: shelf COMMAND

                Keep track of the books you own and lend.

                Commands:
                  add         Read books from a file.
                  list        Show the books.
                  loans       See and end the loans.
                  help        Explain a command.
                  completion  Print a script that completes this program's words in a shell.

                Options:
                  -h, --help     Show this help.
                      --version  Print the version.

                See 'shelf COMMAND --help' for one command.

                """)
    }

    @Test(arguments: [(60, 60), (300, 100)])
    func `help is as wide as the terminal, up to a hundred columns`(terminal: Int, widest: Int) {
        let widths = help("add", on: Screen(isTerminal: true, width: terminal)).split(separator: "\n").map(\.count)
        #expect(widths.allSatisfy { $0 <= widest })
        #expect(widths.contains { $0 > widest - 10 })
    }

    @Test func `headings are bold on a colour terminal`() {
        let paper = Paper()
        let screen = paper.screen(hasColor: true)
        screen.write(help("loans", on: screen))
        #expect(paper.text.contains("\u{1B}[1mCommands:\u{1B}[0m\n"))
        #expect(!help("loans").contains("\u{1B}"))
    }

    @Test func `a long name has its own line`() {
        let rows = [("--a", "First."), ("--a-name-of-thirty-three-columns", "Second.")]
        let section = HelpSection(title: "Options", rows: rows)
        #expect(
            section.text(width: 80, on: Screen()) == """
                Options:
                  --a  First.
                  --a-name-of-thirty-three-columns
                       Second.

                """)
    }

    private func help(_ line: String, on screen: Screen = Screen()) -> String {
        shelf.place(of: line.split(separator: " ").map(String.init)).level.help(on: screen)
    }
}
