/// Assigns the words of one command line to a command's parameters.
///
/// It continues after a mistake, so that one run reports all of them.
struct Parser {
    private let parameters: [Parameter]
    private var words: ArraySlice<String>
    private var arguments: [String] = []
    private var said: Set<String> = []
    private var mistakes: [String] = []

    /// False after an unknown option. The word after it may be its value, and the option may be a misspelt required
    /// one. So arguments aren't checked then, and nothing is reported as missing.
    private var isComplete = true

    static func fill(_ parameters: [Parameter], from words: [String]) throws(UsageError) {
        var parser = Parser(parameters: parameters, words: words[...])
        parser.readWords()
        parser.assignArguments()
        parser.findMissing()
        if !parser.mistakes.isEmpty { throw UsageError(mistakes: parser.mistakes) }
    }

    private init(parameters: [Parameter], words: ArraySlice<String>) {
        self.parameters = parameters
        self.words = words
    }

    private mutating func readWords() {
        while let word = words.popFirst() {
            if word == "--" {
                arguments += words
                words = []
            } else if word.hasPrefix("--") {
                readOption(word)
            } else if isOption(word) {
                readLetters(word)
            } else {
                arguments.append(word)
            }
        }
    }

    /// `-` alone and a negative number are values, unless an option has that name.
    private func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
        return !(second.isNumber || second == ".") || parameter(named: String(word.prefix(2))) != nil
    }

    private func parameter(named name: String) -> Parameter? {
        parameters.first { $0.names.contains(name) }
    }

    /// `--json`, `--limit 5` or `--limit=5`
    private mutating func readOption(_ word: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let attached = parts.count > 1 ? parts[1] : nil
        guard let parameter = parameter(named: parts[0]) else { return reportUnknown(parts[0]) }
        switch (parameter.form, attached) {
        case (.flag, nil): give("", to: parameter)
        case (.flag, _): mistakes.append("\(parts[0]) takes no value")
        case (_, let value?): give(value, to: parameter)
        case (_, nil): giveNextWord(to: parameter)
        }
    }

    /// `-o FILE`, `-oFILE` or `-o=FILE`, perhaps with flags before it, or only flags: `-v`, `-vn`, `-vo FILE`
    private mutating func readLetters(_ word: String) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let parameter = parameter(named: "-\(letter)") else { return reportUnknown("-\(letter)", in: word) }
            if parameter.form == .flag {
                give("", to: parameter)
            } else if letters.isEmpty {
                giveNextWord(to: parameter)
            } else {
                return give(String(letters.first == "=" ? letters.dropFirst() : letters), to: parameter)
            }
        }
    }

    private mutating func giveNextWord(to parameter: Parameter) {
        if let next = words.first, next != "--", !isOption(next) {
            words.removeFirst()
            return give(next, to: parameter)
        }
        said.insert(parameter.label)
        let hint = words.first.map { "; write \(parameter.label)=\($0) if \($0) is its value" } ?? ""
        mistakes.append("\(parameter.label) needs a \(parameter.placeholder) after it\(hint)")
    }

    private mutating func give(_ word: String, to parameter: Parameter) {
        let isFirst = said.insert(parameter.label).inserted
        if !isFirst, parameter.form == .option, !parameter.isRepeatable {
            mistakes.append("\(parameter.label) is given twice; it takes one value")
        } else if !parameter.take(word) {
            let guess = Spelling.nearest(to: word, among: parameter.choices)
            mistakes.append(
                "\(parameter.label) takes \(parameter.expectation), not \"\(word)\"" + .didYouMean(guess))
        }
    }

    private mutating func reportUnknown(_ name: String, in word: String? = nil) {
        isComplete = false
        let place = word.map { $0 == name ? "" : " in \($0)" } ?? ""
        let guess = Spelling.nearest(to: name, among: parameters.flatMap(\.names))
        mistakes.append("unknown option \(name)\(place)" + .didYouMean(guess))
    }

    private mutating func assignArguments() {
        guard isComplete else { return }
        var left = arguments[...]
        for parameter in parameters where parameter.form == .argument {
            for word in left.prefix(parameter.isRepeatable ? left.count : 1) { give(word, to: parameter) }
            left = parameter.isRepeatable ? [] : left.dropFirst()
        }
        mistakes += left.map { "unexpected argument \"\($0)\"" }
    }

    private mutating func findMissing() {
        guard isComplete else { return }
        for parameter in parameters where parameter.isRequired && !said.contains(parameter.label) {
            mistakes.append("\(parameter.usage) is missing")
        }
    }
}

extension String {
    static func didYouMean(_ guess: String?) -> String {
        guess.map { "; did you mean \($0)?" } ?? ""
    }
}
