/// One thing the program can be told to do. Its properties say which words it takes:
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
/// Parsing, `--help` and the shells' completion all read this declaration. It is `Sendable`, so that
/// `run()` may use its properties in any closure.
package protocol Command: Sendable {
    static var name: String { get }
    static var summary: String { get }

    /// What the summary leaves out. Indented lines are examples and aren't wrapped.
    static var discussion: String { get }

    /// Leaves the command out of help and completion; it still runs.
    static var isHidden: Bool { get }

    init()

    /// Does the work. A thrown ``UsageError`` ends the program with 2, an ``ExitCode`` with its code and
    /// no message, anything else with 1.
    func run() async throws
}

extension Command {
    package static var discussion: String { "" }
    package static var isHidden: Bool { false }

    /// The command as these words, which follow its name, ask for it.
    package static func parse(_ words: [String]) throws(UsageError) -> Self {
        let command = Self()
        try Parser.fill(command.parameters, from: words)
        return command
    }

    /// What the command declares, in the order it is written, and the `--help` that all of them have.
    var parameters: [Parameter] {
        Parameter.checked(Parameter.declared(in: self) + [.help], of: Self.name)
    }
}

/// Parameters that several commands share: a property of this type declares them all.
///
///     struct ReadingOptions: ParameterGroup {
///         @Option("--encoding", "How the file is encoded.") var encoding = "automatic"
///     }
package protocol ParameterGroup: Sendable {
    init()
}
