/// The place in the tree that some words lead to, and the remaining words.
struct Place {
    let tree: CommandTree
    let node: CommandTree.Node
    let path: [String]
    let rest: ArraySlice<String>

    var level: Level { tree.level(at: node, path: path) }

    /// The error for a word that is unknown at this place.
    func unknown(_ word: String) -> UsageError {
        if word.hasPrefix("-") {
            let guess = Spelling.nearest(to: word, among: level.options.flatMap(\.names))
            let advice = guess.map { "did you mean \($0)?" } ?? "a command's options come after its name"
            return UsageError("unknown option \(word); \(advice)")
        }
        guard !node.children.isEmpty else { return UsageError("unexpected argument \"\(word)\"") }
        let guess = Spelling.nearest(to: word, among: level.children.map(\.name)) ?? tree.path(endingIn: word)
        return UsageError("unknown command \(word)" + .didYouMean(guess))
    }
}

extension CommandTree {
    func place(of words: [String]) -> Place {
        var place = Place(tree: self, node: root, path: [name], rest: words[...])
        while let word = place.rest.first, let child = place.node.children.first(where: { $0.name == word }) {
            place = Place(tree: self, node: child, path: place.path + [word], rest: place.rest.dropFirst())
        }
        return place
    }

    /// `jobs retry` for `retry`, in case the group was forgotten.
    fileprivate func path(endingIn word: String) -> String? {
        levels.first { $0.path.last == word }?.path.dropFirst().joined(separator: " ")
    }
}
