import Testing

@testable import Terminal

struct SparklineTests {
    @Test(arguments: [
        ([0, 1, 2, 4, 8], 0.0, " ▁▂▄█"),
        ([1, 2], 8.0, "▁▂"),
        ([16, 8], 8.0, "█▄"),
        ([0.001, 0, 1_000], 0.0, "▁ █"),
        ([0, 0], 0.0, "  "),
        ([0, 5], 10.0, " ▄"),
    ])
    func `a bar is as high as its number, and only zero has none`(values: [Double], top: Double, text: String) {
        #expect(Sparkline.text(values, top: top) == text)
    }

    @Test func `a redrawn window shows the lines that fit, each cleared to its end`() {
        let paper = Paper()
        let screen = paper.screen(isTerminal: true, height: 4)
        screen.redraw("one\ntwo\nthree\n")
        #expect(
            paper.text
                == "\u{1B}[?7l\u{1B}[Hone\u{1B}[0m\u{1B}[K\r\ntwo\u{1B}[0m\u{1B}[K\r\nthree\u{1B}[0m\u{1B}[K\r\n\u{1B}[J\u{1B}[?7h"
        )
        paper.erase()
        screen.redraw("one\ntwo\nthree\nfour\n")
        #expect(paper.text.contains("two") && !paper.text.contains("three"))
        #expect(paper.text.contains("… 2 more lines; the window is too small."))
    }

    @Test func `captured text equals the screen`() {
        let screen = Paper().screen(isTerminal: true, hasColor: true, width: 12)
        let text = screen.capture { screen in
            screen.writeLine(screen.styled("a\u{1B}b", .red))
            var table = Table(.left("TITLE"), .right("N"))
            table.add("too long for this", "1")
            table.write(to: screen)
        }
        #expect(text.hasPrefix("\u{1B}[31ma\\u001bb\u{1B}[0m\n"))
        #expect(text.contains("too long…  1"))
    }
}
