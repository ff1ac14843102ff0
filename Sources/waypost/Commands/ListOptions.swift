import Terminal

/// A list that may be long: a page of it, once or again and again.
struct ListOptions: ParameterGroup {
    let look = WatchOptions()
    @Option("--limit", "N", "Show at most N.", in: 1...1_000_000) var limit = 50
}

extension ListOptions {
    /// Says that the page is not all, and which words show the next.
    ///
    /// On standard error, where it is not taken for a row. What is shown again and again has no other place than the screen.
    func tellOfMore(_ next: String, on screen: Screen) {
        let sentence = "There are more: \(next) shows the next, --limit N shows more at once."
        if look.watch { screen.writeLine(sentence) } else { Screen.errors.writeLine(sentence) }
    }
}
