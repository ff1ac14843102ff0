import Testing

@testable import Terminal

struct TableTests {
    @Test func `columns are as wide as their widest cell, and numbers are aligned right`() {
        var table = Table(.left("STATE"), .right("BOOKS"), .left("NOTE"))
        table.add("lent", "7", "")
        table.add("on the shelf", "1,234", "東京")
        #expect(
            table.text(on: Screen()) == """
                STATE         BOOKS  NOTE
                lent              7
                on the shelf  1,234  東京

                """)
    }

    @Test func `a wide character takes two columns`() {
        var table = Table(.left("CITY"), .right("N"))
        table.add("東京都", "1")
        table.add("Oslo", "2")
        #expect(table.text(on: Screen()) == "CITY    N\n東京都  1\nOslo    2\n")
    }

    @Test func `on a terminal the widest column is cut, and in a pipe none is`() {
        var table = Table(.left("ID"), .left("TITLE"))
        table.add("17", "The Left Hand of Darkness")
        #expect(table.text(on: Screen(isTerminal: true, width: 16)) == "ID  TITLE\n17  The Left Ha…\n")
        #expect(table.text(on: Screen(isTerminal: false, width: 16)).hasSuffix("Darkness\n"))
    }

    @Test func `a style colours the cell and not the space around it`() {
        var table = Table(.left("STATE", style: { $0 == "lost" ? .red : nil }), .right("N"))
        table.add("lost", "1")
        table.add("lent", "2")
        let paper = Paper()
        table.write(to: paper.screen(isTerminal: true, hasColor: true))
        #expect(
            paper.text
                == "\u{1B}[1mSTATE\u{1B}[0m  \u{1B}[1mN\u{1B}[0m\n\u{1B}[31mlost\u{1B}[0m   1\nlent   2\n")
    }

    @Test func `a cell can neither break the table nor control the terminal`() {
        var table = Table(.left("TIT\u{1B}LE"))
        table.add("two\nlines\u{1B}[2J\u{9B}2J\u{202E}")
        #expect(table.text(on: Screen()) == "TIT LE\ntwo lines [2J 2J\n")
    }
}
