import Testing

@testable import Terminal

struct ProgressBarTests {
    private let start = ContinuousClock.now

    @Test func `the line shows the count, the pace and the remaining time`() {
        var bar = ProgressBar("Importing", total: 5_000, on: Screen(isTerminal: true), at: start)
        bar.update(done: 1_250, label: "Berlin", at: start + .seconds(10))
        #expect(
            bar.line(width: 80, at: start + .seconds(10))
                == "Importing  ██████▎                    1,250/5,000  25%  125/s  30 s left  Berlin")
    }

    @Test(arguments: [(1, "  ▊       1/8  13%"), (4, "  ███     4/8  50%"), (7, "  █████▎  7/8  88%")])
    func `the bar moves by eighths of a column`(done: Int, line: String) {
        var bar = ProgressBar("", total: 8, on: Screen(isTerminal: true), at: start)
        bar.update(done: done, at: start)
        #expect(bar.line(width: 18, at: start) == line)
    }

    @Test func `without room the bar is left out, and the end is cut`() {
        var bar = ProgressBar("Importing", total: 5_000, on: Screen(isTerminal: true), at: start)
        bar.update(done: 1_250, label: "Berlin", at: start + .seconds(10))
        #expect(bar.line(width: 40, at: start + .seconds(10)) == "Importing  1,250/5,000  25%  125/s  30 …")
    }

    @Test func `without a total there is a count and a pace`() {
        var bar = ProgressBar("Reading", total: nil, on: Screen(isTerminal: true), at: start)
        bar.update(done: 40, at: start + .seconds(2))
        #expect(bar.line(width: 80, at: start + .seconds(2)) == "Reading  40  20/s")
    }

    @Test func `a finished line shows its duration`() {
        var bar = ProgressBar("Reading", total: 40, on: Screen(isTerminal: true), at: start)
        bar.update(done: 40, at: start + .seconds(2))
        #expect(bar.line(width: 40, at: start + .seconds(2)) == "Reading  40/40  100%  20/s  in 2 s")
    }

    @Test func `the pace is that of the last fifteen seconds`() {
        var bar = ProgressBar("", total: nil, on: Screen(), at: start)
        for second in 1...60 { bar.update(done: second < 30 ? 0 : (second - 30) * 10, at: start + .seconds(second)) }
        #expect(bar.line(width: 80, at: start + .seconds(60)) == "  300  10/s")
    }

    @Test func `work done before the start doesn't count for the pace`() {
        var bar = ProgressBar("", total: nil, from: 900, on: Screen(), at: start)
        bar.update(done: 910, at: start + .seconds(1))
        #expect(bar.line(width: 80, at: start + .seconds(1)) == "  910  10/s")
    }

    @Test func `a terminal is drawn at most ten times a second`() {
        let paper = Paper()
        var bar = ProgressBar("Reading", total: 100, on: paper.screen(isTerminal: true), at: start)
        for done in 1...100 { bar.update(done: done, at: start + .milliseconds(done * 10)) }
        #expect(paper.text.count { $0 == "\r" } == 10)
    }

    @Test func `the last state stays, and an erased bar leaves nothing`() {
        let paper = Paper()
        var bar = ProgressBar("Reading", total: nil, on: paper.screen(isTerminal: true), at: start)
        bar.update(done: 1, at: start)
        bar.erase()
        bar.update(done: 2, at: start)
        bar.finish(at: start)
        #expect(paper.text == "\rReading  1\u{1B}[K\r\u{1B}[K\rReading  2\u{1B}[K\rReading  2\u{1B}[K\n")
    }

    @Test func `without a terminal, a plain line is printed every ten seconds`() {
        let paper = Paper()
        var bar = ProgressBar("Reading", total: 100, on: paper.screen(), at: start)
        for second in 1...25 { bar.update(done: second * 4, at: start + .seconds(second)) }
        bar.finish(at: start + .seconds(25))
        #expect(
            paper.text == """
                Reading  40/100  40%  4/s  15 s left
                Reading  80/100  80%  4/s  5 s left

                """)
    }

    @Test func `a line printed meanwhile appears above the bar`() {
        let paper = Paper()
        let screen = paper.screen(isTerminal: true)
        var bar = ProgressBar("Reading", total: nil, on: screen, at: start)
        bar.update(done: 1, at: start)
        screen.writeLine("a warning")
        bar.erase()
        screen.writeLine("the end")
        #expect(
            paper.text
                == "\rReading  1\u{1B}[K\r\u{1B}[Ka warning\nReading  1\r\u{1B}[Kthe end\n")
    }
}
