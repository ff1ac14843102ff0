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
    func `colour is for a terminal that shows it and a person who wants it`(
        isTerminal: Bool, environment: [String: String], wanted: Bool
    ) {
        #expect(Screen.wantsColor(isTerminal: isTerminal) { environment[$0] } == wanted)
    }

    @Test(arguments: [(120, "90", 120), (nil, "90", 90), (0, "90", 90), (nil, "wide", 80), (nil, nil, 80)])
    func `the width is the window's, or what COLUMNS says, or 80`(window: Int?, columns: String?, width: Int) {
        #expect(Screen.width(window: window, columns: columns) == width)
    }

    @Test func `a style is turned off again, and left out where there is no colour`() {
        let paper = Paper()
        let screen = paper.screen(hasColor: true)
        screen.write(screen.styled("failed", .bold, .red))
        #expect(paper.text == "\u{1B}[1m\u{1B}[31mfailed\u{1B}[0m")
        #expect(Screen(hasColor: false).styled("failed", .bold, .red) == "failed")
    }

    @Test(arguments: [false, true], [false, true])
    func `nothing that somebody stored moves the cursor, turns text around or has a colour`(
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
    func `a text is as wide as a terminal draws it`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(arguments: [("abcdef", 6, "abcdef"), ("abcdef", 4, "abc…"), ("東京都", 4, "東…"), ("abc", 0, "")])
    func `a text is cut to the columns it may fill`(text: String, width: Int, cut: String) {
        #expect(text.truncated(to: width) == cut)
    }
}

struct DescriptorTests {
    @Test func `a reader that left ends the program as SIGPIPE does`() async {
        await #expect(processExitsWith: .exitCode(141)) {
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            close(ends[0])
            Descriptor(number: ends[1]).write("nobody reads this\n")
        }
    }

    @Test func `a full disk ends the program with what it can't write`() async throws {
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
            Descriptor(number: open("/dev/full", O_WRONLY)).write("lost\n")
        }
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(errors == "can't write the output: No space left on device\n")
    }

    @Test func `a pipe that has no room for now gets the whole text in the end`() throws {
        let counter = try #require(popen("test $(wc -c) = 1000000", "w"))
        _ = fcntl(fileno(counter), F_SETFL, O_NONBLOCK)
        Descriptor(number: fileno(counter)).write(String(repeating: "x", count: 1_000_000))
        #expect(pclose(counter) == 0)
    }
}
