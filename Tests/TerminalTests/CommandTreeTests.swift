import Testing

@testable import Terminal

struct CommandTreeTests {
    @Test func `a successful command exits with 0 and prints nothing`() async {
        #expect(await ran("list") == Ending(code: 0))
    }

    @Test func `a mistake exits with 2 and points to the command's help`() async {
        #expect(
            await ran("add books.csv --onwer ada --limit 0")
                == Ending(
                    code: 2,
                    errors: """
                        shelf add: unknown option --onwer; did you mean --owner?
                        shelf add: --limit takes a whole number from 1 to 1000, not "0"
                        See 'shelf add --help'.

                        """))
    }

    @Test func `a misspelt command is reported with the nearest real one`() async {
        #expect(
            await ran("lst")
                == Ending(code: 2, errors: "shelf: unknown command lst; did you mean list?\nSee 'shelf --help'.\n"))
        #expect(
            await ran("loans remnid --from ada").errors
                == "shelf loans: unknown command remnid; did you mean remind?\nSee 'shelf loans --help'.\n")
    }

    @Test func `a command named without its group is suggested with it`() async {
        #expect(
            await ran("return").errors
                == "shelf: unknown command return; did you mean loans return?\nSee 'shelf --help'.\n")
    }

    @Test func `a hidden command runs and is never suggested`() async {
        #expect(await ran("inspect") == Ending(code: 7))
        #expect(await ran("inspct").errors == "shelf: unknown command inspct\nSee 'shelf --help'.\n")
    }

    @Test func `an option before the command is reported with its right place`() async {
        #expect(
            await ran("--owner ada add").errors
                == "shelf: unknown option --owner; a command's options come after its name\nSee 'shelf --help'.\n")
    }

    @Test func `a command that fails exits with 1 and prints the reason`() async {
        #expect(await ran("loans return") == Ending(code: 1, errors: "shelf: no such loan: 17\n"))
    }

    @Test func `a command may report a mistake in its words itself`() async {
        #expect(
            await ran("loans remind --from eve")
                == Ending(
                    code: 2, errors: "shelf loans remind: --from has to be a member\nSee 'shelf loans remind --help'.\n"
                ))
    }

    @Test func `the version is printed`() async {
        #expect(await ran("--version") == Ending(code: 0, output: "shelf 1.2.0\n"))
    }

    @Test(arguments: ["", "--help", "-h", "help", "--help nonsense", "nonsense -h"])
    func `the program's help is printed to standard output`(line: String) async {
        let ending = await ran(line)
        #expect(ending.code == 0)
        #expect(ending.output.hasPrefix("Usage: shelf COMMAND\n"))
        #expect(ending.errors.isEmpty)
    }

    @Test(arguments: ["add --help", "help add", "add --limit --bogus x -h"])
    func `help is printed in spite of other mistakes`(line: String) async {
        let ending = await ran(line)
        #expect(ending.code == 0)
        #expect(ending.output.hasPrefix("Usage: shelf add [options] FILE [TAG...]\n"))
    }

    @Test func `after two dashes even --help is an argument`() async {
        #expect(await ran("add -- --help") == Ending(code: 0))
    }

    @Test func `help for an unknown command is a mistake`() async {
        #expect(
            await ran("help ad").errors
                == "shelf help: unknown command ad; did you mean add?\nSee 'shelf help --help'.\n")
    }

    @Test func `a group alone is a mistake, answered with its help`() async {
        let ending = await ran("loans")
        #expect(ending.code == 2)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("Usage: shelf loans COMMAND\n"))
    }

    private struct Ending: Equatable {
        var code: Int32
        var output = ""
        var errors = ""
    }

    private func ran(_ line: String) async -> Ending {
        let output = Paper()
        let errors = Paper()
        let words = line.split(separator: " ").map(String.init)
        let code = await shelf.main(words, output: output.screen(), errors: errors.screen())
        return Ending(code: code, output: output.text, errors: errors.text)
    }
}
