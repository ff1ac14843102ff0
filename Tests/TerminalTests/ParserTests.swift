import Testing

@testable import Terminal

struct ParserTests {
    @Test func `a parameter that is not given has its default`() throws {
        let add = try AddCommand.parse(["books.csv"])
        #expect(add.file == "books.csv")
        #expect(add.owner == "me")
        #expect(add.outputs.isEmpty)
        #expect(add.limit == 100)
        #expect(add.since == nil)
        #expect(!add.verbose)
    }

    @Test(arguments: [
        ["books.csv", "--limit", "5"], ["--limit", "5", "books.csv"], ["--limit=5", "books.csv"],
    ])
    func `an option may be before or after the arguments, with a space or an equals sign`(words: [String]) throws {
        let add = try AddCommand.parse(words)
        #expect(add.limit == 5)
        #expect(add.file == "books.csv")
    }

    @Test(arguments: [["-o", "a"], ["-oa"], ["-o=a"], ["--output", "a"], ["--output=a"]])
    func `a short name takes its value like a long one`(words: [String]) throws {
        #expect(try AddCommand.parse(["books.csv"] + words).outputs == ["a"])
    }

    @Test func `letters combine, and the last may take a value`() throws {
        let add = try AddCommand.parse(["books.csv", "-vno", "report"])
        #expect(add.verbose)
        #expect(add.dryRun)
        #expect(add.outputs == ["report"])
    }

    @Test func `an option that is an array may be repeated`() throws {
        #expect(try AddCommand.parse(["books.csv", "-o", "a", "--output", "b"]).outputs == ["a", "b"])
    }

    @Test func `a value may contain an equals sign and may be empty`() throws {
        #expect(try AddCommand.parse(["books.csv", "--owner=a=b"]).owner == "a=b")
        #expect(try AddCommand.parse(["books.csv", "--owner="]).owner == "")
    }

    @Test func `a group declares parameters for its command`() throws {
        let read = try ReadCommand.parse(["Emma", "--mood", "merry", "--aloud"])
        #expect(read.book == "Emma")
        #expect(read.options.mood == "merry")
        #expect(read.options.isAloud)
    }

    @Test func `a negative number is a value`() throws {
        #expect(try AddCommand.parse(["books.csv", "--since", "-300"]).since == -300)
        #expect(try AddCommand.parse(["-300"]).file == "-300")
        #expect(try ListCommand.parse(["--weight", "-.5"]).weight == -0.5)
    }

    @Test func `a single dash is an argument`() throws {
        #expect(try AddCommand.parse(["-"]).file == "-")
        #expect(try AddCommand.parse(["books.csv", "-o", "-"]).outputs == ["-"])
    }

    @Test func `after two dashes every word is an argument`() throws {
        let add = try AddCommand.parse(["-v", "--", "--verbose", "-n"])
        #expect(add.file == "--verbose")
        #expect(add.tags == ["-n"])
        #expect(!add.dryRun)
    }

    @Test func `an array takes the remaining arguments`() throws {
        #expect(try AddCommand.parse(["books.csv", "old", "red"]).tags == ["old", "red"])
    }

    @Test func `an optional argument may be left out`() throws {
        #expect(try ListCommand.parse([]).number == nil)
        #expect(try ListCommand.parse(["3"]).number == 3)
    }
}

struct OptionValueTests {
    @Test(arguments: [
        ("200ms", Duration.milliseconds(200)), ("1.5s", .milliseconds(1_500)), ("5m", .seconds(300)),
        ("2h", .seconds(7_200)), ("7d", .seconds(604_800)), ("0s", .zero), ("1m30s", .seconds(90)),
        ("1.2345s", .microseconds(1_234_500)),
    ])
    func `a duration is numbers with units`(word: String, duration: Duration) {
        #expect(Duration(word: word) == duration)
        #expect(Duration(word: duration.word) == duration)
    }

    @Test(arguments: ["5", "s", "", "-5s", "5 s", "5w", "1e3s", "1.2.3s", "2h5", "99999999999999999d"])
    func `a duration without a unit, or with an unknown one, is refused`(word: String) {
        #expect(Duration(word: word) == nil)
    }

    @Test func `a duration is shown in its largest units`() {
        #expect(Duration.seconds(90).word == "1m30s")
        #expect(Duration.seconds(604_800).word == "7d")
        #expect(Duration.seconds(7_200).word == "2h")
        #expect(Duration.microseconds(1_500).word == "1.5ms")
    }

    @Test(arguments: ["nan", "inf", "x", ""])
    func `a number that is not finite is refused`(word: String) {
        #expect(Double(word: word) == nil)
    }

    @Test func `an enum parses its choices`() throws {
        #expect(try ListCommand.parse(["--format", "csv"]).format == .csv)
    }
}
