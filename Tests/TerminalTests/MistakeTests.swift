import Testing

@testable import Terminal

struct MistakeTests {
    @Test func `a misspelt option is reported with the nearest real one`() {
        #expect(mistakes(AddCommand.self, "books.csv --onwer ada") == ["unknown option --onwer; did you mean --owner?"])
        #expect(mistakes(AddCommand.self, "books.csv --out x") == ["unknown option --out; did you mean --output?"])
    }

    @Test func `an option unlike every other gets no suggestion`() {
        #expect(mistakes(AddCommand.self, "books.csv --colour") == ["unknown option --colour"])
    }

    @Test func `an unknown letter is reported with its word`() {
        #expect(mistakes(AddCommand.self, "books.csv -vx") == ["unknown option -x in -vx"])
    }

    @Test func `a misspelt choice is reported with the nearest real one`() {
        #expect(
            mistakes(ListCommand.self, "--format cvs") == [
                "--format takes table, csv or geojson, not \"cvs\"; did you mean csv?"
            ])
    }

    @Test func `a value of the wrong type is refused with the expected type`() {
        #expect(
            mistakes(AddCommand.self, "books.csv --limit many") == [
                "--limit takes a whole number from 1 to 1000, not \"many\""
            ])
        #expect(mistakes(ListCommand.self, "--weight heavy") == ["--weight takes a number, not \"heavy\""])
    }

    @Test func `a value outside the range is refused with the range`() {
        #expect(
            mistakes(AddCommand.self, "books.csv --limit 0") == [
                "--limit takes a whole number from 1 to 1000, not \"0\""
            ])
        #expect(
            mistakes(ListCommand.self, "--wait 2m") == [
                "--wait takes a duration like 90s or 5m from 0s to 1m, not \"2m\""
            ])
        #expect(mistakes(ListCommand.self, "0") == ["SHELF takes a whole number from 1 up, not \"0\""])
    }

    @Test func `an option for one value can't be given twice`() {
        #expect(
            mistakes(AddCommand.self, "books.csv --owner ada --owner bob") == [
                "--owner is given twice; it takes one value"
            ])
    }

    @Test func `an option at the end of the line lacks its value`() {
        #expect(mistakes(AddCommand.self, "books.csv --owner") == ["--owner needs a NAME after it"])
    }

    @Test func `an option doesn't take the next option as its value`() {
        #expect(
            mistakes(AddCommand.self, "books.csv --owner --verbose") == [
                "--owner needs a NAME after it; write --owner=--verbose if --verbose is its value"
            ])
    }

    @Test func `a flag takes no value`() {
        #expect(mistakes(AddCommand.self, "books.csv --verbose=yes") == ["--verbose takes no value"])
    }

    @Test func `a required parameter that is not given is reported`() {
        #expect(mistakes(AddCommand.self, "") == ["FILE is missing"])
        #expect(mistakes(RemindCommand.self, "") == ["--from NAME is missing"])
    }

    @Test func `an extra argument is unexpected`() {
        #expect(mistakes(ListCommand.self, "1 two") == ["unexpected argument \"two\""])
    }

    @Test func `every mistake of a line is reported at once`() {
        #expect(
            mistakes(ListCommand.self, "--format x --weight y 1 z") == [
                "--format takes table, csv or geojson, not \"x\"", "--weight takes a number, not \"y\"",
                "unexpected argument \"z\"",
            ])
    }

    @Test func `after an unknown option, no word is called missing or unexpected`() {
        #expect(mistakes(ListCommand.self, "--colour red 1") == ["unknown option --colour"])
        #expect(mistakes(RemindCommand.self, "--form ada") == ["unknown option --form; did you mean --from?"])
    }

    private func mistakes<Subject: Command>(_ command: Subject.Type, _ line: String) -> [String] {
        do throws(UsageError) {
            _ = try command.parse(line.split(separator: " ").map(String.init))
            return []
        } catch {
            return error.mistakes
        }
    }
}

struct SpellingTests {
    @Test(arguments: [("improt", "import"), ("imports", "import"), ("mport", "import"), ("inport", "import")])
    func `one typing mistake is one step`(word: String, meant: String) {
        #expect(Spelling.slips(from: word, to: meant) == 1)
    }

    @Test func `short words get no suggestion`() {
        #expect(Spelling.nearest(to: "ls", among: ["rm", "cp"]) == nil)
    }

    @Test func `an ambiguous prefix gets no suggestion`() {
        #expect(Spelling.nearest(to: "re", among: ["remind", "return"]) == nil)
        #expect(Spelling.nearest(to: "rem", among: ["remind", "return"]) == "remind")
    }
}

struct DeclarationTests {
    @Test func `a name declared twice stops the program`() async {
        await #expect(processExitsWith: .failure) {
            struct Twice: Command {
                static let name = "twice"
                static let summary = ""
                @Flag("-h", "Taken by --help.") var first
                func run() async throws {}
            }
            _ = try Twice.parse([])
        }
    }

    @Test func `a required argument can't follow an optional one`() async {
        await #expect(processExitsWith: .failure) {
            struct Backwards: Command {
                static let name = "backwards"
                static let summary = ""
                @Argument("A", "") var first: String?
                @Argument("B", "") var second: String
                func run() async throws {}
            }
            _ = try Backwards.parse(["b"])
        }
    }
}
