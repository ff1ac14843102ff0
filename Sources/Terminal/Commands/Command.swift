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
/// Parsing, `--help` and the shells' completion all use this declaration. It is `Sendable`, so that closures in `run()`
/// may use its properties.
package protocol Command: Sendable {
    static var name: String { get }
    static var summary: String { get }

    /// Further text for the help. Indented lines are examples and aren't wrapped.
    static var discussion: String { get }

    /// Hides the command in help and completion; it can still be run.
    static var isHidden: Bool { get }

    init()

    /// Does the work. A thrown ``UsageError`` ends the program with 2, and an ``ExitCode`` with its code and without a
    /// message. Any other error ends it with 1.
    func run() async throws
}

extension Command {
    package static var discussion: String { "" }
    package static var isHidden: Bool { false }

    /// Parses the words that follow the command's name. `stored` is that of ``CommandTree``.
    package static func parse(
        _ words: [String], stored: @escaping (_ word: String, _ placeholder: String) -> String = { word, _ in word }
    ) throws(UsageError) -> Self {
        let command = Self()
        let parameters = command.parameters.map { parameter in
            var parameter = parameter
            let (take, placeholder) = (parameter.take, parameter.placeholder)
            parameter.take = { take(stored($0, placeholder)) }
            return parameter
        }
        try Parser.fill(parameters, from: words)
        return command
    }

    /// The declared parameters in the order of the source, and `--help`.
    var parameters: [Parameter] {
        Parameter.checked(Parameter.declared(in: self) + [.help], of: Self.name)
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
