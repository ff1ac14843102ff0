import Glibc
import Testing

@testable import Terminal

struct ScreenTests {
    @Test(arguments: [
        (true, [:], true),
        (false, [:], false),
        (true, ["NO_COLOR": "1"], false),
        (true, ["NO_COLOR": ""], true),
        (true, ["TERM": "dumb"], false),
        (true, ["TERM": "xterm"], true),
    ])
    func `colour needs a terminal with colour and no setting against it`(
        isTerminal: Bool, environment: [String: String], wanted: Bool
    ) {
        #expect(Screen.wantsColor(isTerminal: isTerminal) { environment[$0] } == wanted)
    }

    @Test(arguments: [(120, "90", 120), (nil, "90", 90), (0, "90", 90), (nil, "wide", 80), (nil, nil, 80)])
    func `the width is that of the window, else of COLUMNS, else 80`(window: Int?, columns: String?, width: Int) {
        #expect(Screen.width(window: window, columns: columns) == width)
    }

    @Test func `a style is turned off again, and left out without colour`() {
        let paper = Paper()
        let screen = paper.screen(hasColor: true)
        screen.write(screen.styled("failed", .bold, .red))
        #expect(paper.text == "\u{1B}[1m\u{1B}[31mfailed\u{1B}[0m")
        #expect(Screen(hasColor: false).styled("failed", .bold, .red) == "failed")
    }

    @Test(arguments: [false, true], [false, true])
    func `stored text can't move the cursor, reverse the direction or set a colour`(
        isTerminal: Bool, hasColor: Bool
    ) {
        let paper = Paper()
        let screen = paper.screen(isTerminal: isTerminal, hasColor: hasColor)
        screen.write("a\u{1B}[2J\u{9B}31mb\u{202E}c\u{2066}\u{61C}\r\u{7}\td👩‍👧\n")
        screen.writeLine("\u{1B}]0;title\u{7}")
        screen.show(status: "\u{1B}[1m\u{FFF9}")
        #expect(
            paper.text
                == #"a\u001b[2J\u009b31mb\u202ec\u2066\u061c\u000d\u0007"# + "\td👩‍👧\n" + #"\u001b]0;title\u0007"# + "\n"
                + "\r" + #"\u001b[1m\ufff9"# + "\u{1B}[K")
    }
}

struct DisplayWidthTests {
    @Test(arguments: [
        ("Łódź", 4), ("e\u{301}", 1), ("東京", 4), ("한국", 4), ("🚲", 2), ("👩‍👩‍👧", 2), ("🇫🇮", 2), ("✓", 1),
        ("\u{200B}", 0), ("", 0),
    ])
    func `a text's width is that of its columns in a terminal`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(arguments: [("abcdef", 6, "abcdef"), ("abcdef", 4, "abc…"), ("東京都", 4, "東…"), ("abc", 0, "")])
    func `a text is cut to the columns available`(text: String, width: Int, cut: String) {
        #expect(text.truncated(to: width) == cut)
    }
}

struct DescriptorTests {
    @Test func `a closed reader ends the program like SIGPIPE`() async {
        await #expect(processExitsWith: .exitCode(141)) {
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            close(ends[0])
            Descriptor(number: ends[1]).write("nobody reads this\n")
        }
    }

    @Test func `a full disk ends the program with an error`() async throws {
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
            Descriptor(number: open("/dev/full", O_WRONLY)).write("lost\n")
        }
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(errors == "can't write the output: No space left on device\n")
    }

    @Test func `a full pipe gets the whole text in the end`() throws {
        let counter = try #require(popen("test $(wc -c) = 1000000", "w"))
        _ = fcntl(fileno(counter), F_SETFL, O_NONBLOCK)
        Descriptor(number: fileno(counter)).write(String(repeating: "x", count: 1_000_000))
        #expect(pclose(counter) == 0)
    }
}
