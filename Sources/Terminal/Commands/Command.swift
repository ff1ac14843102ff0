/// A command with its parameters: the parser fills them, and then it can be run.
///
/// It is `Sendable`, so that closures in `run()` may use its properties.
package protocol Invocation: Sendable {
    /// Does the work. A thrown ``UsageError`` ends the program with 2, and an ``ExitCode`` with its code and without a
    /// message. Any other error ends it with 1.
    func run() async throws
}

/// One command of the program. Its properties declare the words that it takes:
///
///     struct ImportCommand: Command {
///         static let name = "import"
///         static let summary = "Read contacts from a CSV file."
///
///         @Argument("FILE", "The CSV file; - reads standard input.", completion: .files) var file: String
///         @Option("--limit", "N", "At most this many.", in: 1...1000) var limit = 100
///         @Flag("--json", "Print JSON.") var json
///
///         func run() async throws { … }
///     }
///
/// Parsing, `--help` and the shells' completion all use this declaration.
package protocol Command: Invocation {
    static var name: String { get }
    static var summary: String { get }

    /// Further text for the help. Indented lines are examples and aren't wrapped.
    static var discussion: String { get }

    /// Hides the command in help and completion; it can still be run.
    static var isHidden: Bool { get }

    init()
}

extension Command {
    package static var discussion: String { "" }
    package static var isHidden: Bool { false }

    package static func parse(_ words: [String]) throws(UsageError) -> Self {
        try Self().filled(from: words, of: name)
    }
}

/// A command as a value: its words for help and completion, and a closure that makes an invocation.
package struct Verb: Sendable {
    package let name: String
    package let summary: String
    let discussion: String
    let isHidden: Bool
    package let make: @Sendable () -> any Invocation

    package init(
        _ name: String, _ summary: String, _ discussion: String = "", isHidden: Bool = false,
        make: @escaping @Sendable () -> any Invocation
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.isHidden = isHidden
        self.make = make
    }

    init(_ type: (some Command).Type) {
        self.init(type.name, type.summary, type.discussion, isHidden: type.isHidden) { type.init() }
    }

    /// The declared parameters of a new invocation, and `--help`.
    var parameters: [Parameter] { Parameter.all(of: make(), name) }
}

extension Invocation {
    /// Parses the words that follow the command's name. `stored` is that of ``CommandTree``.
    func filled(
        from words: [String], of name: String,
        stored: @escaping (_ word: String, _ placeholder: String) -> String = { word, _ in word }
    ) throws(UsageError) -> Self {
        let parameters = Parameter.all(of: self, name).map { parameter in
            var parameter = parameter
            let (take, placeholder) = (parameter.take, parameter.placeholder)
            parameter.take = { take(stored($0, placeholder)) }
            return parameter
        }
        try Parser.fill(parameters, from: words)
        return self
    }
}

/// Parameters that several commands share: one property of this type declares all of them.
///
///     struct ReadingOptions: ParameterGroup {
///         @Option("--encoding", "How the file is encoded.") var encoding = "automatic"
///     }
package protocol ParameterGroup: Sendable {
    init()
}
