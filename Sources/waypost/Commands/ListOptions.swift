import Terminal

/// Options for a list that may be long: a page of it, shown once or repeatedly.
struct ListOptions: ParameterGroup {
    let look = WatchOptions()
    @Option("--limit", "N", "Show at most N.", in: 1...1_000_000) var limit = 50
}

extension ListOptions {
    /// Prints that the list is longer than the page, and the words that show the next page.
    ///
    /// It goes to standard error, so that it isn't taken for a row. With `--watch` it goes to the screen, which is
    /// redrawn.
    func tellOfMore(_ next: String, on screen: Screen) {
        let sentence = "There are more: \(next) shows the next, --limit N shows more at once."
        if look.watch { screen.writeLine(sentence) } else { Screen.errors.writeLine(sentence) }
    }
}
